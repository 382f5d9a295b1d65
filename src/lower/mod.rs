//! Stack to target-neutral intents; every decision is taken here: hosts, chips, names, ports, environment, identities.
//!
//! A stack with errors is never lowered; a field that an error emptied is skipped without a word.

pub mod bucket;
pub mod capacity;
pub mod cluster;
pub mod config_files;
pub mod dranet;
pub mod environment;
pub mod ground;
pub mod history;
pub mod identity;
pub mod intent;
pub mod manifest;
pub mod name;
pub mod namespace;
pub mod nodes;
pub mod place;
pub mod pod;
pub mod ray;
pub mod ray_cluster;
pub mod serve;
pub mod service_account;
pub mod slice;
pub mod train;
pub mod unpooled;
pub mod volume;

use crate::lower::intent::Intent;
use crate::resolve::stack::{Block, Stack};

/// All intents of a stack, block by block in the order of the file.
pub fn lower(stack: &Stack) -> Vec<Intent> {
    let mut intents = namespace::lower(stack);
    for block in stack.blocks.values() {
        match block {
            Block::Cluster(cluster) => intents.extend(cluster::lower(stack, cluster)),
            Block::Slice(slice) => intents.extend(slice::lower(stack, slice)),
            Block::Nodes(nodes) => intents.extend(nodes::lower(stack, nodes)),
            Block::Bucket(bucket) => intents.extend(bucket::lower(stack, bucket)),
            Block::Volume(block) => intents.extend(volume::lower(stack, block)),
            Block::ConfigFiles(block) => intents.extend(config_files::lower(stack, block)),
            Block::Manifest(block) => intents.extend(manifest::lower(stack, block)),
            // A secret exists; it is only referred to.
            Block::Model(_) | Block::Secret(_) => {}
            Block::ServiceAccount(account) => intents.extend(service_account::lower(stack, account)),
            Block::Train(train) => intents.extend(train::lower(stack, train)),
            Block::Serve(serve) => intents.extend(serve::lower(stack, serve)),
            Block::RayCluster(cluster) => intents.extend(ray_cluster::lower(stack, cluster)),
        }
    }
    intents.extend(dranet::templates(stack, &intents));
    intents.extend(identity::bucket_grants(stack));
    for intent in &mut intents {
        if let Some(block) = stack.blocks.get(&intent.addr) {
            intent.depends_on.clone_from(&block.head().depends_on);
            intent.lifecycle = block.head().lifecycle.clone();
            name::follow_patches(intent, &block.head().patches);
        }
    }
    name::follow_triggers(&mut intents, stack);
    intents
}
