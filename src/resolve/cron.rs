//! Cron schedules and time zones, as the operator reads them.

/// The five fields: name, least, most, and names for numbers from the least on.
const FIELDS: [(&str, u32, u32, &[&str]); 5] = [
    ("minute", 0, 59, &[]),
    ("hour", 0, 23, &[]),
    ("day of the month", 1, 31, &[]),
    ("month", 1, 12, &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    ("day of the week", 0, 6, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];

/// What stands for a whole schedule.
const MACROS: &[&str] = &["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// Why the operator would refuse a schedule; none where it takes it.
pub fn fault(schedule: &str) -> Option<String> {
    if schedule.contains("TZ") {
        return Some("the time zone has an attribute of its own".to_owned());
    }
    if schedule.starts_with('@') {
        return (!MACROS.contains(&schedule)).then(|| format!("not one of {}", MACROS.join(", ")));
    }
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        return Some(format!("{} fields; minute, hour, day, month and weekday are 5", fields.len()));
    }
    fields.iter().zip(FIELDS).find_map(|(text, field)| {
        let part = text.split(',').find(|part| !is_range(part, field))?;
        let (name, least, most, _) = field;
        Some(format!("{part:?} is no {name}: {least} to {most}"))
    })
}

/// `*`, `5`, `1-5`, each with a step (`*/15`) or without.
fn is_range(part: &str, field: (&str, u32, u32, &[&str])) -> bool {
    let (range, step) = part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
    if step.is_some_and(|step| digits(step).is_none_or(|step| step == 0)) {
        return false;
    }
    if range == "*" || range == "?" {
        return true;
    }
    match range.split_once('-') {
        Some((from, to)) => matches!((number(from, field), number(to, field)), (Some(from), Some(to)) if from <= to),
        None => number(range, field).is_some(),
    }
}

fn number(text: &str, (_, least, most, names): (&str, u32, u32, &[&str])) -> Option<u32> {
    let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
    let named = named.and_then(|at| u32::try_from(at).ok()).map(|at| at + least);
    named.or_else(|| digits(text)).filter(|number| (least..=most).contains(number))
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Whether a text has the form of a name in the time zone database: `UTC`, `Europe/Berlin`.
pub fn is_time_zone(text: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "_+-".contains(c))
    };
    text == "UTC" || (text.contains('/') && text.split('/').all(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_read_as_the_operator_reads_them() {
        for right in ["0 3 * * *", "*/15 0-6,22 1,15 JAN-mar MON-FRI", "@daily", "0 0 ? * 0", "5/10 * * * *"] {
            assert_eq!(fault(right), None, "{right}");
        }
        for wrong in ["", "0 3 * *", "0 3 * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 7"]
        {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
        for wrong in ["5-1 * * * *", "*/0 * * * *", "1- * * * *", ", * * * *", "@every", "@never", "+1 * * * *"] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
        assert!(fault("CRON_TZ=UTC 0 3 * * *").is_some_and(|why| why.contains("time zone")));
    }

    #[test]
    fn time_zones_are_named_by_place() {
        assert!(
            ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"]
                .iter()
                .all(|zone| is_time_zone(zone))
        );
        assert!(["", "Local", "berlin", "Europe/", "../etc", "Europe/Ber lin"].iter().all(|zone| !is_time_zone(zone)));
    }
}
