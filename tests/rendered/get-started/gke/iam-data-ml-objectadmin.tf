# bucket.data of stack get-started: written by sliceform; edit the stack, not this file
data "google_project" "data_ml_objectadmin" {
  project_id = "demo"
}

resource "google_storage_bucket_iam_member" "data_ml_objectadmin" {
  bucket = google_storage_bucket.demo_get_started.name
  role   = "roles/storage.objectAdmin"
  member = "principal://iam.googleapis.com/projects/${data.google_project.data_ml_objectadmin.number}/locations/global/workloadIdentityPools/demo.svc.id.goog/subject/ns/ml/sa/ml"
}
