//! `explain`: a rule's prose, what became of a block and why, or a fact with its source.

mod fact;

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Severity};
use crate::base::suggest::did_you_mean;
use crate::check::rules::subject::rooms::{gib, rooms, share};
use crate::check::{self, rule::Rule, rules::RULES};
use crate::cli::args::{ExplainArgs, Format};
use crate::cli::pipeline::{self, Compiled};
use crate::cli::{Exit, Outside, Report, failure, problems, source};
use crate::facts::models;
use crate::fit::shape::Shape;
use crate::fit::workers;
use crate::resolve::stack::{Block, Framework, Nodes, Serve, Slice, Stack};
use crate::view::{self, Style};

/// Runs the command.
pub fn run(args: &ExplainArgs, outside: &Outside<'_>, style: Style) -> Report {
    let Some(subject) = &args.subject else {
        let all: Vec<String> = RULES.iter().map(|rule| page(rule)).collect();
        return Report { out: all.join("\n"), err: String::new(), exit: Exit::Done };
    };
    if let Some(rule) = check::find(subject) {
        return Report { out: page(rule), err: String::new(), exit: Exit::Done };
    }
    // Names of models have dots too, and no block has their characters.
    if let Some(out) = fact::page(subject, style.width) {
        return Report { out, err: String::new(), exit: Exit::Done };
    }
    match subject.parse::<Addr>() {
        Ok(addr) => block(&addr, args, outside, style),
        Err(_) => {
            let near = did_you_mean(subject, RULES.iter().map(|rule| rule.name).chain(fact::names()));
            let diag = Diag::error("io", format!("Nothing is known by the name {subject:?}")).help(format!(
                "`explain --all` prints every rule; an address is TYPE.NAME, such as train.dpo; `catalog` lists the facts.{near}"
            ));
            failure(diag, Format::Human, style, Exit::Error)
        }
    }
}

/// A rule's page.
pub fn page(rule: &Rule) -> String {
    format!("# {}\n\n{}: {}\n\n{}\n", rule.name, rule.severity.name(), rule.summary, rule.docs.trim())
}

fn block(addr: &Addr, args: &ExplainArgs, outside: &Outside<'_>, style: Style) -> Report {
    let paths: Vec<PathBuf> = args.path.iter().cloned().collect();
    let found = source::find(outside.files, &paths);
    let found = found.and_then(|found| source::instances(outside.files, &found, args.vars.env.as_deref()));
    let found = match found {
        Ok(found) => found,
        Err(diag) => return failure(diag, Format::Human, style, Exit::Error),
    };
    let values = args.vars.values(&outside.variables);
    let mut known = Vec::new();
    for instance in &found {
        let compiled = pipeline::compile_instance(outside.files, instance, &values, false);
        let Some(stack) = &compiled.stack else { continue };
        let Some(block) = stack.blocks.get(addr) else {
            known.extend(stack.blocks.keys().map(ToString::to_string));
            continue;
        };
        if compiled.diags.has_errors() {
            return problems(&compiled.diags, &compiled.map, Format::Human, style, Exit::Error);
        }
        return Report { out: describe(stack, block, &compiled), err: String::new(), exit: Exit::Done };
    }
    let near = did_you_mean(&addr.to_string(), known.iter().map(String::as_str));
    let diag = Diag::error("reference", format!("No stack here declares {addr}"))
        .help(format!("Declared: {}.{near}", known.join(", ")));
    failure(diag, Format::Human, style, Exit::Error)
}

