//! Where sources disagree about accelerators and GKE, what each says, and what is used here.

/// A disagreement between sources.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict {
    /// A short name: `hosts-2x4`.
    pub id: &'static str,
    /// What it is about.
    pub topic: &'static str,
    /// What each source says.
    pub positions: &'static [Position],
    /// What Sliceform does.
    pub used: &'static str,
}

/// What one source, or several that agree, says.
#[derive(Debug, PartialEq, Eq)]
pub struct Position {
    /// Who says it.
    pub source: &'static str,
    /// What is said.
    pub says: &'static str,
}

/// The conflict called `id`.
pub fn conflict(id: &str) -> Option<&'static Conflict> {
    CONFLICTS.iter().find(|conflict| conflict.id == id)
}

const fn says(source: &'static str, says: &'static str) -> Position {
    Position { source, says }
}

/// Every disagreement that was found, by its name.
pub static CONFLICTS: &[Conflict] = &[
    Conflict {
        id: "2x8",
        topic: "2x8 on v5e and v6e",
        positions: &[says("Ray", "valid"), says("xpk, Cluster Toolkit, GKE documentation", "no such topology")],
        used: "refused",
    },
    Conflict {
        id: "8i-devices",
        topic: "devices of a chip of TPU 8i",
        positions: &[
            says("JAX", "two: two TensorCores, no megacore"),
            says("tpu-inference", "two of 144 GiB"),
            says("vllm-torchtpu", "one: as many devices as chips"),
        ],
        used: "neither: GKE sells no TPU 8i yet",
    },
    Conflict {
        id: "b200-hbm",
        topic: "memory of an NVIDIA B200",
        positions: &[says("google/skills", "192 GB"), says("aiconfigurator", "180 GiB")],
        used: "180 GiB",
    },
    Conflict {
        id: "computeclass-fields",
        topic: "description and nodePoolConfig.gvnic of a ComputeClass",
        positions: &[
            says("google/skills", "they do not exist"),
            says("GKE's reference of the custom resource", "they are listed"),
        ],
        used: "not written",
    },
    Conflict {
        id: "computeclass-selectors",
        topic: "TPU selectors of pods that also select a ComputeClass with TPUs",
        positions: &[
            says("GKE cluster autoscaler", "the pod is incompatible with the class"),
            says("tpu-recipes", "class, accelerator and topology together, on tpu7x"),
            says("accelerated-platforms", "the class alone"),
            says("KubeRay's TPU webhook", "the topology must be there"),
        ],
        used: "Ray pods select accelerator and topology; classes are not made",
    },
    Conflict {
        id: "ct5p-small",
        topic: "ct5p-hightpu-1t and -2t in GKE node pools",
        positions: &[says("Cluster Toolkit", "they exist"), says("GKE cluster autoscaler", "only ct5p-hightpu-4t")],
        used: "refused",
    },
    Conflict {
        id: "ct6e-1t-memory",
        topic: "memory of ct6e-standard-1t",
        positions: &[
            says("GKE cluster autoscaler, vLLM's ci-infra, a reservation table", "176 GB"),
            says("a third-party table", "48 GB"),
            says("a machine that was measured", "172 GB seen by its system"),
        ],
        used: "176 GB, of which pods ask for four fifths",
    },
    Conflict {
        id: "flex-gpu",
        topic: "flex-start of A2, G2 and G4 machines",
        positions: &[
            says("a reservation table", "not offered"),
            says(
                "GKE cluster autoscaler",
                "of the families that were read (A2 to A4X), only a3-edgegpu-8g is without it",
            ),
        ],
        used: "a warning",
    },
    Conflict {
        id: "flex-multihost",
        topic: "flex-start of slices with several hosts",
        positions: &[
            says("GKE documentation", "recommended for slices of one host"),
            says("xpk, vLLM's ci-infra", "used with several hosts: no node at first, all hosts at most"),
        ],
        used: "allowed, from no node to all hosts",
    },
    Conflict {
        id: "flex-queued-tpu",
        topic: "flex-start together with queued provisioning on TPUs",
        positions: &[
            says("GKE API (xpk PR 900)", "refused"),
            says("Cluster Toolkit", "has a blueprint that does it on tpu7x"),
        ],
        used: "a warning",
    },
    Conflict {
        id: "flex-v4",
        topic: "flex-start on v4",
        positions: &[
            says("GKE cluster autoscaler, GKE documentation", "not offered"),
            says("accelerated-platforms, a reservation table", "offered"),
        ],
        used: "a warning",
    },
    Conflict {
        id: "g2-24-vcpus",
        topic: "virtual CPUs of g2-standard-24",
        positions: &[says("GKE cluster autoscaler", "23"), says("Cyclenerd's cost calculator", "24")],
        used: "23, of which pods ask for four fifths",
    },
    Conflict {
        id: "gke-version-tpu7x",
        topic: "oldest GKE version for tpu7x",
        positions: &[
            says("GKE documentation", "1.34.0-gke.2201000 in Standard, 1.34.1-gke.3084001 in Autopilot"),
            says("Cluster Toolkit README", "1.34.3-gke.1318000"),
        ],
        used: "an error below the documentation's number, a warning below Cluster Toolkit's",
    },
    Conflict {
        id: "gke-version-v6e",
        topic: "oldest GKE version for v6e",
        positions: &[
            says("kubernetes-engine-samples", "1.31.1-gke.1846000"),
            says("Ray documentation", "1.31.2-gke.1115000"),
            says("users of Autopilot", "1.31.2-gke.1384000"),
        ],
        used: "an error below the lowest, a warning below the highest",
    },
    Conflict {
        id: "hosts-2x4",
        topic: "hosts of a 2x4 slice on v5e and v6e",
        positions: &[
            says("Ray", "1 host of 8 chips"),
            says("kubernetes-engine-samples", "1 host of 8 chips (ct6e-standard-8t)"),
            says("xpk", "2 hosts of 4 chips (ct6e-standard-4t, ct5lp-hightpu-4t)"),
            says("GKE cluster autoscaler", "either: it depends on the machine type"),
        ],
        used: "the stack must say chips_per_host",
    },
    Conflict {
        id: "kcc-gaps",
        topic: "flex-start, DRANET and the Ray add-on in Config Connector",
        positions: &[
            says("Config Connector 1.155", "it has no fields for them"),
            says("GKE API, Terraform", "they exist"),
        ],
        used: "Terraform is written",
    },
    Conflict {
        id: "label-a2-ultra",
        topic: "gke-accelerator of a2-ultragpu machines",
        positions: &[
            says("Cluster Toolkit (machine_mappings.json)", "nvidia-tesla-a100"),
            says("GKE cluster autoscaler, accelerated-platforms", "nvidia-a100-80gb"),
        ],
        used: "nvidia-a100-80gb",
    },
    Conflict {
        id: "label-tpu7x",
        topic: "gke-tpu-accelerator of tpu7x",
        positions: &[
            says("GKE cluster autoscaler, vLLM's ci-infra, xpk", "tpu7x"),
            says("scripts of users", "tpu-v7x-slice, tpu7x-slice"),
        ],
        used: "tpu7x",
    },
    Conflict {
        id: "label-v4lite",
        topic: "gke-tpu-accelerator of v3",
        positions: &[
            says("GKE cluster autoscaler", "tpu-v3-slice, although a comment names tpu-v3-podslice"),
            says("a test of keras_remote", "tpu-v3-podslice"),
        ],
        used: "neither: v3 is not a generation that a stack can name",
    },
    Conflict {
        id: "label-v5e",
        topic: "gke-tpu-accelerator of v5e",
        positions: &[
            says("Cluster Toolkit (machine_mappings.json)", "tpu-v5e-slice"),
            says(
                "GKE cluster autoscaler, xpk, Cluster Toolkit (tpu-definition), kubernetes-engine-samples",
                "tpu-v5-lite-podslice",
            ),
        ],
        used: "tpu-v5-lite-podslice",
    },
    Conflict {
        id: "nap-limit-key",
        topic: "the resource type of a limit for TPUs in node auto-provisioning",
        positions: &[says("xpk", "the value of gke-tpu-accelerator"), says("Cluster Toolkit", "the machine type")],
        used: "neither: pools are declared, not provisioned",
    },
    Conflict {
        id: "netprofile-tpu7x",
        topic: "DRANET and the accelerator network profile on tpu7x",
        positions: &[
            says("xpk", "of TPUs, v6e alone"),
            says("GKE documentation on DRANET", "tpu7x-standard-4t too, beside ct6e"),
            says("kubernetes-engine-samples", "tpu7x with claims"),
        ],
        used: "allowed on both, from GKE 1.34.1-gke.1829001 on",
    },
    Conflict {
        id: "pod-type-units",
        topic: "the number in a short name such as v5p-8",
        positions: &[
            says("Ray, xpk", "cores on v4, v5p and tpu7x (two a chip), chips on v5e and v6e"),
            says("Cluster Toolkit", "cores on v4, chips on v5p; refused on tpu7x"),
        ],
        used: "short names are refused; a stack names the topology",
    },
    Conflict {
        id: "resv-ct5e",
        topic: "the prefix of v5e machine types",
        positions: &[says("a reservation table", "ct5e-hightpu"), says("everyone else", "ct5lp-hightpu")],
        used: "ct5lp-hightpu",
    },
    Conflict {
        id: "topology-sets-3d",
        topic: "which large 3D topologies exist",
        positions: &[
            says("xpk", "v4 up to 64 cubes in any order; v5p up to 140 and tpu7x up to 144 cubes, ascending"),
            says("Ray", "v4 up to 12x12x16 and v5p up to 16x16x24 in any order; ten shapes of tpu7x, up to 8x16x16"),
            says("Cluster Toolkit", "multiples of 4, ascending, 64, 140 or 144 cubes"),
            says("GKE cluster autoscaler", "no list: the chips must divide among the hosts"),
            says("Cloud TPU documentation", "the largest v5p slice is 16x16x24"),
        ],
        used: "an error outside all lists, a warning where a single one has it",
    },
    Conflict {
        id: "tpu7x-1x1x1",
        topic: "1x1x1 on tpu7x",
        positions: &[
            says("GKE cluster autoscaler, xpk", "one tpu7x-standard-1t"),
            says("Ray", "not in its table; it counts 4 chips a host"),
            says("Cluster Toolkit", "refused by one check, allowed by another"),
        ],
        used: "a legal GKE slice that Ray can't express",
    },
    Conflict {
        id: "tpu7x-memory",
        topic: "host memory of tpu7x",
        positions: &[
            says("GKE cluster autoscaler", "248 GB (1t), 992 GB (4t)"),
            says("the machine family's page, in vLLM's ci-infra", "240 GB (1t), 960 GB (4t)"),
        ],
        used: "the smaller number",
    },
    Conflict {
        id: "tpu7x-placement-fields",
        topic: "Terraform's placement_policy for tpu7x",
        positions: &[
            says("vLLM's ci-infra PR 547", "policy_name with an empty type"),
            says("Cluster Toolkit", "COMPACT with policy_name and tpu_topology"),
            says("tpu-recipes", "some pass the topology with the policy, one forbids it"),
        ],
        used: "policy_name without group placement",
    },
    Conflict {
        id: "v4-memory",
        topic: "memory of ct4p-hightpu-4t",
        positions: &[says("GKE cluster autoscaler", "407 GB"), says("a reservation table", "408 GB")],
        used: "407 GB",
    },
    Conflict {
        id: "v5e-host-counts",
        topic: "hosts of v5e slices from 4x4",
        positions: &[
            says("Cloud TPU documentation", "8 chips a host: 4x4 has 2"),
            says("xpk, Ray, GKE cluster autoscaler", "4 chips a host: 4x4 has 4"),
        ],
        used: "4 chips a host",
    },
    Conflict {
        id: "v5p-bandwidth",
        topic: "memory bandwidth of v5p",
        positions: &[says("Cloud TPU documentation", "2765 GB/s"), says("JAX", "2460 GB/s")],
        used: "2765 GB/s",
    },
    Conflict {
        id: "v6e-8t-largest",
        topic: "8-chip machines in slices larger than 2x4",
        positions: &[
            says("GKE cluster autoscaler", "the arithmetic allows it"),
            says("xpk, Cluster Toolkit, kubernetes-engine-samples", "8-chip machines serve 2x4 only"),
        ],
        used: "refused",
    },
    Conflict {
        id: "v6e-flops",
        topic: "bf16 TFLOPS of v6e",
        positions: &[says("Cloud TPU documentation", "918"), says("JAX", "920")],
        used: "918",
    },
    Conflict {
        id: "v6e-placement",
        topic: "placement of multi-host v6e pools",
        positions: &[
            says("xpk, kubernetes-engine-samples, vLLM's ci-infra", "COMPACT with the topology"),
            says("GKE cluster autoscaler", "where a ComputeClass names a policy, it must be a workload policy"),
        ],
        used: "COMPACT for pools that the stack makes",
    },
    Conflict {
        id: "xpk-v5e-small",
        topic: "1x1 and 2x2 on v5e",
        positions: &[
            says("xpk", "not in its table, which begins with 2x4"),
            says("GKE cluster autoscaler, Ray, Cluster Toolkit, GKE documentation", "they exist"),
        ],
        used: "allowed",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// One row for each disagreement that was found: none may be lost.
    const FOUND: [&str; 35] = [
        "2x8",
        "8i-devices",
        "b200-hbm",
        "computeclass-fields",
        "computeclass-selectors",
        "ct5p-small",
        "ct6e-1t-memory",
        "flex-gpu",
        "flex-multihost",
        "flex-queued-tpu",
        "flex-v4",
        "g2-24-vcpus",
        "gke-version-tpu7x",
        "gke-version-v6e",
        "hosts-2x4",
        "kcc-gaps",
        "label-a2-ultra",
        "label-tpu7x",
        "label-v4lite",
        "label-v5e",
        "nap-limit-key",
        "netprofile-tpu7x",
        "pod-type-units",
        "resv-ct5e",
        "topology-sets-3d",
        "tpu7x-1x1x1",
        "tpu7x-memory",
        "tpu7x-placement-fields",
        "v4-memory",
        "v5e-host-counts",
        "v5p-bandwidth",
        "v6e-8t-largest",
        "v6e-flops",
        "v6e-placement",
        "xpk-v5e-small",
    ];

    #[test]
    fn every_disagreement_has_its_row() {
        let ids: Vec<&str> = CONFLICTS.iter().map(|conflict| conflict.id).collect();
        assert_eq!(ids, FOUND);
        assert!(ids.is_sorted() && CONFLICTS.iter().all(|conflict| conflict.positions.len() > 1));
        let complete = |conflict: &Conflict| !conflict.topic.is_empty() && !conflict.used.is_empty();
        assert!(CONFLICTS.iter().all(complete));
        assert!(conflict("pod-type-units").is_some() && conflict("nothing").is_none());
    }
}
