//! Sitting at a table: the part that `play`, `host`, `join` and `resume` share.

use std::{future::Future, io::IsTerminal};

use tokio::sync::mpsc;

use super::{Common, DONE, FILE, Failed, INTERRUPTED, host::say_lobby};
use crate::{
    run::{Again, Cause, Company, Ended, Failure, FromPlayer, Host, Next, TableRun},
    ui::{
        lines::{Input, Lines, read_lines, say},
        words,
    },
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

/// Plays a table by lines to its end, and further ones with the same people.
pub(super) async fn play_lines(
    common: &Common,
    mut table: TableRun,
    watching: bool,
) -> Result<u8, Failed> {
    let mut input = read_lines();
    loop {
        let Some(ends) = table.player_ends() else { return Ok(DONE) };
        let leave = ends.0.clone();
        let lines = Lines::new(ends, table.snapshot(), table.past(), (watching, !common.no_bell));
        let lines = tokio::spawn(lines.play(input));
        let (ended, interrupted) = play(table, leave).await?;
        // Dropping the table closed the player's line: what is still to be said is said now.
        let left = lines.await;
        match &ended.0 {
            Ended::Complete(path) => say(&format!("replay {}", path.display())),
            Ended::Left => say("The game is saved; `fairdeal resume` goes on with it."),
            Ended::Watched => {}
        }
        if interrupted {
            return Ok(INTERRUPTED);
        }
        let (Some(company), Ok((rest, wished))) = (ended.1, left) else { return Ok(DONE) };
        input = rest;
        let next = or_interrupt(again(company, wished, watching, &mut input)).await?;
        let Some(next) = next else { return Ok(DONE) };
        table = next;
    }
}

/// Plays one table; whether Ctrl-C ended it.
async fn play(
    table: TableRun,
    leave: mpsc::UnboundedSender<FromPlayer>,
) -> Result<((Ended, Option<Company>), bool), Failed> {
    let playing = table.play();
    tokio::pin!(playing);
    let mut interrupted = false;
    loop {
        tokio::select! {
            ended = &mut playing => return Ok((ended.map_err(failed)?, interrupted)),
            _ = tokio::signal::ctrl_c() => {
                if interrupted {
                    return Err(Failed::new(INTERRUPTED, anyhow::anyhow!("interrupted")));
                }
                interrupted = true;
                // If the table has ended meanwhile the loop ends with it.
                let _ = leave.send(FromPlayer::Leave);
            }
        }
    }
}

/// The next table of the same people, if the player wants that: has said so, or says so now.
/// A script is not waited for.
async fn again(
    mut company: Company,
    mut wished: bool,
    watching: bool,
    input: &mut Input,
) -> Result<Option<TableRun>, Failed> {
    let asks = !watching && std::io::stdin().is_terminal();
    loop {
        let state = company.state();
        let waits = matches!(state, Again::Awaited(_));
        if !wished && !asks || wished && matches!(state, Again::Gone(_)) {
            company.leave().await;
            return Ok(None);
        }
        if wished && !waits {
            break;
        }
        say(&words::again(&state, wished, "`again`"));
        if !wished {
            say("Enter leaves.");
        }
        tokio::select! {
            _ = company.changed() => {}
            line = input.recv() => match line.as_deref().map(str::trim) {
                Some("again") => wished = true,
                _ => {
                    company.leave().await;
                    return Ok(None);
                }
            }
        }
    }
    Ok(match company.again().map_err(failed)? {
        Some(Next::Table(table)) => Some(*table),
        Some(Next::Host(host)) => Some(fill_lines(host).await?),
        Some(Next::Guest(guest)) => Some(guest.sit(|news| say_lobby(&news)).await.map_err(failed)?),
        None => None,
    })
}

/// Tells the way to a table, and waits until its seats are taken.
pub(super) async fn fill_lines(host: Host) -> Result<TableRun, Failed> {
    say(&format!("fairdeal join {}", host.invite()));
    if let Some(words) = host.words() {
        say(&format!("(on this network also: fairdeal join {words})"));
    }
    host.fill(None, |news| say_lobby(&news)).await.map_err(failed)
}
