# bucket.runs of stack sweep: written by sliceform; edit the stack, not this file
data "google_project" "runs_research_legacybucketreader" {
  project_id = "example-research"
}

resource "google_storage_bucket_iam_member" "runs_research_legacybucketreader" {
  bucket = "example-research-runs"
  role   = "roles/storage.legacyBucketReader"
  member = "principal://iam.googleapis.com/projects/${data.google_project.runs_research_legacybucketreader.number}/locations/global/workloadIdentityPools/example-research.svc.id.goog/subject/ns/research/sa/research"
}
