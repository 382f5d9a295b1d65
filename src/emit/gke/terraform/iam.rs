//! Google service accounts, and roles for people and pods.

use crate::emit::Manifest;
use crate::emit::gke::terraform::email;
use crate::emit::hcl::{Block, Expr, Part, identifier};
use crate::emit::object::terraform;
use crate::emit::target::Context;
use crate::lower::intent::Intent;
use crate::lower::intent::gke::{AccountRef, GoogleServiceAccount, IamBinding, IamTarget, KubernetesIdentity, Member};

pub fn emit_account(account: &GoogleServiceAccount, intent: &Intent, ctx: &Context) -> Manifest {
    let local = identifier(&account.account_id);
    let block = Block::new("resource", &["google_service_account", &local])
        .with("account_id", &account.account_id)
        .with("project", &account.project)
        .some("display_name", account.display_name.as_ref());
    terraform(intent, ctx, ("serviceaccount", &account.account_id), ("google_service_account", &local), &[block])
}

/// One member of one role (`…_iam_member`): other members, given by others, stay.
pub fn emit_binding(binding: &IamBinding, intent: &Intent, ctx: &Context) -> Manifest {
    let local = identifier(&binding.name);
    let (kind, target, value) = match &binding.target {
        IamTarget::Project(project) => ("google_project_iam_member", "project", project.into()),
        IamTarget::Bucket { name, managed } => {
            let reference = format!("google_storage_bucket.{}.name", identifier(name));
            let bucket = if *managed { Expr::reference(reference) } else { name.into() };
            ("google_storage_bucket_iam_member", "bucket", bucket)
        }
        IamTarget::Account { account, project } => {
            ("google_service_account_iam_member", "service_account_id", account_id(account, project))
        }
    };
    let member_block = Block::new("resource", &[kind, &local])
        .with(target, value)
        .with("role", &binding.role)
        .with("member", Expr::Template(member(&binding.member, &local)));
    let blocks: Vec<Block> = lookup(&binding.member, &local).into_iter().chain([member_block]).collect();
    terraform(intent, ctx, ("iam", &binding.name), (kind, &local), &blocks)
}

/// The account as a resource, which is what a policy on it names.
fn account_id(account: &AccountRef, project: &str) -> Expr {
    match account {
        AccountRef::Managed(id) => Expr::reference(format!("google_service_account.{}.name", identifier(id))),
        AccountRef::Email(email) => Expr::from(&format!("projects/{project}/serviceAccounts/{email}")),
    }
}

/// A principal is named by the project's number, which Terraform knows and a stack doesn't.
fn lookup(member: &Member, local: &str) -> Option<Block> {
    let Member::Principal(identity) = member else { return None };
    Some(Block::new("data", &["google_project", local]).with("project_id", &identity.project))
}

fn member(member: &Member, local: &str) -> Vec<Part> {
    let text = |text: &str| Part::Text(text.to_owned());
    match member {
        Member::Account(account) => vec![text("serviceAccount:"), email(account)],
        Member::WorkloadIdentityUser(KubernetesIdentity { project, namespace, name }) => {
            vec![text(&format!("serviceAccount:{project}.svc.id.goog[{namespace}/{name}]"))]
        }
        Member::Principal(KubernetesIdentity { project, namespace, name }) => vec![
            text("principal://iam.googleapis.com/projects/"),
            Part::Ref(format!("data.google_project.{local}.number")),
            text(&format!(
                "/locations/global/workloadIdentityPools/{project}.svc.id.goog/subject/ns/{namespace}/sa/{name}"
            )),
        ],
    }
}
