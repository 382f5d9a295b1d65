# cluster.auto of stack autopilot: written by sliceform; edit the stack, not this file
resource "google_container_cluster" "auto" {
  name                = "auto"
  project             = "demo"
  location            = "us-east5"
  min_master_version  = "1.35"
  deletion_protection = true
  enable_autopilot    = true

  release_channel {
    channel = "REGULAR"
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

  private_cluster_config {
    enable_private_nodes = true
  }

  maintenance_policy {
    recurring_window {
      start_time = "1970-01-01T00:00:00Z"
      end_time   = "1970-01-02T00:00:00Z"
      recurrence = "FREQ=DAILY"
    }

    maintenance_exclusion {
      exclusion_name = "year-end"
      start_time     = "2026-12-20T00:00:00Z"
      end_time       = "2027-01-05T00:00:00Z"

      exclusion_options {
        scope = "NO_MINOR_UPGRADES"
      }
    }
  }
}
