# A model served on Autopilot: no node pools. The pods select generation, topology, zone and Spot capacity, and GKE makes
# the nodes for them.

stack "autopilot" {
  required_version = ">= 0.1"
  ray_version      = "2.60.0"
  kuberay_version  = "1.6.2"
  namespace        = "serving"
  create_namespace = true
  deploy "directory" {
    path = "rendered"
  }
}

variable "project" {
  type        = string
  description = "Google Cloud project that owns the cluster"
}

cluster "auto" {
  project         = var.project
  location        = "us-east5"
  mode            = "autopilot" # Google owns the nodes
  version         = "1.35"
  release_channel = "regular"
  manage          = true # this stack creates it, with the Ray operator as GKE's add-on
  private         = true # nodes without public addresses

  maintenance_exclusion "year-end" { # nothing is upgraded while everyone is away
    start_time = "2026-12-20T00:00:00Z"
    end_time   = "2027-01-05T00:00:00Z"
    scope      = "no_minor_upgrades"
  }
}

slice "v6e" {
  cluster     = cluster.auto
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "2x2" # 4 chips on one host
  num_slices  = 2     # one that serves, one for the second cluster of an upgrade
  capacity "spot" {}  # becomes a node selector: GKE then makes Spot nodes
}

secret "hf" {
  keys = ["hf_api_token"]
}

serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "us-docker.pkg.dev/${var.project}/ml/ray-llm-tpu:2.60.0"
  model "qwen3-8b" {
    source               = "Qwen/Qwen3-8B"
    tensor_parallel_size = 4
    max_model_len        = 8192
  }
  secret_env = {
    HF_TOKEN = secret.hf.hf_api_token
  }
}

output "endpoint" {
  description = "OpenAI-compatible endpoint, inside the cluster"
  value       = serve.chat.url
}
