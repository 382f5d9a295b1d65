# expect: ok
# kserve PR#5496: the grace period covers the drain

stack "drain-within-the-grace-period" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-central1-a"
}

nodes "n" {
  cluster      = cluster.c
  machine_type = "a3-highgpu-8g"
  node_count   = 1
}

serve "llm" {
  runtime = "ray"
  nodes   = nodes.n
  image   = "registry.example/ray-llm:2.60.0"
  worker {
    termination_grace_period = "75s"
  }
  model "m" {
    source           = "meta-llama/Llama-3.1-8B-Instruct"
    max_model_len    = 4096
    shutdown_timeout = 45
  }
}
