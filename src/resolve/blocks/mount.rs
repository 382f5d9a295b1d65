//! `mount`: storage in the containers of a workload.

use std::collections::BTreeMap;

use crate::base::diag::Diag;
use crate::base::span::Span;
use crate::base::suggest::did_you_mean;
use crate::resolve::decode::{Decoder, is_dns_label};
use crate::resolve::quantity;
use crate::resolve::spec::{BlockSpec, Label, Open, Times, optional};
use crate::resolve::stack::{Mount, MountSource};

/// The `mount` block.
pub const MOUNT: BlockSpec = BlockSpec {
    name: "mount",
    label: Label::Name,
    times: Times::Any,
    doc: "Storage in the main container of every pod: one of bucket, volume, config_files, secret, empty_dir or host_path.",
    attrs: &[&[
        optional("bucket", "bucket", "A bucket, through GCS FUSE."),
        optional("volume", "volume", "A persistent volume."),
        optional("config_files", "config_files", "Its files."),
        optional("secret", "secret", "A secret's keys as files."),
        optional(
            "empty_dir",
            "object { medium, size }",
            "Scratch space; medium `memory` or `disk`, `size` a quantity.",
        ),
        optional("host_path", "string", "A path of the node."),
        optional("path", "string", "Where; `/NAME` by default."),
        optional("sub_path", "string", "Only this folder of it."),
        optional("read_only", "bool", "Not writable; false by default."),
        optional("options", "list of strings", "GCS FUSE mount options; `implicit-dirs` by default."),
        optional("cache", "off, memory or a quantity", "GCS FUSE file cache; off by default."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// A `mount` block in a container of its own: without a source, it names a mount of the pod.
pub const CONTAINER_MOUNT: BlockSpec =
    BlockSpec { doc: "Storage in this container: a mount of the pod by its name, or one of its own.", ..MOUNT };

const SOURCES: &[&str] = &["bucket", "volume", "config_files", "secret", "empty_dir", "host_path"];

/// Names that the compiler gives to volumes of its own.
const TAKEN: &[&str] = &["driver", "dshm", "gke-gcsfuse-cache"];

/// Reads the mounts of every pod, or of a role's.
pub fn decode(block: &Decoder<'_>) -> Vec<Mount> {
    block.blocks("mount").iter().map(own).collect()
}

/// Reads the mounts of one container, beside those that its pod has.
pub fn decode_in_container(block: &Decoder<'_>, pod: &mut Vec<Mount>) -> Vec<Mount> {
    let mut mounts = Vec::new();
    for mount in block.blocks("mount") {
        mounts.push(in_container(&mount, pod));
    }
    check_paths(block, mounts.iter());
    mounts
}

fn in_container(block: &Decoder<'_>, pod: &mut Vec<Mount>) -> Mount {
    let label = block.label().unwrap_or_else(|| block.default(String::new()));
    let known = pod.iter().find(|mount| mount.name.value == label.value);
    if SOURCES.iter().any(|source| block.has(source)) {
        if let Some(known) = known {
            block.report(
                Diag::error("type", "Two mounts of a pod have one name")
                    .at(label.span, "a second source")
                    .also(known.name.span, "the first")
                    .detail("A mount's name is that of the pod's volume, which all of its containers share.")
                    .help("Leave the source out to mount the same volume, or take another name."),
            );
        }
        let mount = own(block);
        pod.push(mount.clone());
        return mount;
    }
    if known.is_none() {
        let near = did_you_mean(&label.value, pod.iter().map(|mount| mount.name.value.as_str()));
        block.report(
            Diag::error("reference", format!("The pod has no mount {:?}", label.value))
                .at(label.span, "without a source, this names a mount of the pod")
                .help(format!("Name one of the workload's mounts, or say {}.{near}", SOURCES.join(", "))),
        );
    }
    Mount {
        source: Some(MountSource::Shared),
        path: block
            .absolute_path("path")
            .or_else(|| known.map(|mount| mount.path.clone()))
            .unwrap_or_else(|| block.default(format!("/{}", label.value))),
        ..read(block)
    }
}

fn own(block: &Decoder<'_>) -> Mount {
    block.exactly_one_of(SOURCES);
    read(block)
}

fn read(block: &Decoder<'_>) -> Mount {
    let name = block.label().unwrap_or_else(|| block.default(String::new()));
    check_name(block, &name.value.replace('_', "-"), name.span);
    Mount {
        source: source(block),
        path: block.absolute_path("path").unwrap_or_else(|| name.clone().map(|name| format!("/{name}"))),
        sub_path: block.sub_path("sub_path"),
        read_only: block.flag("read_only", false),
        options: block.strings("options").into_iter().map(|option| option.value).collect(),
        cache: block.quantity("cache").filter(|cache| cache.value != "off"),
        name,
    }
}

fn source(block: &Decoder<'_>) -> Option<MountSource> {
    let bucket = || block.reference("bucket", "bucket").map(|bucket| MountSource::Bucket(bucket.value));
    let secret = || block.reference("secret", "secret").map(|secret| MountSource::Secret(secret.value));
    let volume = || block.reference("volume", "volume").map(|volume| MountSource::Volume(volume.value));
    let files = || block.reference("config_files", "config_files").map(|files| MountSource::ConfigFiles(files.value));
    let host_path = || block.absolute_path("host_path").map(|path| MountSource::HostPath(path.value));
    let empty_dir = || {
        let read = block.object("empty_dir", &["medium", "size"], |object| MountSource::EmptyDir {
            memory: object.choice("medium", &[("memory", true), ("disk", false)]).unwrap_or(false),
            size: object.text("size", "a quantity, such as \"200Gi\"", quantity::is_quantity),
        });
        read.map(|source| source.value)
    };
    bucket().or_else(volume).or_else(files).or_else(secret).or_else(empty_dir).or_else(host_path)
}

fn check_name(block: &Decoder<'_>, volume: &str, span: Span) {
    let taken = TAKEN.contains(&volume);
    if taken || !is_dns_label(volume) {
        block.report(
            Diag::error("illegal-name", "A mount's name becomes the name of a volume")
                .at(span, if taken { "taken by a volume of the compiler" } else { "not a legal name" })
                .help("Take lower-case letters, digits and `-`; the path may be anything."),
        );
    }
}

/// Two mounts of one container at one path: Kubernetes refuses the pod. A role's own mount takes the place of the
/// workload's of its name.
pub fn check_roles(block: &Decoder<'_>, all: &[Mount], roles: [&[Mount]; 2]) {
    let mut found = BTreeMap::new();
    for own in roles {
        let kept = all.iter().filter(|mount| !own.iter().any(|other| other.name.value == mount.name.value));
        found.extend(collisions(kept.chain(own)));
    }
    report(block, found);
}

/// The same of one container's mounts.
fn check_paths<'a>(block: &Decoder<'_>, mounts: impl Iterator<Item = &'a Mount>) {
    report(block, collisions(mounts));
}

/// Where a second mount takes a path: its place, the path, and the place of the first.
fn collisions<'a>(mounts: impl Iterator<Item = &'a Mount>) -> BTreeMap<usize, (&'a Mount, Span)> {
    let mut paths: BTreeMap<&str, Span> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for mount in mounts {
        if let Some(first) = paths.insert(mount.path.value.trim_end_matches('/'), mount.name.span) {
            found.insert(mount.name.span.range().start, (mount, first));
        }
    }
    found
}

fn report(block: &Decoder<'_>, found: BTreeMap<usize, (&Mount, Span)>) {
    for (mount, first) in found.into_values() {
        block.report(
            Diag::error("type", "Two mounts have one path")
                .at(mount.name.span, format!("at {} too", mount.path.value))
                .also(first, "the first"),
        );
    }
}
