# expect: model-does-not-fit
# tpu-inference support matrix of 2026-10-22

stack "qwen3-5-397b-a17b-fp8-on-v6e-2x4" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-east5-b"
}

slice "s" {
  cluster        = cluster.c
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source               = "Qwen/Qwen3.5-397B-A17B-FP8"
    tensor_parallel_size = 8
  }
}
