//! `fairdeal relay`

use std::time::Duration;

use super::{
    Common, Failed, INTERRUPTED,
    common::{block_on, failed, parse_name, player_name},
};
use crate::{
    net::{
        self, Address, CIRCUIT_BYTES, CIRCUIT_TIME, CIRCUITS, NetConfig, NetEvent, RESERVATIONS,
        Reach,
    },
    protocol::name::Name,
    run::{RunError, flood_words, greeting, without_words},
    store::Profile,
    ui::lines::say,
};

/// The profile of a relay unless another is named: its key stays the same, and the player's
/// profile stays free.
const PROFILE: &str = "relay";

/// How often what is carried is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Help friends behind routers to meet: leave this running where others can reach it
///
/// It introduces players to each other, and carries their encrypted games where no direct path
/// is found. It takes part in no game and can read none. Ctrl-C ends it.
///
/// Example: fairdeal relay, and then: fairdeal host --relay 203.0.113.7:7268
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The port to listen on, UDP and TCP; a free one if it is taken
    #[arg(long, value_name = "P", default_value_t = net::PORT)]
    port: u16,
    /// An address that leads here from outside, where a router forwards the port
    #[arg(long, value_name = "ADDRESS")]
    address: Vec<Address>,
    /// The relay's name; remembered
    #[arg(long, value_parser = parse_name)]
    name: Option<Name>,
    /// Listen on this machine only
    #[arg(long)]
    local: bool,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    let home = common.home()?;
    let profile = Profile::open(&home, Some(common.profile.as_deref().unwrap_or(PROFILE)));
    let profile = profile.map_err(|error| Failed::new(super::FILE, error))?;
    let name = player_name(&profile, args.name)?;
    block_on(async move {
        let (net, mut events) = net::start(NetConfig {
            secret: profile.identity().secret(),
            port: args.port,
            loopback: args.local,
            outside: args.address,
            second_port: true,
            mdns: false,
            greeting: greeting(&name, None, None),
        })
        .await
        .map_err(|error| failed(RunError::from(error)))?;
        say_limits();
        let mut said = Vec::new();
        say_addresses(&net.listening(), &mut said);
        let mut served = net.served();
        let mut look = tokio::time::interval(LOOK);
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(NetEvent::Listening(addresses)) => say_addresses(&addresses, &mut said),
                    Some(NetEvent::Flooded { addresses }) => say(&flood_words(addresses)),
                    Some(NetEvent::Without { transport, reason }) => {
                        say(&without_words(transport, &reason));
                    }
                    Some(_) => {}
                    None => break,
                },
                _ = look.tick() => {
                    let now = net.served();
                    if now != served {
                        served = now;
                        say(&format!(
                            "{} can be reached through here, {} circuits are open, {} refused",
                            now.reservations, now.circuits, now.refused
                        ));
                    }
                }
                _ = tokio::signal::ctrl_c() => break,
            }
        }
        say("Closing.");
        net.shutdown().await;
        Ok(INTERRUPTED)
    })
}

fn say_limits() {
    say(&format!(
        "A relay for {RESERVATIONS} players and {CIRCUITS} circuits at once, each for {} hours or \
         {} MiB.",
        CIRCUIT_TIME.as_secs() / 3600,
        CIRCUIT_BYTES >> 20,
    ));
}

/// The line to paste for each address that is new.
fn say_addresses(addresses: &[Address], said: &mut Vec<Address>) {
    let second = |address: &Address| {
        let first = address.port().checked_sub(1).and_then(|port| Address::new(address.ip(), port));
        first.is_some_and(|first| addresses.contains(&first))
    };
    let new = |address: &&Address| !said.contains(address) && !second(address);
    for address in addresses.iter().filter(new) {
        let reach = match address.reach() {
            Reach::Public => "",
            Reach::Lan => "   (only from the same network)",
            Reach::Loopback => "   (only from this machine)",
        };
        say(&format!("fairdeal host --relay {address}{reach}"));
    }
    let public = |address: &Address| address.reach() == Reach::Public;
    if said.is_empty() && !addresses.iter().any(public) {
        say("No address here is public: forward the port on the router (UDP and TCP), and name \
             its address with --address.");
    }
    *said = addresses.to_vec();
}
