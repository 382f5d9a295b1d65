# expect: latent-attention-unspread
# tpu-inference 0.32.0 platforms/tpu_platform.py: MLA models require both

stack "deepseek-r1-without-dp-attention" {
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
  model "m" {
    source                 = "deepseek-ai/DeepSeek-R1"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 4096
  }
}
