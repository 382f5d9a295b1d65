# expect: ok
# vllm-project/tpu-inference#2333 (comment 2026-04-30)

stack "gemma-4-31b-on-v6e-2x2" {
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
  topology    = "2x2"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  env = {
    USE_BATCHED_RPA_KERNEL = "1"
    MODEL_IMPL_TYPE        = "flax_nnx"
  }
  model "m" {
    source                 = "google/gemma-4-31B-it"
    tensor_parallel_size   = 4
    max_model_len          = 16384
    gpu_memory_utilization = 0.98
    max_num_batched_tokens = 4096
    kv_cache_dtype         = "fp8"
    additional_config      = { quantization = { qwix = { rules = [{ module_path = ".*", weight_qtype = "float8_e4m3fn" }] } } }
  }
}
