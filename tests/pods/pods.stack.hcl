stack "pods" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
  namespace       = "ml"
}

cluster "tpu" {
  project  = "demo"
  location = "us-east5"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
}

bucket "data" {
  name = "demo-data"
}

secret "hf" {
  keys = ["hf_api_token"]
}

secret "proxy" {
  keys     = ["https_proxy"]
  optional = true
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example.com/train:1"
  image_pull_policy     = "IfNotPresent"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  storage_path          = "gs://${bucket.data.name}/runs"
  priority_class        = "research"
  env = {
    # Kubernetes expands a $(NAME) only from what stands before it: the compiler sorts.
    CACHE   = "$(SCRATCH)/cache"
    SCRATCH = "/scratch/$(POD)"
    WITNESS = "$$(POD)"
  }
  field_env = {
    POD = "metadata.name"
  }
  env_from = [secret.proxy]

  mount "data" {
    bucket = bucket.data
    cache  = "memory"
  }
  mount "scratch" {
    empty_dir = {
      medium = "disk"
      size   = "100Gi"
    }
  }

  # In every pod, before the main container.
  init_container "fetch" {
    image   = "example.com/fetch:1"
    command = ["fetch", "--into", "/scratch/base"]
    cpu     = 1
    memory  = "2Gi"
    secret_env = {
      HF_TOKEN = secret.hf.hf_api_token
    }
    mount "scratch" {}
  }

  # In every pod, beside the main container.
  container "metrics" {
    image    = "example.com/node-exporter:1"
    args     = ["--path.rootfs=/host"]
    cpu      = "100m"
    memory   = "128Mi"
    requests = { cpu = "50m" }
    ports    = { metrics = 9100 }
    mount "host" {
      host_path = "/"
      read_only = true
    }
  }

  head {
    field_env = {
      HEAD_IP = "status.podIP"
    }
  }

  worker {
    privileged   = true
    host_network = true
    shm_size     = "32Gi"
    tolerations = [
      { key = "team", value = "research", effect = "no_schedule" },
      { key = "maintenance", effect = "no_execute", toleration_seconds = 600 },
    ]
    env = {
      ENABLE_PJRT_COMPATIBILITY = "false"
      A_NODE_URL                = "http://$(NODE_IP):9100"
    }
    # Takes the place of the workload's: this one stays beside the main container.
    init_container "fetch" {
      command      = ["fetch", "--follow"]
      keep_running = true
      mount "scratch" {
        path      = "/into"
        read_only = false
      }
    }
  }
}
