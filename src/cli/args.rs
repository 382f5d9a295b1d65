//! The command line: commands, options, and the words of `--help`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::base::addr::Addr;
use crate::cli::source::Values;
use crate::cli::upgrade::pins::Pin;
use crate::facts::version::Version;
use crate::facts::vllm::Backend;

/// Terraform for TPU and GPU slices: checks a stack against what GKE, KubeRay, Ray and vLLM accept, writes their manifests, and plans what an apply would change.
#[derive(Debug, Parser)]
#[command(name = "sliceform", version, disable_help_subcommand = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done or no difference, 1 error, 2 changes and 3 destroying changes (with --detailed-exitcode), 4 stale or damaged plan or held lock, 64 wrong command line."
)]
pub struct Cli {
    /// When to colour the output: auto, always or never. NO_COLOR turns it off too.
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true, value_name = "WHEN", hide_possible_values = true)]
    pub color: Color,
    /// Work as if started in this folder: paths, and the files of the stack, are relative to it.
    #[arg(long, global = true, value_name = "DIR")]
    pub chdir: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check stacks: all problems at once, each with its place, the reason and the fix.
    Validate(ValidateArgs),
    /// Print the manifests of a stack, without writing anything.
    Render(StackArgs),
    /// Show what an apply would change, restart or replace.
    Plan(PlanArgs),
    /// Write the manifests to the stack's directory, after showing the plan and asking; or carry out a saved plan.
    Apply(ApplyArgs),
    /// Remove the stack's manifests from its directory, after showing the plan and asking.
    Destroy(ChangeArgs),
    /// Show what is in the stack's directory, and whether it is as Sliceform wrote it; or show a saved plan.
    Show(ShowArgs),
    /// Tell what another version of Ray, KubeRay, vLLM or GKE would mean: rules that open and close, and what the manifests would change. Nothing is written.
    Upgrade(UpgradeArgs),
    /// Explain a rule, what became of a block and why, or a fact: an accelerator, a model, an engine argument, a release.
    Explain(ExplainArgs),
    /// List the facts that stacks are checked against, with their sources.
    Catalog(CatalogArgs),
    /// Print the version.
    Version(FormatArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// When standard output is a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to write the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// For programs: described by a schema in `schemas/`.
    Json,
}

/// How to write problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProblemFormat {
    /// For people.
    Human,
    /// For programs: described by a schema in `schemas/`.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
}

/// How to write a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    /// For people.
    Human,
    /// For programs: described by a schema in `schemas/`.
    Json,
    /// For a comment on a pull request.
    Markdown,
}

/// The format of a plan.
#[derive(Clone, Copy, Debug, Args)]
pub struct PlanFormatArgs {
    /// How to write the result: human, json or markdown (a comment on a pull request).
    #[arg(long, value_enum, default_value_t = PlanFormat::Human, hide_possible_values = true)]
    format: PlanFormat,
    /// The same as --format json.
    #[arg(long)]
    json: bool,
}

impl PlanFormatArgs {
    /// The format asked for.
    pub fn format(self) -> PlanFormat {
        if self.json { PlanFormat::Json } else { self.format }
    }

    /// How to write what is no plan: an error, or what is in a directory.
    fn otherwise(self) -> FormatArgs {
        FormatArgs { format: Format::Human, json: self.format() == PlanFormat::Json }
    }
}

/// One stack, its variables, and the format of its plan.
#[derive(Debug, Args)]
pub struct PlannedArgs {
    /// A stack file, or a folder with one; the working directory by default. For show: or a saved plan.
    path: Option<PathBuf>,
    /// Values for variables.
    #[command(flatten)]
    vars: VarArgs,
    /// The format.
    #[command(flatten)]
    pub format: PlanFormatArgs,
}

impl PlannedArgs {
    /// The stack without the format of its plan.
    pub fn stack(&self) -> StackArgs {
        StackArgs { path: self.path.clone(), vars: self.vars.clone(), format: self.format.otherwise() }
    }
}

/// The format of problems.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProblemFormatArgs {
    /// How to write the result: human, json, sarif (2.1.0) or github (annotations of a workflow).
    #[arg(long, value_enum, default_value_t = ProblemFormat::Human, hide_possible_values = true)]
    format: ProblemFormat,
    /// The same as --format json.
    #[arg(long)]
    json: bool,
}

impl ProblemFormatArgs {
    /// The format asked for.
    pub fn format(self) -> ProblemFormat {
        if self.json { ProblemFormat::Json } else { self.format }
    }
}

