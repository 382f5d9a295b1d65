//! Names and what stands beside them.

use serde_json::Value;

use crate::check::kuberay::{Check, FIRST, Faults, OfObject, annotations, push, release, text};
use crate::resolve::cron;

pub(super) const CLUSTER: &[Check<OfObject>] = &[Check { id: "C2", since: FIRST, run: label }];
pub(super) const JOB: &[Check<OfObject>] = &[Check { id: "J1", since: FIRST, run: label }];
pub(super) const SERVICE: &[Check<OfObject>] = &[
    Check { id: "S1", since: FIRST, run: label },
    Check { id: "S2", since: release(5, 0), run: initializing_timeout },
];
pub(super) const CRON_JOB: &[Check<OfObject>] = &[
    Check { id: "X3", since: release(6, 0), run: schedule },
    Check { id: "X2", since: release(7, 0), run: zone_in_schedule },
];

/// DNS-1035, of any length: the caps are a rule of their own, which knows what suffixes and hosts take.
fn label(tree: &Value, found: &mut Faults) {
    let name = tree["metadata"]["name"].as_str().unwrap_or_default();
    let legal = name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !legal {
        push(
            found,
            "metadata.name",
            "the name must be lower-case letters, digits and `-`, with a letter first",
            "Give it another name",
        );
    }
}

/// A Go duration, or whole seconds, above zero.
fn initializing_timeout(tree: &Value, found: &mut Faults) {
    const NAME: &str = "ray.io/initializing-timeout";
    let Some(words) = text(annotations(tree), NAME) else { return };
    if !is_positive_time(words) {
        push(
            found,
            format!("metadata.annotations[{NAME}]"),
            format!("{words:?} is neither a duration such as \"30m\" nor a number of seconds above zero"),
            "Write a duration, or take the annotation out",
        );
    }
}

fn is_positive_time(words: &str) -> bool {
    if let Ok(seconds) = words.parse::<i64>() {
        return seconds > 0;
    }
    let mut rest = words.strip_prefix('+').unwrap_or(words);
    let mut sum = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, tail) = rest.split_at(digits);
        let Ok(number) = number.parse::<f64>() else { return false };
        let unit = ["ns", "us", "µs", "ms", "s", "m", "h"].into_iter().filter(|unit| tail.starts_with(unit));
        // `ms` begins with `m`.
        let Some(unit) = unit.max_by_key(|unit| unit.len()) else { return false };
        sum += number;
        rest = &tail[unit.len()..];
    }
    sum > 0.0
}

/// A schedule as the operator's library reads it; a zone before it is the next check's affair.
fn schedule(tree: &Value, found: &mut Faults) {
    let schedule = tree["spec"]["schedule"].as_str().unwrap_or_default().trim();
    let zone = schedule.split_once(' ').filter(|(first, _)| first.contains("TZ="));
    let schedule = zone.map_or(schedule, |(_, rest)| rest.trim());
    let fault = cron::fault(schedule).filter(|_| !schedule.starts_with("@every "));
    if let Some(fault) = fault {
        push(found, "spec.schedule", format!("{schedule:?} is no schedule: {fault}"), "Use the block's `schedule`");
    }
}

fn zone_in_schedule(tree: &Value, found: &mut Faults) {
    if tree["spec"]["schedule"].as_str().is_some_and(|schedule| schedule.contains("TZ")) {
        push(found, "spec.schedule", "a time zone has no place in the schedule", "Use `time_zone` of the block");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_go_reads_them() {
        for good in ["30m", "1h30m", "90", "1.5h", "500ms", "1us", "1µs", "+5m"] {
            assert!(is_positive_time(good), "{good}");
        }
        for bad in ["0", "-5", "0s", "5 m", "m", "5d", "", "-5m", "1h-", "."] {
            assert!(!is_positive_time(bad), "{bad}");
        }
    }
}
