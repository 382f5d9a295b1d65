//! GKE, in whatever form a team applies it.

pub mod terraform;
