# bucket.runs of stack tpu7x-ironwood: written by sliceform; edit the stack, not this file
data "google_project" "runs_trainer_objectadmin" {
  project_id = "demo"
}

resource "google_storage_bucket_iam_member" "runs_trainer_objectadmin" {
  bucket = "demo-ironwood"
  role   = "roles/storage.objectAdmin"
  member = "principal://iam.googleapis.com/projects/${data.google_project.runs_trainer_objectadmin.number}/locations/global/workloadIdentityPools/demo.svc.id.goog/subject/ns/training/sa/trainer"
}
