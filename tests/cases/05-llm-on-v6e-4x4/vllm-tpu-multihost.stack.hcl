# A model of vLLM over the four hosts of a v6e 4x4, weights in a bucket.
stack "vllm-tpu-multihost" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "tpu" {
  project  = "demo"
  location = "us-east5-b"
}

slice "tpu-group" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  provision   = "existing"
  dranet      = "all"
}

service_account "ray" {
  manage = false
}

bucket "models" {
  name = "demo-models"
}

secret "hf-secret" {
  keys = ["hf_api_token"]
}

serve "vllm-tpu-multihost" {
  runtime         = "ray"
  slice           = slice.tpu-group
  image           = "us-docker.pkg.dev/demo/ml/ray-llm-tpu:1"
  service_account = service_account.ray
  labels = {
    "ai.gke.io/model"            = "gemma-4-31B-it"
    "ai.gke.io/inference-server" = "vllm"
  }
  model "gemma-4-31B-it" {
    source               = "google/gemma-4-31B-it"
    tensor_parallel_size = slice.tpu-group.devices
    max_model_len        = 8192
  }
  mount "data" {
    bucket = bucket.models
    cache  = "memory"
  }
  head {
    cpu      = 2
    memory   = "16Gi"
    shm_size = "8Gi"
  }
  worker {
    cpu      = 20
    memory   = "200Gi"
    shm_size = "64Gi"
    env = {
      HF_HOME = "/data/huggingface"
    }
    secret_env = {
      HF_TOKEN = secret.hf-secret.hf_api_token
    }
  }
}
