//! Where sources disagree about slices, what each says, and what is used here.

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

/// The conflicts that matter to the shape of a slice or the form of its node pool.
pub static CONFLICTS: &[Conflict] = &[
    Conflict {
        id: "2x8",
        topic: "2x8 on v5e and v6e",
        positions: &[says("Ray", "valid"), says("xpk, Cluster Toolkit, GKE documentation", "no such topology")],
        used: "refused",
    },
    Conflict {
        id: "ct5p-small",
        topic: "ct5p-hightpu-1t and -2t in GKE node pools",
        positions: &[says("Cluster Toolkit", "they exist"), says("GKE cluster autoscaler", "only ct5p-hightpu-4t")],
        used: "refused",
    },
    Conflict {
        id: "flex-queued-tpu",
        topic: "flex-start together with queued provisioning on TPUs",
        positions: &[
            says("GKE API (xpk PR 900)", "refused"),
            says("Cluster Toolkit", "has a blueprint that does it on tpu7x"),
        ],
        used: "an error, which a comment in the stack can allow",
    },
    Conflict {
        id: "flex-v4",
        topic: "flex-start on v4",
        positions: &[
            says("GKE cluster autoscaler, GKE documentation", "not offered"),
            says("accelerated-platforms, a reservation table", "offered"),
        ],
        used: "refused",
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
        id: "pod-type-units",
        topic: "the number in a short name such as v5p-8",
        positions: &[
            says("Ray, xpk", "cores on v4, v5p and tpu7x (two a chip), chips on v5e and v6e"),
            says("Cluster Toolkit", "cores on v4, chips on v5p; refused on tpu7x"),
        ],
        used: "short names are refused; a stack names the topology",
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
        id: "v5e-host-counts",
        topic: "hosts of v5e slices from 4x4",
        positions: &[
            says("Cloud TPU documentation", "8 chips a host: 4x4 has 2"),
            says("xpk, Ray, GKE cluster autoscaler", "4 chips a host: 4x4 has 4"),
        ],
        used: "4 chips a host",
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
        id: "v6e-placement",
        topic: "placement of multi-host v6e pools",
        positions: &[
            says("xpk, kubernetes-engine-samples, vLLM's ci-infra", "COMPACT with the topology"),
            says("GKE cluster autoscaler", "where a ComputeClass names a policy, it must be a workload policy"),
        ],
        used: "COMPACT for pools that the stack makes",
    },
];
