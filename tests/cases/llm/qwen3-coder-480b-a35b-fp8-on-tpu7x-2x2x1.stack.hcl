# expect: ok
# AI-Hypercomputer/tpu-recipes@c8cfe2f inference/ironwood/vLLM/Qwen3-Coder-480B-A35B/README.md

stack "qwen3-coder-480b-a35b-fp8-on-tpu7x-2x2x1" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-central1-c"
}

slice "s" {
  cluster     = cluster.c
  accelerator = "tpu7x"
  topology    = "2x2x1"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source                 = "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8"
    tensor_parallel_size   = 8
    enable_expert_parallel = true
    max_model_len          = 10240
    gpu_memory_utilization = 0.8
    kv_cache_dtype         = "fp8"
  }
}
