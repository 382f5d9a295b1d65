# nodes.heads of stack gpu: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "heads_0" {
  name               = "heads-0"
  cluster            = "gpu"
  project            = "demo"
  location           = "us-central1"
  node_locations     = ["us-central1-a"]
  initial_node_count = 1

  autoscaling {
    min_node_count = 1
    max_node_count = 3
  }

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  node_config {
    machine_type = "e2-standard-16"
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
