# A JAX program on one v6e 4x4, with a driver of its own.
stack "v6e-16-job" {
  ray_version     = "2.43.0"
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

train "v6e-16-job" {
  framework  = "jax"
  slice      = slice.tpu-group
  image      = "rayproject/ray:2.43.0-py310"
  entrypoint = "python ai-ml/gke-ray/tpu/tpu_list_devices.py"
  runtime_env {
    working_dir = "https://github.com/GoogleCloudPlatform/kubernetes-engine-samples/archive/refs/heads/main.zip"
    pip         = ["jax[tpu]==0.4.33", "-f https://storage.googleapis.com/jax-releases/libtpu_releases.html"]
  }
  head {
    cpu    = 8
    memory = "40G"
  }
  worker {
    cpu    = 24
    memory = "200G"
  }
}
