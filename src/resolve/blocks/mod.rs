//! One file a block: its attributes as data, and how its typed form is read.

use crate::resolve::spec::BlockSpec;

pub mod autoscale;
pub mod bucket;
pub mod cluster;
pub mod config_files;
pub mod container;
pub mod manifest;
pub mod model;
pub mod mount;
pub mod nodes;
pub mod patch;
pub mod ray_cluster;
pub mod refactor;
pub mod secret;
pub mod serve;
pub mod service_account;
pub mod slice;
pub mod stack;
pub mod train;
pub mod volume;
pub mod workload;

/// The blocks that have an address and become objects.
pub const ADDRESSED: &[&BlockSpec] = &[
    &bucket::SPEC,
    &cluster::SPEC,
    &config_files::SPEC,
    &manifest::SPEC,
    &nodes::SPEC,
    &ray_cluster::SPEC,
    &model::SPEC,
    &secret::SPEC,
    &serve::SPEC,
    &service_account::SPEC,
    &slice::SPEC,
    &train::SPEC,
    &volume::SPEC,
];

/// The blocks that a stack file may hold.
pub const TOP: &[&BlockSpec] = &[
    &bucket::SPEC,
    &cluster::SPEC,
    &config_files::SPEC,
    &stack::LOCALS,
    &manifest::SPEC,
    &refactor::IMPORT,
    &refactor::MOVED,
    &refactor::REMOVED,
    &nodes::SPEC,
    &stack::OUTPUT,
    &ray_cluster::SPEC,
    &model::SPEC,
    &secret::SPEC,
    &serve::SPEC,
    &service_account::SPEC,
    &slice::SPEC,
    &stack::SPEC,
    &train::SPEC,
    &stack::VARIABLE,
    &volume::SPEC,
];
