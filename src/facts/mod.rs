//! What is true outside, as typed rows with their source: accelerators, Ray, KubeRay, GKE, vLLM, models.
