//! Sitting at a table: the part that `play`, `host`, `join` and `resume` share.

use std::future::Future;

use super::{Common, DONE, FILE, Failed, INTERRUPTED};
use crate::{
    run::{Cause, Ended, Failure, FromPlayer, TableRun},
    ui::lines::{Lines, say},
};

/// Runs a task on a runtime of its own; Ctrl-C ends it.
pub(super) fn block_on<T>(task: impl Future<Output = Result<T, Failed>>) -> Result<T, Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failed::new(FILE, error))?;
    let done = runtime.block_on(task);
    runtime.shutdown_background();
    done
}

/// A failure with the exit code for its kind.
pub(super) fn failed(failure: impl Into<Failure>) -> Failed {
    let failure = failure.into();
    let code = match failure.cause {
        Cause::Usage => 2,
        Cause::File => FILE,
        Cause::Network => super::NETWORK,
        Cause::Bug => super::BUG,
    };
    Failed::new(code, failure)
}

/// Waits for `task`, or for Ctrl-C, which ends the program with its code.
pub(super) async fn or_interrupt<T>(
    task: impl Future<Output = Result<T, Failed>>,
) -> Result<T, Failed> {
    tokio::select! {
        // Ctrl-C is listened for before the task says anything.
        biased;
        _ = tokio::signal::ctrl_c() => {
            Err(Failed::new(INTERRUPTED, anyhow::anyhow!("interrupted")))
        }
        done = task => done,
    }
}

/// Plays a table by lines to its end.
pub(super) async fn play_lines(
    common: &Common,
    mut table: TableRun,
    watching: bool,
) -> Result<u8, Failed> {
    let Some(ends) = table.player_ends() else { return Ok(DONE) };
    let leave = ends.0.clone();
    let lines = Lines::new(ends, table.snapshot(), watching, !common.no_bell);
    let lines = tokio::spawn(lines.play());
    let playing = table.play();
    tokio::pin!(playing);
    let mut interrupted = false;
    let ended = loop {
        tokio::select! {
            ended = &mut playing => break ended.map_err(failed)?,
            _ = tokio::signal::ctrl_c() => {
                if interrupted {
                    return Err(Failed::new(INTERRUPTED, anyhow::anyhow!("interrupted")));
                }
                interrupted = true;
                // If the table has ended meanwhile the loop ends with it.
                let _ = leave.send(FromPlayer::Leave);
            }
        }
    };
    // Dropping the table closed the player's line: what is still to be said is said now.
    let _ = lines.await;
    match ended {
        Ended::Complete(path) => say(&format!("replay {}", path.display())),
        Ended::Left => say("The game is saved; `fairdeal resume` goes on with it."),
        Ended::Watched => {}
    }
    Ok(if interrupted { INTERRUPTED } else { DONE })
}
