//! What is probably meant by a name that is no argument: a spelling that only vLLM's command line knows.

use crate::facts::vllm::{Kind, all, named, short_for};

/// What a name on vLLM's command line stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum Meant {
    /// A short form, or another name, of an argument: `tp`.
    Short(&'static str),
    /// False, as the value of an argument: `disable_log_requests`, `no_enable_prefix_caching`.
    Not(&'static str),
    /// The beginning of one argument, which the command line completes.
    BeginningOf(&'static str),
    /// The beginning of several, which the command line refuses.
    Ambiguous(Vec<&'static str>),
}

/// The shortest beginning that is looked at: fewer letters begin too much.
const SHORTEST: usize = 3;

/// What vLLM's command line would take `name` for, where that is no argument; dashes and underscores are the same.
pub fn meant(name: &str) -> Option<Meant> {
    let name = name.replace('-', "_");
    if let Some(full) = short_for(&name) {
        return Some(Meant::Short(full));
    }
    let opposite = [("no_", ""), ("disable_", "enable_"), ("enable_", "disable_")].iter().find_map(|(from, to)| {
        let arg = named(&format!("{to}{}", name.strip_prefix(from)?))?;
        (arg.kind == Kind::Bool).then_some(arg.name.as_str())
    });
    if let Some(opposite) = opposite {
        return Some(Meant::Not(opposite));
    }
    let begun = all().map(|arg| arg.name.as_str()).filter(|known| name.len() >= SHORTEST && known.starts_with(&name));
    let begun: Vec<&str> = begun.collect();
    match begun.as_slice() {
        [] => None,
        [one] => Some(Meant::BeginningOf(one)),
        _ => Some(Meant::Ambiguous(begun)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_the_command_line_are_known() {
        assert_eq!(meant("tp"), Some(Meant::Short("tensor_parallel_size")));
        assert_eq!(meant("disable-log-requests"), Some(Meant::Not("enable_log_requests")));
        assert_eq!(meant("no_enable_prefix_caching"), Some(Meant::Not("enable_prefix_caching")));
        assert_eq!(meant("enable_custom_all_reduce"), Some(Meant::Not("disable_custom_all_reduce")));
        assert_eq!(meant("enable_expert"), Some(Meant::BeginningOf("enable_expert_parallel")));
        assert!(matches!(meant("max_num"), Some(Meant::Ambiguous(of)) if of.contains(&"max_num_seqs")));
        assert_eq!([meant("ma"), meant(""), meant("word")], [None, None, None]);
    }
}
