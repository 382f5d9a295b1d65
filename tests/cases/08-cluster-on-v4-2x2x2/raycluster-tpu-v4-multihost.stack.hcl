# A Ray cluster on the two hosts of a v4 2x2x2.
stack "raycluster-tpu-v4-multihost" {
  ray_version     = "2.52.0"
  kuberay_version = "1.6.2"
}

cluster "tpu" {
  project  = "demo"
  location = "us-central2-b"
}

slice "tpu-group" {
  cluster     = cluster.tpu
  accelerator = "v4"
  topology    = "2x2x2"
  provision   = "existing"
}

ray_cluster "raycluster-tpu-v4-multihost" {
  slice             = slice.tpu-group
  image             = "rayproject/ray:2.52.0-py310"
  image_pull_policy = "IfNotPresent"
  head {
    cpu               = 8
    memory            = "40G"
    ephemeral_storage = "20Gi"
    requests          = { ephemeral-storage = "10Gi" }
    env = {
      RAY_memory_monitor_refresh_ms = 0
      RAY_GRAFANA_IFRAME_HOST       = "http://grafana.example"
      RAY_GRAFANA_HOST              = "http://grafana:80"
      RAY_PROMETHEUS_HOST           = "http://frontend:9090"
    }
  }
  worker {
    cpu               = 1
    memory            = "40G"
    ephemeral_storage = "20Gi"
    requests          = { ephemeral-storage = "10Gi" }
  }
}
