# nodes.heads of stack get-started: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "heads_0" {
  name               = "heads-0"
  cluster            = google_container_cluster.tpu.name
  project            = google_container_cluster.tpu.project
  location           = google_container_cluster.tpu.location
  node_locations     = ["us-east5-b"]
  initial_node_count = 1

  autoscaling {
    min_node_count = 1
    max_node_count = 2
  }

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  node_config {
    machine_type = "e2-standard-8"
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