/// What a block became: its arithmetic, its objects, and what one should know of them.
fn describe(stack: &Stack, block: &Block, compiled: &Compiled) -> String {
    let head = block.head();
    let mut out = format!("{}  ({})\n", head.addr, view::sanitize::text(&compiled.map.position(head.span)));
    for line in arithmetic(stack, block) {
        let _ = writeln!(out, "  {line}");
    }
    let own = compiled.manifests.iter().filter(|manifest| manifest.addr == head.addr);
    let objects: Vec<String> = own
        .map(|manifest| format!("    {} {}  ({})", manifest.object.kind, manifest.object.name, manifest.path))
        .collect();
    if objects.is_empty() {
        out.push_str("  It becomes no object of its own.\n");
    } else {
        let _ = writeln!(out, "  It becomes:\n{}", objects.join("\n"));
    }
    let mut told = std::collections::BTreeSet::new();
    for diag in compiled.diags.iter().filter(|diag| diag.addr.as_ref() == Some(&head.addr)) {
        if diag.severity == Severity::Note && told.insert(diag.summary.as_str()) {
            let _ = writeln!(out, "  Note: {}", diag.summary);
        }
    }
    out
}

fn arithmetic(stack: &Stack, block: &Block) -> Vec<String> {
    let slice_of = |addr: &Option<crate::base::span::Spanned<Addr>>| {
        addr.as_ref().and_then(|addr| stack.slice(&addr.value)).and_then(Slice::shape)
    };
    match block {
        Block::Slice(slice) => slice.shape().map_or_else(Vec::new, |shape| of_slice(shape, slice.num_slices.value)),
        Block::Train(train) => match (slice_of(&train.slice), train.framework.as_ref()) {
            (Some(shape), Some(framework)) => of_train(shape, train.num_slices.value, framework.value),
            _ => Vec::new(),
        },
        Block::Serve(serve) => {
            let shape = slice_of(&serve.slice);
            let split = shape.into_iter().flat_map(|shape| of_serve(serve, shape));
            split.chain(of_memory(stack, serve)).collect()
        }
        Block::RayCluster(cluster) => cluster
            .groups
            .iter()
            .filter_map(|group| {
                if let Some(nodes) = &group.nodes {
                    return Some(format!(
                        "{} on {}, one a node",
                        view::count(group.replicas.value as usize, "worker"),
                        nodes.value
                    ));
                }
                let (slice, shape) = (group.slice.as_ref()?, slice_of(&group.slice)?);
                let slices = view::count(group.num_slices.value as usize, "slice");
                let pods = u64::from(shape.hosts) * u64::from(group.num_slices.value);
                let most = if group.autoscale.is_some() { "at most " } else { "" };
                Some(format!("{most}{slices} of {}: {} workers", slice.value, pods))
            })
            .collect(),
        Block::Model(model) => model.facts.as_ref().map_or_else(Vec::new, of_model),
        Block::Nodes(nodes) => of_nodes(nodes),
        Block::Cluster(_)
        | Block::Bucket(_)
        | Block::Volume(_)
        | Block::ConfigFiles(_)
        | Block::Manifest(_)
        | Block::Secret(_)
        | Block::ServiceAccount(_) => Vec::new(),
    }
}

fn of_slice(shape: &Shape, num_slices: u32) -> Vec<String> {
    let total = u64::from(shape.chips) * u64::from(num_slices);
    vec![
        format!(
            "{} {}: {} chips = {} hosts x {} chips ({})",
            shape.accelerator.id,
            shape.topology,
            shape.chips,
            shape.hosts,
            shape.chips_per_host,
            shape.machine_type.name
        ),
        format!("{} devices of {} GiB each", shape.devices, shape.accelerator.hbm_gib_per_device),
        format!("{} x {} chips = {total} chips", view::count(num_slices as usize, "slice"), shape.chips),
        format!("facts: {}", shape.accelerator.source),
    ]
}

