# slice.pod of stack tpu7x-ironwood: written by sliceform; edit the stack, not this file
resource "google_container_node_pool" "pod_tpu7x_4x4x4_0" {
  name              = "pod-tpu7x-4x4x4-0"
  cluster           = google_container_cluster.ironwood.name
  project           = google_container_cluster.ironwood.project
  location          = google_container_cluster.ironwood.location
  node_locations    = ["us-central1-c"]
  node_count        = 16
  max_pods_per_node = 15

  placement_policy {
    type        = ""
    policy_name = google_compute_resource_policy.pod_tpu7x_4x4x4.name
  }

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type = "tpu7x-standard-4t"
    disk_type    = "hyperdisk-balanced"
    disk_size_gb = 200
    oauth_scopes = ["https://www.googleapis.com/auth/cloud-platform"]
    labels = {
      "cloud.google.com/gke-networking-dra-driver" = "true"
    }

    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["ironwood-2026"]
    }

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
}
