//! `fairdeal watch`

use super::{
    Common, DONE, Failed,
    common::{parse_name, player_name},
    host::say_lobby,
    join::target,
    sit::{block_on, failed, or_interrupt},
};
use crate::{
    protocol::name::Name,
    run::{Seen, Watch},
    ui::{lines::say, story::Story},
};

/// Watch a table with the line its host sent, and what everyone at it sees
///
/// No hand is shown, and of a scouted card not which way up it was put. In a sealed deal the log
/// that is sent has no card before it is shown; in an open deal it gives all cards away, so there
/// this program keeps them from your screen and a changed one could show them. Those at the table
/// are told how many watch. Nothing is written to your disk.
///
/// Example: fairdeal watch deal1…
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The host's line, a table's two words, an address, or - to read it from standard input
    #[arg(value_name = "INVITE|WORDS|ADDRESS|-", required = true)]
    target: Vec<String>,
    /// Your name, as the host's program is told it; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
    /// Listen on this machine only
    #[arg(long)]
    local: bool,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    let home = common.home()?;
    let target = target(&args.target)?;
    #[cfg(feature = "tui")]
    if common.has_screen() {
        let begin = crate::ui::app::Begin::Watch(target, args.local);
        return super::screen::show(common, Some(begin), args.name);
    }
    let profile = common.open_profile(&home)?;
    let name = player_name(&profile, args.name)?;
    block_on(async move {
        let watch = Watch::open(profile, name, target, args.local).await.map_err(failed)?;
        let mut story = None;
        let watching = watch.follow(|seen| tell(&mut story, seen));
        or_interrupt(async { watching.await.map_err(failed) }).await?;
        Ok(DONE)
    })
}

/// What is seen, by lines.
fn tell(story: &mut Option<Story>, seen: Seen) {
    match seen {
        Seen::Lobby(news) => say_lobby(&news),
        Seen::Begun(roster) => {
            if story.is_some() {
                say("The table has settled something otherwise. Once more from the beginning:");
            }
            *story = roster.check().ok().map(|players| Story::new(&roster, players));
        }
        Seen::Fact(fact) => {
            let lines = story.as_mut().map(|story| story.tell(&fact));
            lines.iter().flatten().for_each(|line| say(line));
        }
    }
}
