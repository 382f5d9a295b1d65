# bucket.runs of stack sweep: written by sliceform; edit the stack, not this file
data "google_project" "runs_research_objectadmin" {
  project_id = "example-research"
}

resource "google_storage_bucket_iam_member" "runs_research_objectadmin" {
  bucket = "example-research-runs"
  role   = "roles/storage.objectAdmin"
  member = "principal://iam.googleapis.com/projects/${data.google_project.runs_research_objectadmin.number}/locations/global/workloadIdentityPools/example-research.svc.id.goog/subject/ns/research/sa/research"
}
