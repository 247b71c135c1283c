//! `fairdeal host`

use super::{
    Common, Failed,
    common::{parse_name, parse_players, player_name},
    sit::{block_on, failed, fill_lines, or_interrupt, play_lines},
};
use crate::{
    bot::Bot,
    game::Players,
    net::{self, Address},
    protocol::{lobby::DealKind, name::Name},
    run::{Host, HostOptions, LobbyNews, resume_of},
    store::Role,
    ui::lines::say,
};

/// Open a table and print the line your friends paste to join it
///
/// Run again while a game you host is unfinished, it goes on with that one.
///
/// Example: fairdeal host --players 4 --bots 1
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many play
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_players)]
    players: Players,
    /// How the cards are dealt
    #[arg(long, value_enum, default_value_t = DealName::Sealed)]
    deal: DealName,
    /// Fill N seats with bots run by this program
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=4))]
    bots: u8,
    /// Let a bot play your own seat too: random, greedy or expert
    #[arg(long, value_name = "NAME")]
    bot: Option<Bot>,
    /// Your name at the table; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
    /// The port to listen on, UDP and TCP; a free one if it is taken
    #[arg(long, value_name = "P", default_value_t = net::PORT)]
    port: u16,
    /// A relay through which guests can come, as `fairdeal relay` prints it; remembered
    #[arg(long, value_name = "ADDRESS")]
    relay: Vec<Address>,
    /// Not through the relay of last time
    #[arg(long, conflicts_with = "relay")]
    no_relay: bool,
    /// Seconds for keep or flip and for a turn; then the others may go on without. 0 is no clock
    #[arg(long, value_name = "S", default_value_t = 0)]
    clock: u32,
    /// Seconds after which the others may go on without a silent player, where no clock says it;
    /// 0 is never
    #[arg(long, value_name = "S", default_value_t = 60)]
    patience: u32,
    /// Do not announce the table on the local network, and let nobody in without the invite
    #[arg(long)]
    no_lan: bool,
    /// Let nobody watch: without it whoever has the line can, with `fairdeal watch`
    #[arg(long)]
    no_watch: bool,
    /// Listen on this machine only
    #[arg(long)]
    local: bool,
    /// Open a new table even if a game is unfinished
    #[arg(long)]
    new: bool,
}

/// The deals by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DealName {
    /// Cards are encrypted until they are shown: no program can read or rig them
    Sealed,
    /// All seeds are revealed before play: fair, and each program could compute all hands
    Open,
}

impl DealName {
    /// The deal as the table's terms have it.
    pub(super) fn kind(self) -> DealKind {
        match self {
            DealName::Sealed => DealKind::Sealed,
            DealName::Open => DealKind::Open,
        }
    }
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    if args.bots >= args.players.count() {
        let error = anyhow::anyhow!("with --bots {} no seat is left to join", args.bots);
        return Err(Failed::new(2, error));
    }
    let home = common.home()?;
    if !args.new {
        let hosted = |meta: &crate::store::Meta| meta.role == Role::Host;
        let found = resume_of(&home, common.profile.as_deref(), hosted);
        let found = found.map_err(failed)?;
        if let Some((profile, folder)) = found {
            say("Going on with the unfinished game you host; `--new` opens another table.");
            return super::resume::go_on(common, profile, folder);
        }
    }
    let watching = args.bot.is_some();
    let options = HostOptions {
        players: args.players,
        bots: args.bots,
        bots_play: args.bot.unwrap_or(Bot::Greedy).to_string(),
        own_bot: args.bot.map(|bot| bot.to_string()),
        deal: args.deal.kind(),
        clock_s: args.clock,
        patience_s: args.patience,
        port: args.port,
        lan: !args.no_lan && !args.local,
        local: args.local,
        watch: !args.no_watch,
        relays: (args.no_relay || !args.relay.is_empty()).then_some(args.relay),
    };
    #[cfg(feature = "tui")]
    if common.has_screen() {
        let begin = crate::ui::app::Begin::Host(options);
        return super::screen::show(common, Some(begin), args.name);
    }
    let profile = common.open_profile(&home)?;
    let name = player_name(&profile, args.name)?;
    block_on(async move {
        let mut host = Host::open(profile, name, options).await.map_err(failed)?;
        or_interrupt(async {
            host.reach_relays(|news| say_lobby(&news)).await;
            Ok(())
        })
        .await?;
        let table = or_interrupt(fill_lines(host)).await?;
        play_lines(common, table, watching).await
    })
}

/// What happens in a lobby, by lines.
pub(super) fn say_lobby(news: &LobbyNews) {
    match news {
        LobbyNews::Seats { joins, players, watching, .. } => {
            let names: Vec<&str> = joins.iter().map(|join| join.name.as_str()).collect();
            let watched = match watching {
                0 => String::new(),
                count => format!("; {count} watching"),
            };
            let names = names.join(", ");
            say(&format!("{} of {players} seats taken: {names}{watched}", joins.len()));
        }
        LobbyNews::Invite(invite) => {
            say(&format!("there are other ways here now; send this:\n{invite}"));
        }
        LobbyNews::Rtts(_) => {}
        LobbyNews::Note(text) => say(text),
    }
}
