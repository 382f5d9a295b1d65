//! The `sliceform` binary: picks the command and turns its result into an exit code.

fn main() {}
