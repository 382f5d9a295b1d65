//! Names of regions and zones.

/// The region of a region's or a zone's name: `us-east5` of `us-east5-b`. None where the text is neither.
pub fn region_of(location: &str) -> Option<&str> {
    let parts: Vec<&str> = location.split('-').collect();
    match parts.as_slice() {
        [_, region] | [_, region, _] if region.ends_with(|c: char| c.is_ascii_digit()) => {
            let zone = if parts.len() == 3 { parts[2].len() + 1 } else { 0 };
            location.get(..location.len() - zone)
        }
        _ => None,
    }
}

/// Whether the name has a zone's last part.
pub fn is_zone(location: &str) -> bool {
    location.split('-').count() == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_and_its_region() {
        assert_eq!(region_of("us-east5-b"), Some("us-east5"));
        assert_eq!(region_of("us-central1-ai1a"), Some("us-central1"));
        assert_eq!(region_of("us-east5"), Some("us-east5"));
        assert_eq!([region_of("us"), region_of("here-and-there"), region_of("")], [None; 3]);
        assert!(is_zone("us-east5-b") && !is_zone("us-east5"));
    }
}
