# expect: hbm-headroom
# AI-Hypercomputer/tpu-recipes#151: 63.6 % of the starts fail

stack "gpt-oss-120b-at-0-93-on-tpu7x-2x2x1" {
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
    source                 = "openai/gpt-oss-120b"
    tensor_parallel_size   = 8
    max_model_len          = 9216
    gpu_memory_utilization = 0.93
  }
}
