# expect: hbm-headroom
# vllm#27508, vllm#23278: 4.54 GiB are needed, 1.71 are left

stack "gpt-oss-120b-at-131072-on-one-h100" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-central1-a"
}

nodes "n" {
  cluster      = cluster.c
  machine_type = "a3-highgpu-8g"
  node_count   = 1
}

serve "llm" {
  runtime = "ray"
  nodes   = nodes.n
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source        = "openai/gpt-oss-120b"
    max_model_len = 131072
  }
}
