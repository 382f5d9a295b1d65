//! Stack to target-neutral intents; every decision is taken here.

pub mod intent;
