# expect: ok
# GoogleCloudPlatform/kubernetes-engine-samples ai-ml/gke-ray/rayserve/llm/tpu/ray-service.tpu-v6e-multihost.yaml + serve_tpu_multihost.py

stack "gemma-4-31b-on-v6e-4x4" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-east5-b"
}

slice "s" {
  cluster     = cluster.c
  accelerator = "v6e"
  topology    = "4x4"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source                 = "google/gemma-4-31B-it"
    tensor_parallel_size   = 16
    max_model_len          = 8192
    gpu_memory_utilization = 0.92
    max_num_batched_tokens = 4096
  }
}
