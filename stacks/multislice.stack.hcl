# One JAX training run over two 4x4 v6e slices: one worker per host, eight hosts, the slices joined over the network.

stack "multislice" {
  required_version = ">= 0.1"
  ray_version      = "2.60.0"
  kuberay_version  = "1.6.2"
  namespace        = "ml"
  deploy "directory" {
    path = "rendered"
  }
}

variable "project" {
  type        = string
  description = "Google Cloud project that owns the cluster"
}

cluster "tpu" {
  name     = "multislice"
  project  = var.project
  location = "us-east5"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
  capacity "spot" {}
}

bucket "runs" {
  name = "${var.project}-multislice"
}

service_account "trainer" {}

train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e
  num_slices            = 2 # JaxTrainer may span slices; 8 workers: 2 slices x 4 hosts
  image                 = "us-docker.pkg.dev/${var.project}/ml/maxtext:2.60.0"
  service_account       = service_account.trainer
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
  train_loop_config = {
    model            = "llama3.1-8b"
    per_device_batch = 4
    steps            = 10000
  }
  storage_path = "gs://${bucket.runs.name}/runs"
  deadline     = "72h"
  checkpoint {
    num_to_keep = 3
  }
  failure {
    max_failures = 10 # spot slices come and go
  }
}

output "workers" {
  value = train.pretrain.num_workers
}
