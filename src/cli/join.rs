//! `fairdeal join`

use std::time::Duration;

use super::{
    Common, DONE, Failed, NETWORK,
    common::{block_on, failed, or_interrupt, parse_name, player_name, target},
    sit::{go_on, sit},
};
use crate::{
    bot::Bot,
    protocol::name::Name,
    run::{Begin, Found, Target, look, table_of, take_line},
    store::{Meta, Role, take_up},
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
    /// Let a bot play
    #[arg(long, value_name = "NAME", value_enum)]
    bot: Option<Bot>,
    /// Your name at the table; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
    /// Listen on this machine only
    #[arg(long)]
    local: bool,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    if args.target.is_empty() {
        #[cfg(feature = "tui")]
        if common.has_screen() {
            return super::screen::show(common, super::screen::Start::Join, args.name);
        }
        return list(common, args.name);
    }
    let target: Target = target(&args.target)?;
    if let Target::Invite(invite) = &target {
        // Any line of that table will do: its host may have moved.
        let table = table_of(invite);
        let same = |meta: &Meta| meta.role == Role::Guest && meta.table == table;
        let found = take_up(&common.home()?, common.profile.as_deref(), same);
        if let Some((profile, game)) = found.map_err(failed)? {
            take_line(&profile, &game.folder, invite).map_err(failed)?;
        }
        if let Some(code) = go_on(common, same, Some("Coming back to the game."))? {
            return Ok(code);
        }
    }
    sit(common, Begin::Join { target, bot: args.bot, local: args.local }, args.name)
}

/// Lists the tables of this network.
fn list(common: &Common, name: Option<Name>) -> Result<u8, Failed> {
    let profile = common.open_profile(&common.home()?)?;
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
