# H100 nodes that a PyTorch fine-tuning run and an OpenAI-compatible endpoint take, and CPU nodes for their Ray heads.
stack "gpu" {
  required_version = ">= 0.1"
  ray_version      = "2.60.0"
  kuberay_version  = "1.6.2"
  namespace        = "ml"
  create_namespace = true
  deploy "directory" {
    path = "rendered"
  }
}

variable "project" {
  type        = string
  description = "Google Cloud project that owns the cluster"
}

cluster "gpu" {
  project  = var.project
  location = "us-central1"
  version  = "1.35"
}

nodes "h100" {
  cluster            = cluster.gpu
  zone               = "us-central1-a"
  machine_type       = "a3-highgpu-8g" # 8 x H100: derived, never written twice
  node_count         = 3               # two to train, one to serve
  gpu_driver_version = "latest"
  capacity "reservation" {
    name = "ml-h100"
  }
  capacity "spot" {
  }
}

nodes "heads" {
  cluster      = cluster.gpu
  zone         = "us-central1-a"
  machine_type = "e2-standard-16"
  autoscale {
    min_nodes = 1
    max_nodes = 3
  }
}

bucket "data" {
  name = "${var.project}-gpu"
}

secret "hf" {
  keys = ["hf_api_token"]
}

service_account "ml" {
}

train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  replicas              = 2
  image                 = "us-docker.pkg.dev/${var.project}/ml/torch-cuda:2.60.0"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
  train_loop_config     = { lr = 1e-5, epochs = 1 }
  storage_path          = "gs://${bucket.data.name}/runs"
  service_account       = service_account.ml
  parallelism {
    strategy = "fsdp2"
    axis "replica" {
      size = nodes.h100.node_count - 1
    }
    axis "shard" {
      size  = nodes.h100.gpus_per_node
      shard = true
    }
  }
  head {
    nodes = nodes.heads
  }
  worker {
    shm_size = "64Gi" # NCCL and data loaders exchange through it
  }
}

serve "chat" {
  nodes           = nodes.h100
  runtime         = "ray"
  image           = "us-docker.pkg.dev/${var.project}/ml/ray-llm:2.60.0"
  service_account = service_account.ml
  model "qwen3-32b" {
    source               = "Qwen/Qwen3-32B"
    replicas             = 2 # both on one node
    tensor_parallel_size = 4
    max_model_len        = 8192
  }
  secret_env = {
    HF_TOKEN = secret.hf.hf_api_token
  }
  head {
    nodes = nodes.heads
  }
  worker {
    shm_size = "64Gi"
  }
}

output "endpoint" {
  value = serve.chat.url
}
