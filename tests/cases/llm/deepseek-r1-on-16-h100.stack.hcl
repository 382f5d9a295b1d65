# expect: ok
# github:GoogleCloudPlatform/kubernetes-engine-samples ai-ml/llm-multihost-gpus/vllm-deepseek-r1-A3-HDML.yaml (LWS size 2, TP8 PP2, max-model-len 4096)

stack "deepseek-r1-on-16-h100" {
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
  node_count   = 2
}

serve "llm" {
  runtime = "ray"
  nodes   = nodes.n
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source                 = "deepseek-ai/DeepSeek-R1"
    tensor_parallel_size   = 8
    pipeline_parallel_size = 2
    max_model_len          = 4096
    gpu_memory_utilization = 0.92
  }
}
