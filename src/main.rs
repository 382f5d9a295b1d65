//! The `sliceform` binary: picks the command and turns its result into an exit code.

use std::process::ExitCode;

use sliceform::cli::{self, Outside};
use sliceform::os;

/// Deep nesting and long chains of references need more stack than a main thread has on every system.
const STACK_SIZE: usize = 64 << 20;

fn main() -> ExitCode {
    let run = || {
        let outside = Outside {
            files: &os::files::Disk,
            terminal: &os::terminal::Standard,
            variables: os::variables(),
            no_color: os::no_color(),
            owner: os::owner,
            salt: os::salt,
        };
        cli::run(std::env::args_os(), &outside)
    };
    // A stack and no thread: the allocator asks the kernel for each page of another thread's heap, a tenth of a short run.
    let code = stacker::grow(STACK_SIZE, || std::panic::catch_unwind(run));
    ExitCode::from(code.unwrap_or(cli::Exit::Error as u8))
}
