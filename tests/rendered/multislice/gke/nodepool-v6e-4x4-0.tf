# slice.v6e of stack multislice: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "v6e_4x4_0" {
  name              = "v6e-4x4-0"
  cluster           = "multislice"
  project           = "demo"
  location          = "us-east5"
  node_locations    = ["us-east5-b"]
  node_count        = 4
  max_pods_per_node = 15

  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  node_config {
    machine_type = "ct6e-standard-4t"
    disk_type    = "hyperdisk-balanced"
    spot         = true
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
