# slice.pod of stack tpu7x-ironwood: written by sliceform; edit the stack, not this file
resource "google_compute_resource_policy" "pod_tpu7x_4x4x4" {
  name    = "pod-tpu7x-4x4x4"
  project = "demo"
  region  = "us-central1"

  workload_policy {
    type                 = "HIGH_THROUGHPUT"
    accelerator_topology = "4x4x4"
  }
}
