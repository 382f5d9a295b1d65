# Two 4x4 v6e slices: one trains with PyTorch, one worker per device; the other serves a model of experts.
# `sliceform plan stacks/park.stack.hcl` shows what this becomes; park.vars.hcl beside it sets the project.

stack "park" {
  required_version = ">= 0.1"
  ray_version      = "2.60.0"
  kuberay_version  = "1.6.2"
  namespace        = "ml"
  create_namespace = true
  deploy "directory" {
    path = "rendered" # the stack's own folder below it: rendered/park
  }
}

variable "project" {
  type        = string
  description = "Google Cloud project that owns the cluster"
}

cluster "tpu" {
  project  = var.project
  location = "us-east5"
  version  = "1.35"
  manage   = true # this stack creates it; false (the default): it exists
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4" # 16 chips on 4 hosts: derived, never written twice
  num_slices  = 2     # one to train, one to serve
  capacity "reservation" {
    name = "ml-v6e"
  }
}

bucket "data" {
  name = "${var.project}-park"
}

secret "hf" {
  keys = ["hf_api_token"] # a Kubernetes Secret that exists; values never enter a stack
}

service_account "trainer" {}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "us-docker.pkg.dev/${var.project}/ml/torch-tpu:2.60.0"
  service_account       = service_account.trainer
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker" # the Ray Train driver is generated
  train_loop_config     = { lr = 1e-5, epochs = 1 }
  storage_path          = "gs://${bucket.data.name}/runs"
  parallelism {
    strategy = "fsdp2"
    axis "data" {
      size  = 4
      shard = true
    }
    axis "tensor" {
      size = 4 # 4 x 4 = 16 workers, one device each
    }
  }
  failure {
    max_failures = 3
  }
  mount "data" {
    bucket = bucket.data # at /data, through GCS FUSE
  }
}

serve "chat" {
  slice   = slice.v6e
  runtime = "ray"
  image   = "us-docker.pkg.dev/${var.project}/ml/ray-llm-tpu:2.60.0"
  model "qwen3-30b-a3b" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 8192
  }
  secret_env = {
    HF_TOKEN = secret.hf.hf_api_token
  }
}

output "endpoint" {
  description = "OpenAI-compatible endpoint, inside the cluster"
  value       = serve.chat.url
}
