//! A bucket that the stack creates.

use crate::lower::intent::gke::Bucket as BucketIntent;
use crate::lower::intent::{Intent, Object};
use crate::resolve::stack::{Bucket, Stack};

/// The bucket's intent; one that exists has none.
pub fn lower(stack: &Stack, bucket: &Bucket) -> Option<Intent> {
    if !bucket.manage {
        return None;
    }
    // A bucket belongs to the project of the stack's cluster, and lives where the cluster does unless it says otherwise.
    let cluster = stack.clusters().next()?;
    let location = bucket.location.as_ref().or(cluster.location.as_ref())?;
    let object = BucketIntent {
        name: bucket.head.name.value.clone(),
        project: cluster.project.as_ref()?.value.clone(),
        location: location.value.clone(),
        labels: stack.settings.labels.clone(),
    };
    Some(Intent::new(bucket.head.addr.clone(), Object::Bucket(object)))
}
