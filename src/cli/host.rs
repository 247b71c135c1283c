//! `fairdeal host`

use super::{
    Common, Failed,
    common::{parse_name, parse_players},
    sit::{go_on, sit},
};
use crate::{
    bot::Bot,
    game::Players,
    net::{self, Address},
    protocol::{lobby::DealKind, name::Name},
    run::{Begin, HostOptions},
    store::{Meta, Role},
};

/// Open a table and print the line your friends paste to join it
///
/// If a game you host is unfinished, this continues it.
///
/// Example: fairdeal host --players 4 --bots 1
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many play
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_players)]
    players: Players,
    /// How the cards are dealt
    #[arg(long, value_enum, default_value_t = DealKind::Sealed)]
    deal: DealKind,
    /// Fill N seats with bots run by this program
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=4))]
    bots: u8,
    /// Let a bot play your own seat too
    #[arg(long, value_name = "NAME", value_enum)]
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

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    if args.bots >= args.players.count() {
        let error = anyhow::anyhow!("with --bots {} no seat is left to join", args.bots);
        return Err(Failed::new(2, error));
    }
    if !args.new {
        let hosted = |meta: &Meta| meta.role == Role::Host;
        let say = "Going on with the unfinished game you host; `--new` opens another table.";
        if let Some(code) = go_on(common, hosted, Some(say))? {
            return Ok(code);
        }
    }
    let options = HostOptions {
        players: args.players,
        bots: args.bots,
        bots_play: args.bot.unwrap_or(Bot::OPPONENT),
        own_bot: args.bot,
        deal: args.deal,
        clock_s: args.clock,
        patience_s: args.patience,
        port: args.port,
        lan: !args.no_lan && !args.local,
        local: args.local,
        watch: !args.no_watch,
        relays: (args.no_relay || !args.relay.is_empty()).then_some(args.relay),
    };
    sit(common, Begin::Host(options), args.name)
}
