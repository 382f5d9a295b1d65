# expect: ok
# vllm-project/tpu-inference@b8692ff .buildkite/benchmark/cases/daily/deepseek_dp_attention.json

stack "deepseek-r1-fp4-on-tpu7x-2x2x1" {
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
  env = {
    MODEL_IMPL_TYPE             = "vllm"
    NEW_MODEL_DESIGN            = "1"
    MOE_REQUANTIZE_WEIGHT_DTYPE = "fp4"
  }
  model "m" {
    source                 = "deepseek-ai/DeepSeek-R1"
    tensor_parallel_size   = 8
    enable_expert_parallel = true
    max_model_len          = 9216
    gpu_memory_utilization = 0.95
    max_num_seqs           = 96
    max_num_batched_tokens = 1024
    kv_cache_dtype         = "fp8"
    additional_config      = { sharding = { sharding_strategy = { enable_dp_attention = true } } }
  }
}
