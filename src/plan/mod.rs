//! Manifests and prior objects to ordered steps with reasons; fetches nothing.
