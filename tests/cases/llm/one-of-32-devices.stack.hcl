# expect: parallelism-product
# vllm#20515: it hangs

stack "one-of-32-devices" {
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
  topology    = "4x8"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source        = "Qwen/Qwen3-4B"
    max_model_len = 4096
  }
}