fn of_nodes(nodes: &Nodes) -> Vec<String> {
    let (Some(name), count) = (&nodes.machine_type, nodes.node_count.value) else { return Vec::new() };
    let most = if nodes.autoscale.is_some() { "at most " } else { "" };
    let Some(machine) = nodes.machine else {
        return vec![format!("{most}{} of {}: no table has its size", view::count(count as usize, "node"), name.value)];
    };
    let total = |each: u32| u64::from(each) * u64::from(count);
    let mut lines = vec![format!("{}: {} CPUs, {} GB", name.value, machine.vcpu, machine.memory_gb)];
    match machine.gpus {
        Some(gpus) => {
            let hbm = gpus.hbm_gib().map_or_else(|| "a part of one".to_owned(), |gib| format!("{gib} GiB each"));
            lines.push(format!("{} x {} a node, {hbm}", gpus.count(), gpus.gpu.product));
            let nodes = view::count(count as usize, "node");
            lines.push(format!("{most}{nodes} x {} GPUs = {} GPUs", gpus.count(), total(gpus.count())));
        }
        None => {
            let nodes = view::count(count as usize, "node");
            lines.push(format!("{most}{nodes} x {} CPUs = {} CPUs", machine.vcpu, total(machine.vcpu)));
        }
    }
    let selector: Vec<String> = nodes.selector().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    lines.push(format!("pods select {}", selector.join(", ")));
    lines.extend(machine.gpus.map(|gpus| format!("facts: {}", gpus.gpu.source)));
    lines
}

fn of_train(shape: &Shape, num_slices: u32, framework: Framework) -> Vec<String> {
    let (workers, unit, each) = match framework {
        Framework::Pytorch => (workers::torch(shape, num_slices), "devices", shape.devices),
        Framework::Jax => (workers::jax(shape, num_slices), "hosts", shape.hosts),
    };
    let Some(workers) = workers else { return Vec::new() };
    vec![format!(
        "{} x {each} {unit} = {} workers, each with TPU: {}",
        view::count(num_slices as usize, "slice"),
        workers.count,
        workers.tpus_each
    )]
}

fn of_serve(serve: &Serve, shape: &Shape) -> Vec<String> {
    let mut lines = vec![format!("{}; each replica takes one", view::count(serve.num_slices.value as usize, "slice"))];
    lines.extend(serve.models.iter().map(|model| {
        let size = |name| model.engine_int(name, 1).unwrap_or(1);
        let (tp, pp) = (size("tensor_parallel_size"), size("pipeline_parallel_size"));
        format!(
            "{}: tensor_parallel_size {tp} x pipeline_parallel_size {pp} = {} devices, of {} in a slice",
            *model.name,
            tp.saturating_mul(pp),
            shape.devices
        )
    }));
    lines
}

/// What a device of each engine holds, and what it has left.
fn of_memory(stack: &Stack, serve: &Serve) -> Vec<String> {
    let own = rooms(stack).into_iter().filter(|room| room.serve.head.addr == serve.head.addr);
    own.flat_map(|room| {
        let load = &room.load;
        let mut rows = vec![
            ("memory".to_owned(), load.device, String::new()),
            (format!("{} of it (gpu_memory_utilization)", share(load.utilization)), load.usable(), String::new()),
            ("weights".to_owned(), load.weights(), room.weights_words()),
            ("left for keys and values".to_owned(), load.left().unwrap_or(0), String::new()),
        ];
        if let Some(length) = room.length {
            let at_once = room.concurrency().unwrap_or(0);
            let words = format!("{}.{} at once", at_once / 100, at_once % 100 / 10);
            rows.push((format!("one request of {length} tokens"), load.cache(length), words));
        }
        rows.push(("outside".to_owned(), load.outside(), "for programs and activations".to_owned()));
        let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
        let mut lines = vec![format!("{}, on each device of {}:", *room.model.name, room.devices.name())];
        lines.extend(
            rows.into_iter().map(|(name, bytes, words)| {
                format!("  {name:width$}  {:>10}  {words}", gib(bytes)).trim_end().to_owned()
            }),
        );
        if let Some(longest) = room.longest() {
            lines.push(format!("  The longest request that would fit has {longest} tokens."));
        }
        lines
    })
    .collect()
}

fn of_model(facts: &models::Model) -> Vec<String> {
    let context = facts.context.map_or_else(|| "unknown".to_owned(), |tokens| format!("{tokens} tokens"));
    let mut lines = vec![
        format!("{} layers, {} attention heads, {} of keys and values", facts.layers, facts.heads, facts.kv_heads),
        format!("context {context}; weights in {}", facts.weight_dtype()),
    ];
    if facts.experts > 0 {
        lines.push(format!("{} experts", facts.experts));
    }
    lines
}
