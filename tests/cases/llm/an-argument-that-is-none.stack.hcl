# expect: argument-not-in-vllm
# Ray 2.60.0 vllm_models.py:229

stack "an-argument-that-is-none" {
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
  model "m" {
    source               = "Qwen/Qwen3-32B"
    tensor_parallel_size = 4
    max_model_len        = 4096
    device               = "auto"
  }
}
