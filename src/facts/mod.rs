//! What is true outside, as typed rows with their source: accelerators, Ray, KubeRay, GKE, vLLM, models, editions.

pub mod accelerators;
pub mod conflicts;
pub mod edition;
pub mod gke;
pub mod kuberay;
pub mod machines;
pub mod models;
pub mod ray;
pub mod source;
pub mod table;
pub mod terraform;
pub mod version;
pub mod vllm;
