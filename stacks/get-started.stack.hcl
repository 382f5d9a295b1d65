# One single-host v6e slice on a new GKE cluster, shared in turn by data preparation, JAX DPO training and an endpoint: the
# smallest bill with which all three can be tried. Enable one workload at a time with `run`; the slice is paid for once.
stack "get-started" {
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

variable "run" {
  type        = string
  description = "What has the slice now: prepare, train or serve"
  default     = "prepare"
  validation {
    condition     = contains(["prepare", "train", "serve"], var.run)
    error_message = "run is prepare, train or serve."
  }
}

cluster "tpu" {
  name         = "get-started"
  project      = var.project
  location     = "us-east5"
  version      = "1.35"
  manage       = true
  ray_operator = "addon"
}

nodes "heads" {
  cluster      = cluster.tpu
  zone         = "us-east5-b"
  machine_type = "e2-standard-8"
  autoscale {
    min_nodes = 1
    max_nodes = 2
  }
}

slice "v6e" {
  cluster        = cluster.tpu
  zone           = "us-east5-b"
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8 # one host of 8 chips
  share          = true
  capacity "spot" {
  }
}

bucket "data" {
  name     = "${var.project}-get-started"
  location = "us-east5"
  manage   = true
}

secret "hf" {
  keys = ["hf_api_token"]
}

service_account "ml" {
}

ray_cluster "prepare" {
  enabled         = var.run == "prepare"
  slice           = slice.v6e
  image           = "us-docker.pkg.dev/${var.project}/ml/ray-tpu:2.60.0"
  service_account = service_account.ml
  mount "data" {
    bucket = bucket.data # at /data
  }
  head {
    nodes = nodes.heads
  }
}

train "dpo" {
  enabled               = var.run == "train"
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "us-docker.pkg.dev/${var.project}/ml/jax-tpu:2.60.0"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  train_loop_config     = { model = "Qwen/Qwen3-0.6B", preferences = "/data/preferences", epochs = 1 }
  storage_path          = "gs://${bucket.data.name}/runs"
  service_account       = service_account.ml
  parallelism {
    strategy = "fsdp2"
    axis "data" {
      size  = slice.v6e.devices
      shard = true
    }
  }
  secret_env = {
    HF_TOKEN = secret.hf.hf_api_token
  }
  mount "data" {
    bucket    = bucket.data
    read_only = true
  }
  head {
    nodes = nodes.heads
  }
}

serve "chat" {
  enabled         = var.run == "serve"
  runtime         = "ray"
  slice           = slice.v6e
  image           = "us-docker.pkg.dev/${var.project}/ml/ray-llm-tpu:2.60.0"
  service_account = service_account.ml
  model "qwen3-8b" {
    source               = "Qwen/Qwen3-8B"
    tensor_parallel_size = slice.v6e.devices
    max_model_len        = 8192
  }
  secret_env = {
    HF_TOKEN = secret.hf.hf_api_token
  }
  head {
    nodes = nodes.heads
  }
}
