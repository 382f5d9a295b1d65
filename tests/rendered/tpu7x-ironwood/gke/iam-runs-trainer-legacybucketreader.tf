# bucket.runs of stack tpu7x-ironwood: written by sliceform; edit the stack, not this file
data "google_project" "runs_trainer_legacybucketreader" {
  project_id = "demo"
}

resource "google_storage_bucket_iam_member" "runs_trainer_legacybucketreader" {
  bucket = "demo-ironwood"
  role   = "roles/storage.legacyBucketReader"
  member = "principal://iam.googleapis.com/projects/${data.google_project.runs_trainer_legacybucketreader.number}/locations/global/workloadIdentityPools/demo.svc.id.goog/subject/ns/training/sa/trainer"
}
