//! `google_storage_bucket`: a bucket that the stack makes.

use crate::emit::Manifest;
use crate::emit::hcl::{Block, Expr, identifier};
use crate::emit::object::terraform;
use crate::emit::target::Context;
use crate::lower::intent::Intent;
use crate::lower::intent::gke::Bucket;

pub fn emit(bucket: &Bucket, intent: &Intent, ctx: &Context) -> Manifest {
    let local = identifier(&bucket.name);
    let block = Block::new("resource", &["google_storage_bucket", &local])
        .with("name", &bucket.name)
        .with("project", &bucket.project)
        .with("location", &bucket.location)
        // Roles on the bucket are then all there is: no object has rights of its own.
        .with("uniform_bucket_level_access", true)
        .with("public_access_prevention", "enforced")
        .some("labels", Some(Expr::texts(&bucket.labels)));
    terraform(intent, ctx, ("bucket", &bucket.name), ("google_storage_bucket", &local), &[block])
}