/// The output's format.
#[derive(Clone, Copy, Debug, Args)]
pub struct FormatArgs {
    /// How to write the result: human or json.
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    format: Format,
    /// The same as --format json.
    #[arg(long)]
    json: bool,
}

impl FormatArgs {
    /// The format asked for.
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// The environment, and values for variables.
#[derive(Clone, Debug, Args)]
pub struct VarArgs {
    /// The environment, where the stack has several: the ENV of a file NAME.ENV.vars.hcl.
    #[arg(long)]
    pub env: Option<String>,
    /// Set a variable; wins over every file and SLICEFORM_VAR_NAME.
    #[arg(long = "var", value_name = "NAME=VALUE")]
    vars: Vec<String>,
    /// Read values from a file; wins over NAME.vars.hcl, NAME.ENV.vars.hcl and SLICEFORM_VAR_NAME.
    #[arg(long = "var-file", value_name = "FILE")]
    var_files: Vec<PathBuf>,
}

impl VarArgs {
    /// What a saved plan was made with.
    pub fn of_plan(env: Option<String>, vars: Vec<String>, var_files: Vec<PathBuf>) -> Self {
        Self { env, vars, var_files }
    }

    /// `--var NAME=VALUE`, in order.
    pub fn vars(&self) -> &[String] {
        &self.vars
    }

    /// `--var-file FILE`, in order.
    pub fn var_files(&self) -> &[PathBuf] {
        &self.var_files
    }

    /// An option that a saved plan has said already.
    pub fn fixed_by_a_plan(&self) -> Option<&'static str> {
        if self.env.is_some() { Some("--env") } else { (!self.var_files.is_empty()).then_some("--var-file") }
    }

    /// Together with those of the environment.
    pub fn values(&self, environment: &[(String, String)]) -> Values {
        Values {
            vars: self.vars.clone(),
            var_files: self.var_files.clone(),
            environment: environment.to_vec(),
            env: None,
            pins: Vec::new(),
        }
    }
}

/// One stack, its variables and the format.
#[derive(Debug, Args)]
pub struct StackArgs {
    /// A stack file, or a folder with one; the working directory by default. For apply: or a saved plan.
    pub path: Option<PathBuf>,
    /// Values for variables.
    #[command(flatten)]
    pub vars: VarArgs,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Stack files, or folders to walk for them; the working directory by default.
    pub paths: Vec<PathBuf>,
    /// Treat warnings as errors.
    #[arg(long)]
    pub strict: bool,
    /// Mend the stacks where a problem has one answer only, then check again.
    #[arg(long)]
    pub fix: bool,
    /// With --fix: show the edits as a diff, and write nothing.
    #[arg(long, requires = "fix")]
    pub dry_run: bool,
    /// Pass over the problems that this file knows: those that an old repository has already.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// With --baseline: write the file, so that it knows the problems of today.
    #[arg(long, requires = "baseline", conflicts_with = "fix")]
    pub update_baseline: bool,
    /// Values for variables.
    #[command(flatten)]
    pub vars: VarArgs,
    /// The format.
    #[command(flatten)]
    pub format: ProblemFormatArgs,
}

/// The blocks that a command is for.
#[derive(Debug, Args)]
pub struct PartArgs {
    /// The blocks; none: the whole stack.
    #[arg(
        long = "target",
        value_name = "ADDR",
        help = "Only this block and what it needs (destroy: what needs it): TYPE.NAME, or TYPE.NAME[\"key\"]. May be given several times."
    )]
    pub targets: Vec<Addr>,
}

/// The blocks that shall be replaced.
#[derive(Debug, Args)]
pub struct ReplaceArgs {
    /// Make the objects of this block anew, though nothing of them changed; the plan says with which command. May be given several times.
    #[arg(long = "replace", value_name = "ADDR")]
    pub replaces: Vec<Addr>,
}

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: PlannedArgs,
    /// Exit with 2 where there are changes, and 3 where something is destroyed or replaced.
    #[arg(long)]
    pub detailed_exitcode: bool,
    /// Show new objects in full, and every line of long values.
    #[arg(long)]
    pub full: bool,
    /// Plan to remove everything, as destroy does.
    #[arg(long, conflicts_with = "replaces")]
    pub destroy: bool,
    /// The part of the stack.
    #[command(flatten)]
    pub part: PartArgs,
    /// What to replace.
    #[command(flatten)]
    pub replacement: ReplaceArgs,
    /// Save the plan to a file, for apply and show.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The stack, or the plan.
    #[command(flatten)]
    pub stack: PlannedArgs,
    /// For a saved plan: show new objects in full, and every line of long values.
    #[arg(long)]
    pub full: bool,
}

