//! Terraform: one resource a file, to be called as a module. No `terraform` or `provider` block: backend, provider and
//! lock stay the team's.

use crate::emit::Manifest;
use crate::emit::hcl::{Part, identifier};
use crate::emit::target::Context;
use crate::lower::intent::gke::AccountRef;
use crate::lower::intent::{Intent, Object};

mod cluster;
mod iam;
mod node_pool;
mod storage;

/// The manifest of a Google Cloud resource.
pub fn emit(intent: &Intent, ctx: &Context) -> Option<Result<Manifest, String>> {
    Some(Ok(match &intent.object {
        Object::GkeCluster(gke) => cluster::emit(gke, intent, ctx),
        Object::NodePool(pool) => node_pool::emit(pool, intent, ctx),
        Object::WorkloadPolicy(policy) => node_pool::emit_policy(policy, intent, ctx),
        Object::GoogleServiceAccount(account) => iam::emit_account(account, intent, ctx),
        Object::IamBinding(binding) => iam::emit_binding(binding, intent, ctx),
        Object::Bucket(bucket) => storage::emit(bucket, intent, ctx),
        _ => return None,
    }))
}

/// What nodes may ask of Google Cloud: all that their account may; roles decide.
const SCOPES: [&str; 1] = ["https://www.googleapis.com/auth/cloud-platform"];

/// The e-mail of a Google service account.
fn email(account: &AccountRef) -> Part {
    match account {
        AccountRef::Email(email) => Part::Text(email.clone()),
        AccountRef::Managed(id) => Part::Ref(format!("google_service_account.{}.email", identifier(id))),
    }
}
