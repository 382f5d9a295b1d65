# A JAX program on a v6e 4x4, which a queue of the cluster admits when flex-start lends them.
stack "rayjob-tpu-v6e-dws" {
  ray_version     = "2.53.0"
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
}

config_files "jax-train-script" {
  manage = false
}

train "rayjob-tpu-v6e-dws" {
  framework   = "jax"
  slice       = slice.tpu-group
  image       = "rayproject/ray:2.53.0-py311"
  entrypoint  = "python /app/train.py"
  labels      = { "kueue.x-k8s.io/queue-name" = "user-queue" }
  annotations = { "kueue.x-k8s.io/elastic-job" = "true" }
  runtime_env {
    pip = ["jax[tpu]==0.8.2", "pandas==2.3.3"]
  }
  mount "app" {
    config_files = config_files.jax-train-script
  }
  head {
    cpu           = 2
    memory        = "4Gi"
    node_selector = { "cloud.google.com/gke-nodepool" = "default-pool" }
  }
  worker {
    cpu    = 8
    memory = "16Gi"
    tolerations = [
      { key = "google.com/tpu", operator = "exists", effect = "no_schedule" },
      { key = "cloud.google.com/gke-queued", operator = "exists", effect = "no_schedule" },
    ]
  }
}