/// Arguments of `upgrade`.
#[derive(Debug, Args)]
pub struct UpgradeArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// The version: of ray, kuberay, vllm or gke. May be given several times.
    #[arg(long, value_name = "PROJECT=VERSION", required = true)]
    pub to: Vec<Pin>,
    /// Show new objects in full, and every line of long values.
    #[arg(long)]
    pub full: bool,
}

/// Arguments of `apply`.
#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// What `destroy` takes too.
    #[command(flatten)]
    pub change: ChangeArgs,
    /// What to replace.
    #[command(flatten)]
    pub replacement: ReplaceArgs,
}

/// Arguments of `apply` and `destroy`.
#[derive(Debug, Args)]
pub struct ChangeArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// The part of the stack.
    #[command(flatten)]
    pub part: PartArgs,
    /// Whether to ask.
    #[command(flatten)]
    pub approval: Approval,
}

/// What is approved without asking.
#[derive(Debug, Args)]
pub struct Approval {
    /// Do not ask. With a list (of create, update, replace, destroy), refuse a plan that does anything else.
    #[arg(long, value_name = "ACTIONS", num_args = 0..=1, require_equals = true, value_delimiter = ',',
          default_missing_value = "create,update,replace,destroy",
          value_parser = ["create", "update", "replace", "destroy"], hide_possible_values = true)]
    auto_approve: Option<Vec<String>>,
}

impl Approval {
    /// Whether a person must be asked.
    pub fn asks(&self) -> bool {
        self.auto_approve.is_none()
    }

    /// The actions that are approved.
    pub fn list(&self) -> Option<&[String]> {
        self.auto_approve.as_deref()
    }
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A rule's name, the address of a block, or a fact: `torch-multi-slice`, `train.dpo`, `v6e`, `a3-highgpu-8g`, `Qwen/Qwen3-8B`, `max_model_len`, `ray=2.60`.
    #[arg(required_unless_present = "all")]
    pub subject: Option<String>,
    /// All rules.
    #[arg(long, conflicts_with = "subject")]
    pub all: bool,
    /// For an address: the stack file, or a folder with one; the working directory by default.
    pub path: Option<PathBuf>,
    /// Values for variables.
    #[command(flatten)]
    pub vars: VarArgs,
}

/// Arguments of `catalog`.
#[derive(Debug, Args)]
pub struct CatalogArgs {
    /// What to list.
    #[arg(value_enum)]
    pub table: CatalogTable,
    /// Only rows that contain this text, such as a generation: `catalog topologies v6e`. For explain: the name.
    pub filter: Option<String>,
    /// For flags: those of one vLLM: gpu, tpu_inference or torchtpu (of the newest that was read, or of --version).
    #[arg(long, value_enum, hide_possible_values = true)]
    pub backend: Option<VllmOf>,
    /// For flags: those of this vLLM.
    #[arg(long = "version", value_name = "VERSION")]
    pub vllm_version: Option<Version>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The tables of `catalog`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CatalogTable {
    /// TPU generations.
    Accelerators,
    /// Topologies of each generation, with chips, hosts and machine type.
    Topologies,
    /// GPUs, with the machines that have them.
    Gpus,
    /// Machine types of TPUs, of GPUs and of CPUs alone.
    Machines,
    /// Which disks machines boot from, and which volumes they take.
    Disks,
    /// Zones that sell each generation and each GPU, with the date at which they were read.
    Zones,
    /// Where sources disagree, and what is used.
    Conflicts,
    /// Models whose dimensions are known.
    Models,
    /// Versions of GKE, Ray, KubeRay and vLLM that are known.
    Versions,
    /// Engine arguments of vLLM; with --backend and --version those of one release, with choices and defaults.
    Flags,
    /// What a TPU's name means to GKE, Ray, xpk and Cluster Toolkit: `catalog explain v6e-8`.
    Explain,
}

/// A back end of vLLM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VllmOf {
    /// vLLM on GPUs.
    Gpu,
    /// vLLM on TPUs through JAX.
    #[value(name = "tpu_inference", alias = "tpu-inference")]
    TpuInference,
    /// vLLM on TPUs through PyTorch.
    #[value(name = "torchtpu")]
    TorchTpu,
}

impl VllmOf {
    /// The same in the tables.
    pub fn backend(self) -> Backend {
        match self {
            Self::Gpu => Backend::Gpu,
            Self::TpuInference => Backend::TpuInference,
            Self::TorchTpu => Backend::TorchTpu,
        }
    }
}
