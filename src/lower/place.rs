//! Where the pods of a group of workers run, and what follows from it: pods, sizes, accelerators, selectors.

use crate::fit::shape::Shape;
use crate::lower::intent::pod::{Env, EnvValue, Toleration};
use crate::resolve::stack::{Nodes, Slice};

/// Per cent of a node that its one pod asks for. The rest is for the node's own processes and for sidecars.
const NODE_SHARE: u64 = 80;

/// What Google calls the resource of TPU chips.
const TPU: &str = "google.com/tpu";

/// What NVIDIA calls the resource of GPUs.
pub const GPU: &str = "nvidia.com/gpu";

/// Where the pods of a group run.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    /// TPU slices of one shape: a replica is a slice, a pod is a host.
    Slices {
        /// Their block.
        slice: &'a Slice,
        /// Their shape.
        shape: &'a Shape,
    },
    /// GPU or CPU nodes: a replica is a pod, with the accelerators of its whole node.
    Nodes(&'a Nodes),
}

/// What a pod takes of its node where the stack does not say. None: no table knows the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// CPUs.
    pub cpu: Option<String>,
    /// Memory.
    pub memory: Option<String>,
}

impl<'a> Place<'a> {
    /// The name of its block.
    pub fn name(self) -> &'a str {
        match self {
            Self::Slices { slice, .. } => &slice.head.name.value,
            Self::Nodes(nodes) => &nodes.head.name.value,
        }
    }

    /// Pods of one replica.
    pub fn hosts(self) -> u32 {
        match self {
            Self::Slices { shape, .. } => shape.hosts,
            Self::Nodes(_) => 1,
        }
    }

    /// The resource of its accelerators, and how many of them a pod has.
    pub fn devices(self) -> Option<(&'static str, u32)> {
        match self {
            Self::Slices { shape, .. } => Some((TPU, shape.chips_per_host)),
            Self::Nodes(nodes) => nodes.gpus().map(|gpus| (GPU, gpus.count())),
        }
    }

    /// Labels that a node must have.
    pub fn node_selector(self) -> Vec<(String, String)> {
        match self {
            // Both selectors: Ray's autoscaler and the TPU webhook read one each (kuberay.md 2.7, 3).
            Self::Slices { slice, shape } => {
                let own = shape.node_selector().into_iter().map(|(key, value)| (key.to_owned(), value));
                own.chain(slice.node_selector.clone()).collect()
            }
            Self::Nodes(nodes) => nodes.selector(),
        }
    }

    /// Taints that its pods bear, beyond those of accelerators: Kubernetes adds these for pods that ask for some.
    pub fn tolerations(self) -> Vec<Toleration> {
        let Self::Nodes(nodes) = self else { return Vec::new() };
        let borne = nodes.taints.iter().map(|taint| Toleration {
            key: Some(taint.key.clone()),
            value: Some(taint.value.clone()),
            effect: Some(taint.effect.clone()),
            seconds: None,
        });
        borne.collect()
    }

    /// What a pod takes of its node.
    pub fn usual_size(self) -> Size {
        let machine = match self {
            Self::Slices { shape, .. } => Some((shape.machine_type.vcpu, shape.machine_type.memory_gb)),
            Self::Nodes(nodes) => nodes.machine.map(|machine| (machine.vcpu, machine.memory_gb)),
        };
        let Some((vcpu, memory_gb)) = machine else { return Size::default() };
        let cpu = (u64::from(vcpu) * NODE_SHARE / 100).max(1);
        // The tables give memory in GB; the smaller reading, 10^9 bytes, is safe whichever was meant.
        let gib = u64::from(memory_gb) * 1_000_000_000 * NODE_SHARE / 100 / (1 << 30);
        Size { cpu: Some(cpu.to_string()), memory: Some(format!("{}Gi", gib.max(1))) }
    }

    /// Environment of every pod there: what libtpu on several hosts needs to reach its node's control service, as
    /// Google's multi-host samples set it.
    pub fn host_env(self) -> Vec<Env> {
        let Self::Slices { shape, .. } = self else { return Vec::new() };
        let mut env = Vec::new();
        if shape.multi_host {
            env.push(Env { name: "NODE_IP".to_owned(), value: EnvValue::Field("status.hostIP".to_owned()) });
            env.push(Env::plain("VBAR_CONTROL_SERVICE_URL", "$(NODE_IP):8353"));
        }
        env.push(Env::plain("ENABLE_PJRT_COMPATIBILITY", "true"));
        env
    }

    /// The shape of its slices.
    pub fn shape(self) -> Option<&'a Shape> {
        match self {
            Self::Slices { shape, .. } => Some(shape),
            Self::Nodes(_) => None,
        }
    }

    /// Ray's name of its accelerators.
    pub fn ray_accelerator_type(self) -> Option<&'static str> {
        match self {
            Self::Slices { shape, .. } => Some(shape.accelerator.ray.accelerator_type),
            Self::Nodes(nodes) => nodes.gpus().map(|gpus| gpus.gpu.ray_accelerator_type),
        }
    }
}
