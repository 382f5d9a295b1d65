# expect: ok
# AI-Hypercomputer/tpu-recipes@c8cfe2f inference/ironwood/vLLM/Qwen3.5-397B/qwen3_5-server.yaml

stack "qwen3-5-397b-a17b-fp8-on-tpu7x-2x2x1" {
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
    source                 = "Qwen/Qwen3.5-397B-A17B-FP8"
    tensor_parallel_size   = 8
    enable_expert_parallel = true
    max_model_len          = 9216
    gpu_memory_utilization = 0.9
    max_num_seqs           = 64
    kv_cache_dtype         = "fp8"
    additional_config      = { sharding = { sharding_strategy = { enable_dp_attention = true } } }
  }
}
