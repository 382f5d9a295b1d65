stack "fleet" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}
cluster "gpu" {
  project  = "demo"
  location = "us-central1"
  version  = "1.35"
  additional_networks = {
    rail0 = { network = "rail0", subnetwork = "rail0-sub" }
  }
}
nodes "mega" {
  cluster      = cluster.gpu
  zone         = "us-central1-a"
  machine_type = "a3-megagpu-8g"
  node_count   = 4
  networks     = ["rail0"]

  gpu_driver_version = "latest"
  capacity "reservation" {
    name       = "r"
    node_count = 2
  }
  capacity "spot" {}
  taint "team" {
    value = "a"
  }
}
nodes "h200" {
  cluster      = cluster.gpu
  zone         = "us-central1-b"
  machine_type = "a3-ultragpu-8g"
  node_count   = 2
  dranet       = "all"
  capacity "flex_start" {
    max_run_duration = "2h"
  }
}
nodes "gb200" {
  cluster      = cluster.gpu
  zone         = "us-central1-a"
  machine_type = "a4x-highgpu-4g"
  node_count   = 20

  gpu_driver_version = "disabled"
  capacity "reservation" {
    name    = "r"
    project = "shared"
    block   = "b1"
  }
}
nodes "cpu" {
  cluster      = cluster.gpu
  zone         = "us-central1-a"
  machine_type = "c4d-standard-32"
  autoscale {
    max_nodes = 4
  }
}
ray_cluster "lab" {
  image = "i:1"
  group "mega" {
    nodes    = nodes.mega
    replicas = 4
  }
  group "h200" {
    nodes    = nodes.h200
    replicas = 2
  }
  group "gb200" {
    nodes    = nodes.gb200
    replicas = 20
  }
  group "cpu" {
    nodes    = nodes.cpu
    replicas = 2
    worker {
      cpu    = 8
      memory = "16Gi"
    }
  }
}
