# expect: indivisible-blocks
# vllm recipes/models/Qwen/Qwen3-Coder-480B-A35B-Instruct.yaml: 2560 / 8 = 320, no multiple of 128

stack "fp8-blocks-by-8" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-central1-a"
}

nodes "n" {
  cluster      = cluster.c
  machine_type = "a3-ultragpu-8g"
  node_count   = 1
}

serve "llm" {
  runtime = "ray"
  nodes   = nodes.n
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source               = "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8"
    tensor_parallel_size = 8
    max_model_len        = 8192
  }
}
