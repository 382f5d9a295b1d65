# The same training at two learning rates, each on an H100 node of its own. A node is spot capacity first, on demand else.
stack "sweep" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
  namespace       = "research"
}

locals {
  rates = { slow = 1e-5, fast = 3e-5 }
}

cluster "gpu" {
  project  = "example-research"
  location = "us-central1-a"
  version  = "1.35"
}

nodes "h100" {
  cluster      = cluster.gpu
  zone         = "us-central1-a"
  machine_type = "a3-highgpu-8g"
  node_count   = length(local.rates)
  capacity "spot" {
  }
}

service_account "research" {
}

bucket "runs" {
  name = "example-research-runs"
}

train "tune" {
  for_each              = local.rates
  framework             = "pytorch"
  nodes                 = nodes.h100
  image                 = "us-docker.pkg.dev/example-research/ml/torch:2.60.0"
  train_loop_per_worker = "recipes.tune:train_loop_per_worker"
  train_loop_config     = { lr = each.value, epochs = 1 }
  service_account       = service_account.research
  storage_path          = "gs://${bucket.runs.name}/${each.key}"
  deadline              = "24h"
  failure {
    max_failures = 3
  }
}
