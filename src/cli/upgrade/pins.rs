//! Versions in place of those that a stack names.

use std::str::FromStr;

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::facts::version::Version;
use crate::resolve::stack::{Block, Stack};

/// What has a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Project {
    /// Ray, in the images.
    Ray,
    /// The KubeRay operator.
    KubeRay,
    /// vLLM, in the images.
    Vllm,
    /// The clusters.
    Gke,
}

impl Project {
    const ALL: [(&'static str, Self, &'static str); 4] = [
        ("ray", Self::Ray, "Ray"),
        ("kuberay", Self::KubeRay, "KubeRay"),
        ("vllm", Self::Vllm, "vLLM"),
        ("gke", Self::Gke, "GKE"),
    ];

    /// What `--to` calls it.
    pub fn id(self) -> &'static str {
        Self::ALL.iter().find(|(_, project, _)| *project == self).map_or("", |(id, ..)| id)
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, project, _)| *project == self).map_or("", |(.., name)| name)
    }
}

/// `ray=2.60.0`: a version that a stack shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Of what.
    pub project: Project,
    /// The version.
    pub version: Version,
}

impl FromStr for Pin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = "write PROJECT=VERSION, with a project of ray, kuberay, vllm or gke: ray=2.60.0";
        let (id, version) = text.split_once('=').ok_or(wrong)?;
        let (_, project, _) = Project::ALL.into_iter().find(|(known, ..)| *known == id).ok_or(wrong)?;
        let version = version.parse().map_err(|_| format!("{version:?} is not a version; {wrong}"))?;
        Ok(Self { project, version })
    }
}

/// A place where a stack names a version.
#[derive(Clone, Debug)]
pub struct Place {
    /// The block.
    pub block: Addr,
    /// The attribute.
    pub attribute: &'static str,
    /// The version in words; None: it is not written.
    pub version: Option<String>,
    /// Where it is written, or the block's header.
    pub span: Span,
}

/// Where a stack names the version of a project: at least one place, where anything of it needs one.
pub fn places(stack: &Stack, project: Project) -> Vec<Place> {
    let settings = &stack.settings;
    let of_stack = |attribute, field: &Option<Spanned<Version>>| Place {
        block: Addr::new("stack", &stack.name.value),
        attribute,
        version: field.as_ref().map(|version| version.value.to_string()),
        span: field.as_ref().map_or(settings.span, |version| version.span),
    };
    let of_workloads = |attribute, field: fn(&crate::resolve::stack::Workload) -> &Option<Spanned<Version>>| {
        let workloads = stack.blocks.iter().filter_map(|(addr, block)| Some((addr, block.workload()?)));
        let own = workloads.filter_map(move |(addr, workload)| {
            let version = field(workload).as_ref()?;
            let (block, words) = (addr.clone(), Some(version.value.to_string()));
            Some(Place { block, attribute, version: words, span: version.span })
        });
        own.collect::<Vec<_>>()
    };
    match project {
        Project::Ray => {
            let own = of_workloads("ray_version", |workload| &workload.ray_version);
            [of_stack("ray_version", &settings.ray_version)].into_iter().chain(own).collect()
        }
        Project::KubeRay => {
            let own = of_workloads("kuberay_version", |workload| &workload.kuberay_version);
            [of_stack("kuberay_version", &settings.kuberay_version)].into_iter().chain(own).collect()
        }
        Project::Vllm => vec![of_stack("vllm_version", &settings.vllm_version)],
        Project::Gke => {
            let clusters = stack.clusters().map(|cluster| Place {
                block: cluster.head.addr.clone(),
                attribute: "version",
                version: cluster.version.as_ref().map(|version| version.value.clone()),
                span: cluster.version.as_ref().map_or(cluster.head.span, |version| version.span),
            });
            clusters.collect()
        }
    }
}

/// Gives a stack the versions, wherever it names others. One that names none gets them as its own.
pub fn apply(pins: &[Pin], stack: &mut Stack) {
    for pin in pins {
        let at = |field: &Option<Spanned<Version>>, span| {
            Some(Spanned::new(pin.version.clone(), field.as_ref().map_or(span, |version| version.span)))
        };
        let span = stack.settings.span;
        match pin.project {
            Project::Ray => stack.settings.ray_version = at(&stack.settings.ray_version, span),
            Project::KubeRay => stack.settings.kuberay_version = at(&stack.settings.kuberay_version, span),
            Project::Vllm => stack.settings.vllm_version = at(&stack.settings.vllm_version, span),
            Project::Gke => {}
        }
        for block in stack.blocks.values_mut() {
            of_block(pin, block);
        }
    }
}

fn of_block(pin: &Pin, block: &mut Block) {
    if let (Project::Gke, Block::Cluster(cluster)) = (pin.project, &mut *block) {
        let span = cluster.version.as_ref().map_or(cluster.head.span, |version| version.span);
        cluster.version = Some(Spanned::new(pin.version.to_string(), span));
    }
    let Some(workload) = block.workload_mut() else { return };
    let own = match pin.project {
        Project::Ray => &mut workload.ray_version,
        Project::KubeRay => &mut workload.kuberay_version,
        Project::Vllm | Project::Gke => return,
    };
    if let Some(version) = own {
        version.value = pin.version.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_a_project_and_a_version() {
        let pin: Pin = "ray=2.60.0".parse().unwrap();
        assert_eq!((pin.project, pin.version), (Project::Ray, Version::new(2, 60, 0)));
        assert_eq!("gke=1.35".parse::<Pin>().unwrap().project.name(), "GKE");
        for wrong in ["ray", "ray=", "ray=x", "rey=2.60.0", "=", ""] {
            assert!(wrong.parse::<Pin>().unwrap_err().contains("ray=2.60.0"), "{wrong}");
        }
    }
}
