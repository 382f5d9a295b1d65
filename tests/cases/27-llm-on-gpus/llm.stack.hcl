# realworld case 27: Ray Serve LLM on four GPUs of one node.
stack "llm" {
  ray_version     = "2.52.0"
  kuberay_version = "1.4.0"
}

cluster "gpu" {
  project  = "demo"
  location = "us-central1-a"
}

nodes "gpu-group" {
  cluster      = cluster.gpu
  machine_type = "g2-standard-48" # 4 GPUs; the original does not say which
  provision    = "existing"
}

secret "hf-token" {
  keys = ["hf_token"]
}

serve "ray-serve-llm" {
  runtime = "ray"
  nodes   = nodes.gpu-group
  image   = "rayproject/ray-llm:2.52.0-py311-cu128"
  model "qwen2.5-7b-instruct" {
    source                 = "Qwen/Qwen2.5-7B-Instruct"
    replicas               = 4
    max_ongoing_requests   = 128
    dtype                  = "bfloat16"
    max_model_len          = 1024
    gpu_memory_utilization = 0.75
  }
  head {
    cpu              = 2
    memory           = "5Gi"
    requests         = { memory = "4Gi" }
    ray_start_params = { num-gpus = "0" }
  }
  worker {
    cpu              = 32
    memory           = "32Gi"
    secret_env       = { HUGGING_FACE_HUB_TOKEN = secret.hf-token.hf_token }
    ray_start_params = { num-gpus = "4" }
  }
}
