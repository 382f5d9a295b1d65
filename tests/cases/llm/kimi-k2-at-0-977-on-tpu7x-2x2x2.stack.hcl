# expect: hbm-headroom
# tpu-inference PR#2923

stack "kimi-k2-at-0-977-on-tpu7x-2x2x2" {
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
  topology    = "2x2x2"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  env     = { NEW_MODEL_DESIGN = "1" }
  model "m" {
    source                 = "moonshotai/Kimi-K2-Instruct"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 9216
    gpu_memory_utilization = 0.977
    additional_config      = { sharding = { sharding_strategy = { enable_dp_attention = true } } }
  }
}
