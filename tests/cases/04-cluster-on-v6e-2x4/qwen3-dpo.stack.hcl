# A Ray cluster for interactive training, on one host of a v6e 2x4.
stack "qwen3-dpo" {
  ray_version     = "2.56.0"
  kuberay_version = "1.6.2"
}

cluster "tpu" {
  project  = "demo"
  location = "us-east5-b"
}

slice "tpu-group" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8
  provision      = "existing"
}

service_account "ray" {
  manage = false
}

bucket "data" {
  name = "demo-data"
}

secret "wandb-api-key" {
  keys     = ["key"]
  optional = true
}

ray_cluster "qwen3-dpo" {
  slice             = slice.tpu-group
  image             = "us-docker.pkg.dev/demo/ml/train:1"
  image_pull_policy = "IfNotPresent"
  service_account   = service_account.ray
  mount "data" {
    bucket = bucket.data
  }
  head {
    cpu    = 8
    memory = "32Gi"
    env = {
      RAY_PROMETHEUS_HOST     = "http://prometheus-stack-kube-prom-prometheus.prometheus-system.svc:9090"
      RAY_GRAFANA_HOST        = "http://prometheus-stack-grafana.prometheus-system.svc:80"
      RAY_PROMETHEUS_NAME     = "Prometheus"
      RAY_GRAFANA_IFRAME_HOST = "http://localhost:3000"
    }
  }
  worker {
    cpu    = 24
    memory = "200Gi"
    secret_env = {
      WANDB_API_KEY = secret.wandb-api-key.key
    }
  }
}
