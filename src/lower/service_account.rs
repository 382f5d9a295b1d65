//! A Kubernetes service account, and what it may do in Google Cloud.

use crate::lower::identity;
use crate::lower::intent::gke::{AccountRef, IamBinding, IamTarget, Member};
use crate::lower::intent::pod::{Meta, ServiceAccount as ServiceAccountIntent};
use crate::lower::intent::{Intent, Object};
use crate::resolve::stack::{ServiceAccount, Stack};

/// The account, and its grants on the project.
pub fn lower(stack: &Stack, account: &ServiceAccount) -> Vec<Intent> {
    let addr = &account.head.addr;
    let mut intents = Vec::new();
    if account.manage {
        let meta = Meta {
            name: account.head.name.value.clone(),
            namespace: stack.settings.namespace.value.clone(),
            labels: stack.settings.labels.clone(),
            annotations: stack.settings.annotations.clone(),
        };
        let google_service_account = account.google_service_account.as_ref().map(|email| email.value.clone());
        let object = ServiceAccountIntent { meta, google_service_account };
        intents.push(Intent::new(addr.clone(), Object::ServiceAccount(object)));
    }
    let Some(identity) = identity::kubernetes(stack, &account.head.name.value) else { return intents };
    let member = match &account.google_service_account {
        Some(email) => {
            let google = AccountRef::Email(email.value.clone());
            let project = identity.project.clone();
            let may_act = IamBinding {
                name: format!("{}-workload-identity", account.head.name.value),
                role: "roles/iam.workloadIdentityUser".to_owned(),
                target: IamTarget::Account { account: google.clone(), project },
                member: Member::WorkloadIdentityUser(identity.clone()),
            };
            intents.push(Intent::new(addr.clone(), Object::IamBinding(may_act)));
            Member::Account(google)
        }
        None => Member::Principal(identity.clone()),
    };
    for role in &account.roles {
        let short = role.value.trim_start_matches("roles/").replace(['.', '/'], "-").to_lowercase();
        let grant = IamBinding {
            name: format!("{}-{short}", account.head.name.value),
            role: role.value.clone(),
            target: IamTarget::Project(identity.project.clone()),
            member: member.clone(),
        };
        intents.push(Intent::new(addr.clone(), Object::IamBinding(grant)));
    }
    intents
}
