# bucket.runs of stack multislice: written by sliceform; edit the stack, not this file
data "google_project" "runs_trainer_legacybucketreader" {
  project_id = "demo"
}

resource "google_storage_bucket_iam_member" "runs_trainer_legacybucketreader" {
  bucket = "demo-multislice"
  role   = "roles/storage.legacyBucketReader"
  member = "principal://iam.googleapis.com/projects/${data.google_project.runs_trainer_legacybucketreader.number}/locations/global/workloadIdentityPools/demo.svc.id.goog/subject/ns/ml/sa/trainer"
}
