//! `RayJob`: a job, with the cluster that comes and goes with it.

use serde_json::{Value, json};

use crate::emit::Manifest;
use crate::emit::kuberay::{API_VERSION, cluster};
use crate::emit::object::Kubernetes;
use crate::emit::target::Context;
use crate::emit::tree::Tree;
use crate::emit::yaml;
use crate::lower::intent::Intent;
use crate::lower::intent::ray::{Entrypoint, RayJob, Submission};

pub fn emit(job: &RayJob, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let body = Tree::new().with("spec", spec(job)?);
    Kubernetes { folder: "kuberay", api_version: API_VERSION, kind: "RayJob", meta: &job.meta, body }
        .manifest(intent, ctx)
}

/// `RayJob.spec`.
pub fn spec(job: &RayJob) -> Result<Tree, String> {
    let runtime_env = job.runtime_env.as_ref().map(|fields| yaml::write(&Value::Object(fields.clone()))).transpose()?;
    Ok(Tree::new()
        .with("entrypoint", entrypoint(&job.entrypoint))
        .some("runtimeEnvYAML", runtime_env)
        .with("submissionMode", submission(job.submission))
        // Always said: the default, false, leaves the slice in use after the job's end.
        .with("shutdownAfterJobFinishes", job.shutdown_after_finished)
        .some("ttlSecondsAfterFinished", job.ttl_s)
        .some("activeDeadlineSeconds", job.active_deadline_s)
        .some("preRunningDeadlineSeconds", job.pre_running_deadline_s)
        .some("backoffLimit", job.backoff_limit)
        .some("submitterConfig", job.submitter_backoff_limit.map(|limit| json!({"backoffLimit": limit})))
        .with("rayClusterSpec", cluster::spec(&job.cluster)))
}

fn submission(submission: Submission) -> &'static str {
    match submission {
        Submission::K8sJob => "K8sJobMode",
        Submission::Http => "HTTPMode",
        Submission::Sidecar => "SidecarMode",
    }
}

/// The submitter's shell reads the entry point (`KubeRay`'s job.go pastes it into a command line), and so does the
/// head's. What must reach a program whole is therefore quoted, and a line that a shell would take apart becomes the one
/// argument of a shell of its own.
fn entrypoint(entrypoint: &Entrypoint) -> String {
    match entrypoint {
        Entrypoint::Argv(words) => words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "),
        Entrypoint::Line(line) if line.contains([';', '&', '|', '<', '>', '`', '$', '(', ')', '\n']) => {
            format!("bash -c {}", quote(line))
        }
        Entrypoint::Line(line) => line.clone(),
    }
}

/// A word as a POSIX shell gives it back unchanged.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_point_reaches_its_program_whole() {
        let argv =
            |words: &[&str]| entrypoint(&Entrypoint::Argv(words.iter().map(|word| (*word).to_owned()).collect()));
        assert_eq!(argv(&["python", "/etc/train.py", "--lr=1e-5"]), "python /etc/train.py --lr=1e-5");
        assert_eq!(argv(&["echo", "a b", "$HOME", "it's", ""]), r"echo 'a b' '$HOME' 'it'\''s' ''");
        let line = |text: &str| entrypoint(&Entrypoint::Line(text.to_owned()));
        assert_eq!(line("python main.py --name 'a b'"), "python main.py --name 'a b'");
        assert_eq!(line("make && echo \"$X\" 'y'"), r#"bash -c 'make && echo "$X" '\''y'\'''"#);
    }
}
