# A Ray Serve application with code of its own, on one host of a v6e 2x4.
stack "qwen3-serve" {
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

config_files "qwen3-serve-code" {
  manage = false
}

serve "qwen3-serve" {
  runtime           = "ray"
  slice             = slice.tpu-group
  image             = "us-docker.pkg.dev/demo/ml/serve:1"
  image_pull_policy = "IfNotPresent"
  service_account   = service_account.ray
  application "llm" {
    import_path = "serve_qwen3_tpu:deployment"
    runtime_env {
      env_vars = {
        PYTHONPATH           = "/home/ray/app"
        MODEL_ID             = "Qwen/Qwen3-4B-Instruct-2507"
        ACCELERATOR_TYPE     = slice.tpu-group.ray_accelerator_type
        TPU_TOPOLOGY         = "2x4"
        TENSOR_PARALLEL_SIZE = slice.tpu-group.devices
        VLLM_XLA_CACHE_PATH  = "/tmp/vllm_xla_cache"
      }
    }
  }
  env = {
    RAY_SERVE_ENABLE_HA_PROXY             = 1
    RAY_SERVE_THROUGHPUT_OPTIMIZED        = 1
    RAY_SERVE_LLM_ENABLE_DIRECT_STREAMING = 1
    VLLM_USE_RAY_V2_EXECUTOR_BACKEND      = 1
  }
  mount "app-code" {
    config_files = config_files.qwen3-serve-code
    path         = "/home/ray/app"
  }
  head {
    cpu    = 4
    memory = "16Gi"
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
  }
}
