//! A report to bytes: human, json.
