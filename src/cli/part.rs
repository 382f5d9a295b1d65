//! `--target`: a plan for some blocks of a stack, with what goes with them.

use std::collections::BTreeSet;

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags};
use crate::base::suggest::did_you_mean;
use crate::emit::ObjectId;
use crate::plan::partial::{Kept, Part, is_named};
use crate::plan::prior::Prior;
use crate::plan::steps::Goal;
use crate::resolve::needs::Needs;
use crate::resolve::stack::Stack;

/// Most addresses that a message lists.
const MOST_LISTED: usize = 12;

/// Narrows the goal to the targets, and says what that means; or says which target is unknown.
pub fn narrow(goal: &mut Goal, prior: &Prior, stack: &Stack, targets: &[Addr]) -> Result<Diags, Diags> {
    let known = check_known(goal, prior, stack, targets)?;
    let needs = Needs::of(stack);
    let asked: BTreeSet<Addr> =
        known.into_iter().filter(|addr| targets.iter().any(|target| is_named(target, addr))).collect();
    let blocks = if goal.emptied { needs.with_dependents(asked.clone()) } else { needs.with_needed(asked.clone()) };
    let more: Vec<String> = blocks.difference(&asked).map(ToString::to_string).collect();
    let part = Part { targets: targets.to_vec(), blocks };
    let retained = goal.narrow(&part, prior);
    goal.chips = chips(goal, stack, &needs, &part);
    let mut diags = Diags::from(partial(goal.emptied, targets, &more));
    let torn: Diags = retained.iter().filter_map(|(file, by)| torn_move(goal, prior, file, by)).collect();
    if !torn.is_empty() {
        return Err(torn);
    }
    let is_listed = |kept: &Kept| kept.before.object.as_ref().is_some_and(|object| object.api_version != "terraform");
    let lost = goal.kept.iter().filter(|(path, kept)| kept.after.is_some() && prior.digest(path).is_none());
    for (path, kept) in lost.filter(|(_, kept)| is_listed(kept)) {
        diags.push(missing(path, &kept.before.address));
    }
    for (file, by) in retained {
        diags.push(
            Diag::warning("partial-plan", "A file stays that the stack no longer has")
                .detail(format!("{file} stays: {by} needs it, and is not in this part of the stack.")),
        );
    }
    Ok(diags)
}

/// A file outside of the part that is not where it should be. To list it would break what applies the folder.
fn missing(path: &str, address: &str) -> Diag {
    Diag::warning("partial-plan", "A file that someone removed will not be listed")
        .detail(format!("{path} ({address}) is gone, and kustomization.yaml lists only what is there: a controller that prunes deletes the object."))
        .help(format!("Add --target '{address}' to write it again."))
}

/// A file that would stay for another one, though its object has another name in the part: both at once are two objects.
fn torn_move(goal: &Goal, prior: &Prior, file: &str, by: &str) -> Option<Diag> {
    let entry = |path: &str| prior.inventory.as_ref()?.files.get(path);
    let old = entry(file)?.object.as_ref()?;
    let is_old = |from: &ObjectId| from.kind == old.kind && from.name == old.name;
    let moved = goal.history.renamed.iter().find(|renamed| is_old(&renamed.from))?;
    let owner = &entry(by)?.address;
    let owner = goal.history.owner(owner).unwrap_or_else(|| owner.clone());
    Some(
        Diag::error("partial-plan", "A part of what moved is not in this part of the stack")
            .detail(format!(
                "{} {:?} is called {:?} now, and {by} still names it by the old name.",
                old.kind, old.name, moved.to.name
            ))
            .help(format!("Add --target '{owner}', or apply the moves first, without --target.")),
    )
}

/// Every block that there is; or which of those that a command names is none of them.
pub fn check_known(goal: &Goal, prior: &Prior, stack: &Stack, named: &[Addr]) -> Result<BTreeSet<Addr>, Diags> {
    let known = known(goal, stack, prior);
    let unknown: Diags = named.iter().filter_map(|addr| unknown(addr, &known)).collect();
    if unknown.is_empty() { Ok(known) } else { Err(unknown) }
}

/// Every block that there is: in the stack, or in the directory.
fn known(goal: &Goal, stack: &Stack, prior: &Prior) -> BTreeSet<Addr> {
    let listed = prior.inventory.iter().flat_map(|inventory| inventory.files.values());
    let listed = listed.map(|entry| goal.history.owner(&entry.address).unwrap_or_else(|| entry.address.clone()));
    let listed = listed.filter_map(|address| address.parse().ok());
    let own = Addr::new("stack", stack.name.value.as_str());
    stack.blocks.keys().cloned().chain(listed).chain([own]).collect()
}

fn unknown(target: &Addr, known: &BTreeSet<Addr>) -> Option<Diag> {
    if known.iter().any(|addr| is_named(target, addr)) {
        return None;
    }
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let blocks: BTreeSet<String> = known.iter().map(|addr| addr.block().to_string()).collect();
    let near = did_you_mean(&target.to_string(), names.iter().chain(&blocks).map(String::as_str));
    Some(
        Diag::error("reference", format!("There is no {target}"))
            .detail("Neither the stack nor its directory has such a block.")
            .help(format!("There are {}.{near}", listed(&names))),
    )
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_LISTED);
    let list = names.iter().take(MOST_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{list} and {more} more") } else { list }
}

/// What a reader of the plan must know.
fn partial(destroys: bool, targets: &[Addr], more: &[String]) -> Diag {
    let targets: Vec<String> = targets.iter().map(ToString::to_string).collect();
    let also = match (more, destroys) {
        ([], _) => String::new(),
        (more, false) => format!(", and what that needs: {}", listed(more)),
        (more, true) => format!(", and what needs that: {}", listed(more)),
    };
    Diag::warning("partial-plan", "The plan is for a part of the stack only")
        .detail(format!(
            "It covers {}{also}. All other files stay as they are, whatever the stack says.",
            listed(&targets)
        ))
        .help("Use --target to get out of a corner, not as a habit; plan without it afterwards to see what is left.")
}

/// TPU chips of the slices in the part, and of those that blocks outside of it use as they are.
fn chips(goal: &Goal, stack: &Stack, needs: &Needs, part: &Part) -> u64 {
    let staying = goal.kept.values().filter_map(|kept| kept.after.as_ref()?.address.parse().ok());
    let staying = needs.with_needed(staying.collect());
    let counts = |addr: &Addr| staying.contains(addr) || (!goal.emptied && part.blocks.contains(addr));
    let slices = stack.slices().filter(|slice| counts(&slice.head.addr));
    slices.filter_map(|slice| Some(u64::from(slice.shape()?.chips) * u64::from(slice.num_slices.value))).sum()
}
