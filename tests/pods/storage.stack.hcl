stack "storage" {
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

volume "models" {
  claim = "models-ro"
}

volume "notes" {
  size      = "100Gi"
  disk_type = "hyperdisk-balanced"
}

config_files "recipes" {
  files = {
    "dpo.yaml" = "lr: 1e-5\n"
  }
}

config_files "team" {
  name   = "team-settings"
  manage = false
}

ray_cluster "lab" {
  slice    = slice.v6e
  image    = "example.com/ray:1"
  env_from = [config_files.team]
  mount "models" {
    volume    = volume.models
    read_only = true
  }
  mount "recipes" {
    config_files = config_files.recipes
    path         = "/etc/recipes"
  }
  head {
    mount "notes" {
      volume = volume.notes
    }
  }
}
