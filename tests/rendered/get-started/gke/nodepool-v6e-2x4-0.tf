# slice.v6e of stack get-started: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "v6e_2x4_0" {
  name           = "v6e-2x4-0"
  cluster        = google_container_cluster.tpu.name
  project        = google_container_cluster.tpu.project
  location       = google_container_cluster.tpu.location
  node_locations = ["us-east5-b"]
  node_count     = 1

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  node_config {
    machine_type = "ct6e-standard-8t"
    disk_type    = "hyperdisk-balanced"
    spot         = true
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
