# nodes.h100 of stack gpu: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "h100_1" {
  name               = "h100-1"
  cluster            = "gpu"
  project            = "demo"
  location           = "us-central1"
  node_locations     = ["us-central1-a"]
  initial_node_count = 0

  autoscaling {
    min_node_count  = 0
    max_node_count  = 3
    location_policy = "ANY"
  }

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  node_config {
    machine_type = "a3-highgpu-8g"
    disk_type    = "pd-balanced"
    spot         = true
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]

    guest_accelerator {
      type  = "nvidia-h100-80gb"
      count = 8

      gpu_driver_installation_config {
        gpu_driver_version = "LATEST"
      }
    }

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
