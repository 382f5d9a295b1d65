//! Quantities and durations as text: Kubernetes' `16Gi` and `500m`, and `72h`.

/// The factors of Kubernetes' suffixes, as numerator and denominator.
const SUFFIXES: &[(&str, u128, u128)] = &[
    ("Ki", 1 << 10, 1),
    ("Mi", 1 << 20, 1),
    ("Gi", 1 << 30, 1),
    ("Ti", 1 << 40, 1),
    ("Pi", 1 << 50, 1),
    ("Ei", 1 << 60, 1),
    ("m", 1, 1_000),
    ("k", 1_000, 1),
    ("M", 1_000_000, 1),
    ("G", 1_000_000_000, 1),
    ("T", 1_000_000_000_000, 1),
    ("P", 1_000_000_000_000_000, 1),
    ("E", 1_000_000_000_000_000_000, 1),
    ("", 1, 1),
];

/// A quantity in thousandths of its unit (bytes, CPUs), or none where it is no quantity, is negative or too large.
pub fn milli(text: &str) -> Option<u128> {
    let (number, factor, divisor) = SUFFIXES.iter().find_map(|(suffix, factor, divisor)| {
        let number = text.strip_suffix(suffix)?;
        number.ends_with(|c: char| c.is_ascii_digit() || c == '.').then_some((number, *factor, *divisor))
    })?;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = |s: &str| s.chars().all(|c| c.is_ascii_digit());
    if (whole.is_empty() && part.is_empty()) || !digits(whole) || !digits(part) || part.len() > 9 || whole.len() > 18 {
        return None;
    }
    let scale = 10_u128.pow(u32::try_from(part.len()).ok()?);
    let number: u128 = format!("0{whole}{part}").parse().ok()?;
    number.checked_mul(factor)?.checked_mul(1_000)?.checked_div(divisor.checked_mul(scale)?)
}

/// Whether the text is a quantity.
pub fn is_quantity(text: &str) -> bool {
    milli(text).is_some()
}

/// A duration in seconds: a number and `s`, `m`, `h` or `d`, or several of them (`1h30m`).
pub fn seconds(text: &str) -> Option<u64> {
    let mut total = 0_u64;
    let mut number = String::new();
    for c in text.chars() {
        let unit = match c {
            '0'..='9' => {
                number.push(c);
                continue;
            }
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return None,
        };
        total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(unit)?)?;
        number.clear();
    }
    (number.is_empty() && !text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_kubernetes_reads_them() {
        assert_eq!(milli("1"), Some(1_000));
        assert_eq!(milli("500m"), Some(500));
        assert_eq!(milli("1.5Gi"), Some(1_610_612_736_000));
        assert_eq!(milli("200G"), Some(200_000_000_000_000));
        for wrong in ["", "Gi", "1gb", "-1", "1 Gi", "1e", "NaN", "9999999999999999999999"] {
            assert_eq!(milli(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(seconds("90s"), Some(90));
        assert_eq!(seconds("1h30m"), Some(5_400));
        assert_eq!(seconds("7d"), Some(604_800));
        for wrong in ["", "90", "h", "-1s", "1y", "99999999999999999999h"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
