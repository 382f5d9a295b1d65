# bucket.data of stack get-started: written by sliceform; edit the stack, not this file
resource "google_storage_bucket" "demo_get_started" {
  name                        = "demo-get-started"
  project                     = "demo"
  location                    = "us-east5"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
}
