//! `fairdeal join`

use std::{io::BufRead, str::FromStr, time::Duration};

use super::{
    Common, DONE, FILE, Failed, NETWORK,
    common::{parse_name, player_name},
    host::say_lobby,
    sit::{block_on, failed, or_interrupt, play_lines},
};
use crate::{
    bot::Bot,
    net::Target,
    protocol::name::Name,
    run::{Found, Guest, look, resume_of, table_of, take_line},
    store::{Home, Meta, Profile, Role},
    ui::{lines::say, words},
};

/// How long the local network is searched.
const LOOK: Duration = Duration::from_secs(4);

/// Join a table with the line its host sent; without one, list the tables on this network
///
/// The same command again comes back to the game, and so does a newer line of its host.
///
/// Examples: fairdeal join deal1…    fairdeal join amber-fox    fairdeal join 192.168.1.5
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The host's line, a table's two words, an address, or - to read it from standard input
    #[arg(value_name = "INVITE|WORDS|ADDRESS|-")]
    target: Vec<String>,
    /// Let a bot play: random, greedy or expert
    #[arg(long, value_name = "NAME")]
    bot: Option<Bot>,
    /// Your name at the table; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
    /// Listen on this machine only
    #[arg(long)]
    local: bool,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    let home = common.home()?;
    if args.target.is_empty() {
        #[cfg(feature = "tui")]
        if common.has_screen() {
            return super::screen::show_from(common, crate::ui::drive::Start::Join, args.name);
        }
        return list(common, &home, args.name);
    }
    let target: Target = target(&args.target)?;
    if let Target::Invite(invite) = &target {
        // Any line of that table will do: its host may have moved.
        let table = table_of(invite);
        let same = |meta: &Meta| meta.role == Role::Guest && meta.table == table;
        let found = resume_of(&home, common.profile.as_deref(), same);
        if let Some((profile, folder)) = found.map_err(failed)? {
            say("Coming back to the game.");
            take_line(&profile, &folder, invite).map_err(failed)?;
            return super::resume::go_on(common, profile, folder);
        }
    }
    let watching = args.bot.is_some();
    let bot = args.bot.map(|bot| bot.to_string());
    #[cfg(feature = "tui")]
    if common.has_screen() {
        let begin = crate::ui::app::Begin::Join(target, bot, args.local);
        return super::screen::show(common, Some(begin), args.name);
    }
    let profile = common.open_profile(&home)?;
    let name = player_name(&profile, args.name)?;
    block_on(async move {
        let guest = Guest::open(profile, name, bot, target, args.local).await.map_err(failed)?;
        let sitting = guest.sit(|news| say_lobby(&news));
        let table = or_interrupt(async { sitting.await.map_err(failed) }).await?;
        play_lines(common, table, watching).await
    })
}

/// The table, or whatever else is read so, that these words, or a line of standard input, lead to.
pub(super) fn target<T>(words: &[String]) -> Result<T, Failed>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let mut text = words.join(" ");
    if text == "-" {
        text.clear();
        let read = std::io::stdin().lock().read_line(&mut text);
        read.map_err(|error| Failed::new(FILE, error))?;
    }
    text.parse().map_err(|error| Failed::new(2, anyhow::Error::new(error)))
}

fn list(common: &Common, home: &Home, name: Option<Name>) -> Result<u8, Failed> {
    let profile: Profile = common.open_profile(home)?;
    let name = player_name(&profile, name)?;
    say("Looking for tables on this network …");
    let mut found: Vec<Found> = Vec::new();
    let looking = look(profile.identity(), &name, |tables| found = tables);
    let looking = async {
        match tokio::time::timeout(LOOK, looking).await {
            Ok(Err(error)) => Err(failed(error)),
            _ => Ok(()),
        }
    };
    block_on(or_interrupt(looking))?;
    if found.is_empty() {
        let error = anyhow::anyhow!(
            "no table found on this network; ask the host for the line to paste, or for the \
             address: fairdeal join 192.168.1.5"
        );
        return Err(Failed::new(NETWORK, error));
    }
    for table in found {
        say(&format!("fairdeal join {:<20} {}", table.words, words::found(&table)));
    }
    Ok(DONE)
}
