# nodes.h100 of stack sweep: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "h100_0" {
  name           = "h100-0"
  cluster        = "gpu"
  project        = "example-research"
  location       = "us-central1-a"
  node_locations = ["us-central1-a"]
  node_count     = 2

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
        gpu_driver_version = "DEFAULT"
      }
    }

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
