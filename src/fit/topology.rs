//! A topology: the dimensions of a slice, in the order in which they were written.

use std::fmt;
use std::str::FromStr;

/// `4x4` or `2x2x4`. The order is kept: to Ray and GKE, `2x4` and `4x2` are different words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Topology {
    dims: Vec<u32>,
    chips: u32,
}

/// The largest dimension that gcloud reads has three digits.
const MAX_DIM: u32 = 999;

impl Topology {
    /// A topology of these dimensions; None if there is none, one is 0 or too large, or the chips don't fit 32 bits.
    pub fn new(dims: &[u32]) -> Option<Self> {
        if dims.is_empty() || dims.iter().any(|dim| !(1..=MAX_DIM).contains(dim)) {
            return None;
        }
        let chips = dims.iter().try_fold(1u32, |chips, dim| chips.checked_mul(*dim))?;
        Some(Self { dims: dims.to_vec(), chips })
    }

    /// The dimensions.
    pub fn dims(&self) -> &[u32] {
        &self.dims
    }

    /// The product of the dimensions.
    pub fn chips(&self) -> u32 {
        self.chips
    }

    /// The same dimensions, smallest first.
    #[must_use]
    pub fn ascending(&self) -> Self {
        let mut dims = self.dims.clone();
        dims.sort_unstable();
        Self { dims, chips: self.chips }
    }

    /// What a text that isn't a topology was meant to be: `4X4`, `4 x 4`, `4*4`, `4,4`, `4×4`.
    pub fn meant(text: &str) -> Option<Self> {
        let repaired: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '"')
            .map(|c| if matches!(c, 'X' | '×' | '*' | ',' | '-' | '_') { 'x' } else { c })
            .collect();
        repaired.parse().ok()
    }
}

impl FromStr for Topology {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let dims: Option<Vec<u32>> = text.split('x').map(parse_dim).collect();
        dims.as_deref().and_then(Self::new).ok_or(())
    }
}

fn parse_dim(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<String> = self.dims.iter().map(u32::to_string).collect();
        f.write_str(&dims.join("x"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_order_is_kept() {
        let topology: Topology = "4x2x8".parse().unwrap();
        assert_eq!(topology.dims(), [4, 2, 8]);
        assert_eq!(topology.chips(), 64);
        assert_eq!(topology.to_string(), "4x2x8");
        assert_eq!(topology.ascending().to_string(), "2x4x8");
    }

    #[test]
    fn what_is_malformed_is_refused() {
        for text in [
            "",
            "x",
            "4x",
            "x4",
            "04x4",
            "0x4",
            "4X4",
            "4 x 4",
            "4x4 ",
            "+4x4",
            "4.0x4",
            "1000x1",
            "999x999x999x999x999",
        ] {
            assert!(text.parse::<Topology>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_was_meant_is_found() {
        for text in ["4X4", "4 x 4", "4*4", "4×4", "4,4"] {
            assert_eq!(Topology::meant(text).map(|topology| topology.to_string()).as_deref(), Some("4x4"), "{text}");
        }
        assert_eq!(Topology::meant("sixteen"), None);
    }

    proptest! {
        #[test]
        fn parsing_never_panics_and_shows_what_it_read(text in ".*") {
            if let Ok(topology) = text.parse::<Topology>() {
                prop_assert_eq!(topology.to_string(), text);
            }
        }

        #[test]
        fn chips_are_the_product(dims in proptest::collection::vec(1u32..40, 1..4)) {
            let topology = Topology::new(&dims).unwrap();
            prop_assert_eq!(topology.chips(), dims.iter().product::<u32>());
            prop_assert_eq!(topology.to_string().parse::<Topology>().unwrap(), topology);
        }
    }
}
