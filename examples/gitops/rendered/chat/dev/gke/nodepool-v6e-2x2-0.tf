# slice.v6e of stack chat: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "v6e_2x2_0" {
  name           = "v6e-2x2-0"
  cluster        = "tpu"
  project        = "example-dev"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 1

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  node_config {
    machine_type = "ct6e-standard-4t"
    disk_type    = "hyperdisk-balanced"
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]

    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["chat-dev"]
    }

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
