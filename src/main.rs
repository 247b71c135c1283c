//! The `fairdeal` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    fairdeal::cli::main()
}
