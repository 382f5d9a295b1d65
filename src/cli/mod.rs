//! One file a command: arguments to stages to a report.
