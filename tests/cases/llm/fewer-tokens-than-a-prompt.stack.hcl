# expect: batch-too-small
# vllm/config/scheduler.py verify_max_model_len

stack "fewer-tokens-than-a-prompt" {
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
    source                 = "meta-llama/Llama-3.1-8B-Instruct"
    max_model_len          = 4096
    max_num_batched_tokens = "2K"
    enable_chunked_prefill = false
  }
}
