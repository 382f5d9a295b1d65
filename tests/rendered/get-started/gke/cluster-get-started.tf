# cluster.tpu of stack get-started: written by sliceform; edit the stack, not this file
resource "google_container_cluster" "tpu" {
  name                = "get-started"
  project             = "demo"
  location            = "us-east5"
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

    gcs_fuse_csi_driver_config {
      enabled = true
    }
  }
}
