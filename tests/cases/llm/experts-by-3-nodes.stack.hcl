# expect: indivisible-experts
# vllm#52435: 128 experts among 3 ranks

stack "experts-by-3-nodes" {
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
    source                 = "Qwen/Qwen3-30B-A3B"
    data_parallel_size     = 3
    enable_expert_parallel = true
    max_model_len          = 4096
  }
}
