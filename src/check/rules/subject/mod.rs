//! What several rules look at, and the words that they share; no rule by itself.

pub mod arguments;
pub mod engines;
pub mod gke_needs;
pub mod patched;
pub mod places;
pub mod pods;
pub mod pools;
pub mod replicas;
pub mod rooms;
pub mod runs;
pub mod shapes;
pub mod tpu_pods;
pub mod uses;
pub mod versions;
pub mod words;
pub mod zones;
