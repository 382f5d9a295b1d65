//! What compiling costs, stage by stage and by size: `cargo bench`. Ratios are what counts; no test depends on a time.
#![expect(clippy::unwrap_used, reason = "a benchmark may")]

use std::fmt::Write as _;
use std::path::Path;

use sliceform::base::span::SourceMap;
use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::parse;
use sliceform::plan::prior::Prior;
use sliceform::plan::steps::{self, Goal};
use sliceform::world::memory::Memory;

fn main() {
    divan::main();
}

const PARK: &str = include_str!("../stacks/park.stack.hcl");
const PARK_VARS: &str = include_str!("../stacks/park.vars.hcl");

/// The park stack with so many training jobs, written one by one, that take turns on its slice.
fn stack(jobs: usize) -> String {
    let (before, rest) = PARK.split_once("train \"dpo\" {").unwrap();
    let (train, after) = rest.split_once("\n}\n").unwrap();
    let mut text = before.replace("num_slices  = 2 ", "share = true\n  num_slices  = 2 ");
    for job in 0..jobs {
        write!(text, "train \"dpo{job}\" {{{train}\n}}\n").unwrap();
    }
    text + after
}

fn disk(jobs: usize) -> Memory {
    Memory::with(&[("park.stack.hcl", &stack(jobs)), ("park.vars.hcl", PARK_VARS)])
}

fn compile(files: &Memory) -> pipeline::Compiled {
    let compiled = pipeline::compile(files, Path::new("park.stack.hcl"), &Values::default(), false);
    assert!(!compiled.diags.has_errors());
    compiled
}

const SIZES: &[usize] = &[1, 10, 100, 1000];

#[divan::bench(args = SIZES)]
fn parse_only(bencher: divan::Bencher<'_, '_>, jobs: usize) {
    let text = stack(jobs);
    bencher.bench(|| {
        let mut map = SourceMap::default();
        parse::parse(map.add("park.stack.hcl", text.as_str()), &text)
    });
}

#[divan::bench(args = SIZES)]
fn parse_resolve_check_lower_emit_check(bencher: divan::Bencher<'_, '_>, jobs: usize) {
    let files = disk(jobs);
    bencher.bench_local(|| compile(&files));
}

#[divan::bench(args = SIZES)]
fn plan_of_a_new_directory(bencher: divan::Bencher<'_, '_>, jobs: usize) {
    let manifests = compile(&disk(jobs)).manifests;
    bencher.bench(|| steps::plan(&Goal::new("park", "rendered/park".to_owned(), manifests.clone()), &Prior::default()));
}
