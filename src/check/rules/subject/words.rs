//! How rules say things: counts, lists, and the releases for which a fact holds.

use crate::facts::ray::{self, Ray};

/// `1 chip`, `16 chips`.
pub fn count(number: impl Into<u64>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}

/// `a, b and c`.
pub fn and<T: std::fmt::Display>(items: &[T]) -> String {
    joined(items, "and")
}

/// `a, b or c`.
pub fn or<T: std::fmt::Display>(items: &[T]) -> String {
    joined(items, "or")
}

fn joined<T: std::fmt::Display>(items: &[T], word: &str) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
    }
}

/// The releases of Ray whose row says so: `Ray 2.58 and 2.59`, `Ray 2.54 to 2.57`.
pub fn rays(says: impl Fn(&Ray) -> bool) -> String {
    let lines: Vec<String> = ray::ROWS.iter().filter(|row| says(row)).map(line).collect();
    match lines.as_slice() {
        [first, _, .., last] => format!("Ray {first} to {last}"),
        few => format!("Ray {}", and(few)),
    }
}

/// The first release of Ray whose row says so: `2.60`.
pub fn first_ray(says: impl Fn(&Ray) -> bool) -> Option<String> {
    ray::ROWS.iter().find(|row| says(row)).map(line)
}

fn line(row: &Ray) -> String {
    let (major, minor) = row.since.line();
    format!("{major}.{minor}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::ray::{TorchMultiSlice, TorchTpuBackend};

    #[test]
    fn releases_are_named_as_people_name_them() {
        assert_eq!(rays(|row| row.torch_multi_slice == TorchMultiSlice::Raises), "Ray 2.58 and 2.59");
        assert_eq!(rays(|row| row.torch_multi_slice == TorchMultiSlice::Megascale), "Ray 2.60");
        assert_eq!(rays(|row| row.torch_tpu_backend == TorchTpuBackend::Gloo), "Ray 2.54 to 2.57");
        assert_eq!(first_ray(|row| row.llm_tpu).as_deref(), Some("2.56"));
    }

    #[test]
    fn counts_and_lists() {
        assert_eq!([count(1_u32, "chip"), count(0_u32, "chip")], ["1 chip", "0 chips"]);
        assert_eq!([or(&[1]), or(&[1, 2]), and(&[1, 2, 4])], ["1", "1 or 2", "1, 2 and 4"]);
    }
}
