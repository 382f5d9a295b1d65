# cluster.ironwood of stack tpu7x-ironwood: written by sliceform; edit the stack, not this file
resource "google_container_cluster" "ironwood" {
  name                = "ironwood"
  project             = "demo"
  location            = "us-central1"
  min_master_version  = "1.35"
  deletion_protection = true
  datapath_provider   = "ADVANCED_DATAPATH"
  initial_node_count  = 1

  node_config {
    machine_type = "e2-standard-16"
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }

  workload_identity_config {
    workload_pool = "demo.svc.id.goog"
  }

  addons_config {
    ray_operator_config {
      enabled = true

      ray_cluster_logging_config {
        enabled = true
      }

      ray_cluster_monitoring_config {
        enabled = true
      }
    }
  }

  master_authorized_networks_config {
    cidr_blocks {
      cidr_block = "203.0.113.0/24"
    }
  }
}
