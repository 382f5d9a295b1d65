# The smallest whole stack: one v6e host with eight chips that exists already, and a JAX run on it.

stack "one-slice" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "main" {
  project  = "demo"
  location = "us-central1"
}

slice "v6e" {
  cluster        = cluster.main
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8 # one host with 8 chips; 4 would be two hosts
  provision      = "existing"
}

train "hello" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "us-docker.pkg.dev/demo/ml/jax:2.60.0"
  train_loop_per_worker = "hello:train_loop_per_worker"
  train_loop_config     = { steps = 100 }
  storage_path          = "gs://demo-runs/hello"
  deadline              = "1h"
}
