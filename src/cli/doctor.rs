//! `fairdeal doctor`

use super::{
    Common, DONE, Failed, WRONG,
    common::{block_on, complain, failed, or_interrupt, print, target},
};
use crate::{
    net::{self, Address, Invite, NetError},
    run::{RunError, look_word},
    ui::checkup::Checkup,
};

/// See what stands between you and your friends, and what to do about it
///
/// Asks a relay, if one is given or was used before, under which address it sees this machine. With
/// a host's line it goes there and says by what way, without sitting down; the host sees nobody
/// come.
///
/// Examples: fairdeal doctor --relay 203.0.113.7    fairdeal doctor deal1…
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The line of a host: tries the way there; - reads it from standard input
    #[arg(value_name = "INVITE|-")]
    invite: Vec<String>,
    /// The relay to ask; without it the one of the line, else the one used last
    #[arg(long, value_name = "ADDRESS")]
    relay: Option<Address>,
    /// The port to look from, UDP and TCP; a free one if it is taken
    #[arg(long, value_name = "P", default_value_t = net::PORT)]
    port: u16,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    let invite: Option<Invite> = match args.invite.as_slice() {
        [] => None,
        words => Some(target(words)?),
    };
    let profile = common.open_profile(&common.home()?)?;
    let remembered = profile.relays::<Address>().unwrap_or_default();
    let invited = invite.iter().flat_map(Invite::relays).next();
    let relay = args.relay.or(invited.copied()).or(remembered.first().copied());
    let looking = async {
        let secret = profile.identity().secret();
        let probed = net::probe(secret, args.port, relay).await?;
        let Some(invite) = &invite else { return Ok((probed, None)) };
        complain(&"Trying the way to the host, which may take a minute …");
        Ok((probed, Some(net::try_path(args.port, invite, &look_word(invite)).await?)))
    };
    let looking = async { looking.await.map_err(|error: NetError| failed(RunError::from(error))) };
    let (probed, tried) = block_on(or_interrupt(looking))?;
    let found = Checkup::new(&probed, tried.as_ref(), relay.is_some(), &profile);
    print(&if args.json { found.json() } else { found.text() });
    Ok(if found.is_bad() { WRONG } else { DONE })
}
