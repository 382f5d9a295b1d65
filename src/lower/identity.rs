//! Who pods are in Google Cloud, and which buckets they may use.

use indexmap::IndexMap;

use crate::base::addr::Addr;
use crate::base::span::Spanned;
use crate::lower::intent::gke::{AccountRef, IamBinding, IamTarget, KubernetesIdentity, Member};
use crate::lower::intent::{Intent, Object};
use crate::resolve::needs::Needs;
use crate::resolve::stack::{Block, Bucket, Cluster, Stack, Workload};

/// A Kubernetes service account as Google Cloud sees it; none where no cluster has workload identity.
pub fn kubernetes(stack: &Stack, name: &str) -> Option<KubernetesIdentity> {
    of_cluster(stack, stack.clusters().find(|cluster| cluster.workload_identity)?, name)
}

fn of_cluster(stack: &Stack, cluster: &Cluster, name: &str) -> Option<KubernetesIdentity> {
    Some(KubernetesIdentity {
        project: cluster.project.as_ref()?.value.clone(),
        namespace: stack.settings.namespace.value.clone(),
        name: name.to_owned(),
    })
}

/// Roles on buckets, for the identities of the workloads that name them. Both roles are needed: FUSE and Ray look at the
/// bucket itself, not only at its objects (gke.md B8).
pub fn bucket_grants(stack: &Stack) -> Vec<Intent> {
    if stack.buckets().next().is_none() {
        return Vec::new();
    }
    let mut users: IndexMap<(Addr, String), (Member, Addr)> = IndexMap::new();
    let needs = Needs::of(stack);
    for block in stack.blocks.values() {
        let slice = match block {
            Block::Train(train) => train.slice.as_ref(),
            Block::Serve(serve) => serve.slice.as_ref(),
            Block::RayCluster(cluster) => cluster.groups.first().and_then(|group| group.slice.as_ref()),
            Block::Cluster(_)
            | Block::Slice(_)
            | Block::Nodes(_)
            | Block::Bucket(_)
            | Block::Volume(_)
            | Block::ConfigFiles(_)
            | Block::Manifest(_)
            | Block::Model(_)
            | Block::Secret(_)
            | Block::ServiceAccount(_) => None,
        };
        let member = block.workload().and_then(|workload| member(stack, workload, slice));
        let Some((name, member)) = member else { continue };
        let head = block.head();
        // Named in a mount, in a path such as `gs://${bucket.data.name}/runs`, or in a local value that holds one.
        for bucket in needs.direct(&head.addr).filter(|needed| needed.kind == "bucket") {
            users.entry((bucket.clone(), name.clone())).or_insert_with(|| (member.clone(), head.addr.clone()));
        }
    }
    let mut intents = Vec::new();
    for ((bucket, account), (member, _)) in users {
        let Some(Block::Bucket(block)) = stack.blocks.get(&bucket) else { continue };
        intents.extend(grants(block, &account, &member));
    }
    intents
}

fn grants(bucket: &Bucket, account: &str, member: &Member) -> Vec<Intent> {
    let name = bucket.head.name.value.as_str();
    let roles = ["roles/storage.objectAdmin", "roles/storage.legacyBucketReader"];
    let grant = |role: &str| {
        let short = role.trim_start_matches("roles/storage.");
        let target = IamTarget::Bucket { name: name.to_owned(), managed: bucket.manage };
        let binding = IamBinding {
            name: format!("{}-{account}-{}", bucket.head.label(), short.to_lowercase()),
            role: role.to_owned(),
            target,
            member: member.clone(),
        };
        let mut intent = Intent::new(bucket.head.addr.clone(), Object::IamBinding(binding));
        if account == DEFAULT_ACCOUNT {
            intent.notes.push(
                "It goes to the namespace's default service account, so to every pod there that names no other; a `service_account` block narrows it.".to_owned(),
            );
        }
        intent
    };
    roles.into_iter().map(grant).collect()
}

/// The account of pods that name none.
const DEFAULT_ACCOUNT: &str = "default";

fn member(stack: &Stack, workload: &Workload, slice: Option<&Spanned<Addr>>) -> Option<(String, Member)> {
    let account = workload.service_account.as_ref().and_then(|addr| match stack.blocks.get(&addr.value) {
        Some(Block::ServiceAccount(account)) => Some(account),
        _ => None,
    });
    let name = account.map_or(DEFAULT_ACCOUNT, |account| account.head.name.value.as_str());
    let member = match account.and_then(|account| account.google_service_account.as_ref()) {
        Some(email) => Member::Account(AccountRef::Email(email.value.clone())),
        // The pods run in the cluster of their slice, and are who that cluster says they are.
        None if slice.is_some() => {
            let cluster = stack.slice(&slice?.value)?.cluster.as_ref()?;
            let Some(Block::Cluster(cluster)) = stack.blocks.get(&cluster.value) else { return None };
            Member::Principal(cluster.workload_identity.then(|| of_cluster(stack, cluster, name))??)
        }
        None => Member::Principal(kubernetes(stack, name)?),
    };
    Some((name.to_owned(), member))
}
