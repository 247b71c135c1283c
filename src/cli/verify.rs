//! `fairdeal verify`

use std::path::PathBuf;

use super::{
    Common, DONE, Failed, WRONG,
    common::{code_of, complain, print, read_file},
};
use crate::{
    protocol::{
        limits::LOG_BYTES_MAX,
        log::{
            evidence::{self, EVIDENCE_MAGIC},
            verify::verify,
        },
    },
    ui::proof,
};

/// Check recorded games from their bytes alone and say what each proves
///
/// Every record's signature and place in the chain, the shuffle from its seeds and commitments,
/// every action against the rules, and the points. Needs no network and no key.
///
/// Example: fairdeal verify replays/*.fairdeal
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The games (*.fairdeal)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object a file, one a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(_: &Common, args: Args) -> Result<u8, Failed> {
    let mut worst = DONE;
    for path in &args.files {
        let file = path.display().to_string();
        let (text, code) = match read_file(path, LOG_BYTES_MAX) {
            Ok(bytes) if bytes.starts_with(EVIDENCE_MAGIC) => {
                let checked = evidence::check(&bytes);
                let text = match args.json {
                    true => format!("{}\n", proof::evidence_json(&file, &checked)),
                    false => proof::evidence(&file, &checked),
                };
                (text, if checked.is_ok() { DONE } else { WRONG })
            }
            Ok(bytes) => {
                let checked = verify(&bytes);
                let text = match args.json {
                    true => format!("{}\n", proof::json(&file, &checked)),
                    false => proof::words(&file, &checked),
                };
                (text, code_of(&checked))
            }
            Err(failed) => {
                complain(&format_args!("fairdeal: {:#}", failed.error));
                (String::new(), failed.code)
            }
        };
        print(&text);
        worst = worst.max(code);
    }
    Ok(worst)
}
