//! What stands between this machine and others, in words for people and as JSON for programs.

use std::io::IsTerminal;

use serde_json::{Value, json};

use crate::{
    run::{Address, Asked, Mapping, Nat, Probed, Tried, key_words},
    store::{Home, Profile},
};

/// What a look around has found.
pub struct Checkup {
    findings: Vec<Finding>,
    nat: Nat,
    /// How the host was reached, where one was named.
    path: Option<Value>,
}

/// How well something is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// As it should be.
    Good,
    /// Worth knowing.
    Note,
    /// In the way of playing.
    Bad,
}

/// One line of the verdict.
struct Finding {
    what: &'static str,
    state: State,
    words: String,
    /// What to do; empty if nothing is.
    advice: &'static str,
}

impl Finding {
    fn new(what: &'static str, state: State, words: impl Into<String>) -> Finding {
        Finding { what, state, words: words.into(), advice: "" }
    }

    fn advise(self, advice: &'static str) -> Finding {
        Finding { advice, ..self }
    }
}

impl Checkup {
    /// What was found of the network, of the way to a host where that was tried, and of this
    /// machine; whether a relay was asked.
    pub fn new(
        probed: &Probed,
        tried: Option<&Tried>,
        asked_relay: bool,
        profile: &Profile,
    ) -> Checkup {
        let nat = probed.nat();
        let findings = vec![
            addresses(probed),
            router(nat, asked_relay),
            port(probed.mapping, nat),
            relay_finding(probed.relay.as_ref()),
            tried.map_or_else(|| punch(nat), |tried| path(tried, nat)),
            clock(),
            terminal(),
            key(profile),
            store(profile.home()),
        ];
        Checkup { findings, nat, path: tried.map(path_as_json) }
    }

    /// Whether something is in the way of playing.
    pub fn is_bad(&self) -> bool {
        self.findings.iter().any(|finding| finding.state == State::Bad)
    }

    /// Line by line, for people.
    pub fn text(&self) -> String {
        let line = |finding: &Finding| {
            let sign = match finding.state {
                State::Good => "ok  ",
                State::Note => "note",
                State::Bad => "BAD ",
            };
            let advice = match finding.advice {
                "" => String::new(),
                advice => format!("\n{:18}-> {advice}", ""),
            };
            format!("{sign}  {:<11} {}{advice}\n", finding.what, finding.words)
        };
        self.findings.iter().map(line).collect()
    }

    /// As JSON, for programs.
    pub fn json(&self) -> String {
        let router = match self.nat {
            Nat::NoNetwork => "no network",
            Nat::Unknown => "unknown",
            Nat::Public => "public",
            Nat::Cone => "cone",
            Nat::Symmetric => "symmetric",
            Nat::NoUdp => "no udp",
            Nat::OnePort { kept: true } => "keeps the port",
            Nat::OnePort { kept: false } => "changes the port",
        };
        let one = |finding: &Finding| {
            let state = match finding.state {
                State::Good => "good",
                State::Note => "note",
                State::Bad => "bad",
            };
            json!({
                "what": finding.what,
                "state": state,
                "words": finding.words,
                "advice": finding.advice,
            })
        };
        let findings: Vec<_> = self.findings.iter().map(one).collect();
        format!("{}\n", json!({ "router": router, "path": self.path, "findings": findings }))
    }
}

fn addresses(probed: &Probed) -> Finding {
    let list: Vec<String> = probed.inside.iter().map(Address::to_string).collect();
    match probed.nat() {
        Nat::NoNetwork => Finding::new("addresses", State::Bad, "this machine is on no network")
            .advise("connect it; games on this machine alone work (`fairdeal demo`)"),
        _ => Finding::new("addresses", State::Good, list.join(", ")),
    }
}

fn router(nat: Nat, asked: bool) -> Finding {
    let (state, words, advice) = match nat {
        Nat::NoNetwork => (State::Bad, "no network, so no router", ""),
        Nat::Unknown if asked => {
            (State::Note, "unknown: the relay did not answer", "see the relay below")
        }
        Nat::Unknown => (
            State::Note,
            "unknown without a relay to ask",
            "name one: fairdeal doctor --relay ADDRESS",
        ),
        Nat::Public => (State::Good, "none in between: the address is public", ""),
        Nat::Cone => (State::Good, "a router that keeps one port for everybody", ""),
        Nat::Symmetric => (
            State::Note,
            "a router that shows each connection another port (symmetric)",
            "forward the port by hand, or play through a relay",
        ),
        Nat::OnePort { kept: true } => (
            State::Note,
            "a router that kept the port of the one connection that could be made",
            ONE_PORT,
        ),
        Nat::OnePort { kept: false } => (
            State::Note,
            "a router that changed the port, perhaps for each connection (symmetric)",
            ONE_PORT,
        ),
        Nat::NoUdp => (
            State::Note,
            "UDP does not pass, TCP does",
            "allow UDP on the firewall if it is yours; games run over TCP",
        ),
    };
    Finding::new("router", state, words).advise(advice)
}

/// What to do where one port of the relay does not answer.
const ONE_PORT: &str = "open the relay's next port too (UDP and TCP): two ports tell more";

fn port(mapping: Mapping, nat: Nat) -> Finding {
    match mapping {
        Mapping::Forwards(address) => {
            Finding::new("port", State::Good, format!("the router forwards {address} (UPnP)"))
        }
        _ if nat == Nat::Public => {
            Finding::new("port", State::Good, "nothing to forward: the address is public")
        }
        Mapping::NotPublic => {
            Finding::new("port", State::Note, "the router has no public address itself")
                .advise("ask the provider for one, use IPv6, or play through a relay")
        }
        Mapping::None => Finding::new("port", State::Note, "no router forwards it (no UPnP)")
            .advise("turn on UPnP, or forward UDP and TCP by hand, to host without a relay"),
    }
}

fn relay_finding(asked: Option<&Asked>) -> Finding {
    let Some(asked) = asked else {
        return Finding::new("relay", State::Note, "none was named or used before").advise(
            "two homes behind routers need one: `fairdeal relay` on a machine both can reach",
        );
    };
    let time = |name, time: Option<std::time::Duration>| match time {
        Some(time) => format!("{name} {} ms", time.as_millis()),
        None => format!("{name} no answer"),
    };
    let times = format!("{}, {}", time("QUIC", asked.quic), time("TCP", asked.tcp));
    let words = format!("{}: {times}", asked.address);
    match (asked.quic.or(asked.tcp), asked.keeps) {
        (Some(_), true) => {
            Finding::new("relay", State::Good, format!("{words}; others can reach you through it"))
        }
        (Some(_), false) => {
            Finding::new("relay", State::Bad, format!("{words}; it keeps no place for you"))
                .advise("it may be full, or no `fairdeal relay`: try another")
        }
        (None, _) => Finding::new("relay", State::Bad, format!("{words}; {}", asked.fault))
            .advise("see that `fairdeal relay` runs there, and that its port is open"),
    }
}

fn punch(nat: Nat) -> Finding {
    let (state, words) = match nat {
        Nat::NoNetwork => (State::Bad, "not without a network"),
        Nat::Unknown => (State::Note, "unknown, since the router is"),
        Nat::Public => (State::Good, "not needed: others reach this machine directly"),
        Nat::Cone => (State::Good, "to be expected, unless the other router changes ports"),
        Nat::Symmetric => {
            (State::Note, "not to be expected: nobody can tell which port the router will use")
        }
        Nat::OnePort { kept: true } => {
            (State::Note, "likely, unless the other router changes ports")
        }
        Nat::OnePort { kept: false } => {
            (State::Note, "doubtful: the router changes ports; a relay carries the game then")
        }
        Nat::NoUdp => (State::Note, "over TCP only, which fails more often"),
    };
    let finding = Finding::new("direct path", state, words);
    match nat {
        Nat::NoNetwork => finding,
        _ => finding.advise("to try it, name a host's line: fairdeal doctor deal1…"),
    }
}

/// How the host of an invite was reached.
fn path(tried: &Tried, nat: Nat) -> Finding {
    let (state, words) = match tried {
        Tried::Direct { transport, after } => (
            State::Good,
            format!("direct at once: after {} ms over {transport}", after.as_millis()),
        ),
        Tried::Punched { relay, transport, after } => {
            let time = after.as_millis();
            let words =
                format!("direct after {time} ms over {transport}; first by the relay {relay}");
            (State::Good, words)
        }
        Tried::Relayed { relay, reason } => {
            let reason = match reason {
                Some(reason) => format!("{reason}{}", side(nat)),
                None => "no word of the try came in time".into(),
            };
            (State::Note, format!("failed: {reason}; the relay {relay} carries the game"))
        }
        Tried::Unreached(fault) => (State::Bad, format!("the host was not reached: {fault}")),
    };
    let finding = Finding::new("direct path", state, words);
    match tried {
        Tried::Relayed { .. } => {
            finding.advise("for a direct one, forward the port by hand on one side (UDP and TCP)")
        }
        _ => finding,
    }
}

/// What is known of this side where no hole could be punched.
fn side(nat: Nat) -> &'static str {
    match nat {
        Nat::NoNetwork | Nat::Unknown | Nat::Public => "",
        Nat::Symmetric => "; the router here shows each connection another port",
        Nat::OnePort { kept: false } => "; the router here changes ports",
        Nat::NoUdp => "; UDP does not pass here",
        Nat::Cone | Nat::OnePort { kept: true } => {
            "; the router here keeps its port, so it is most likely the other one that does not"
        }
    }
}

fn clock() -> Finding {
    let now = time::OffsetDateTime::now_utc();
    let words = format!("{}, {:02}:{:02} UTC", now.date(), now.hour(), now.minute());
    if now.year() < 2026 {
        return Finding::new("clock", State::Note, words)
            .advise("set it: finished games are named by their day");
    }
    Finding::new("clock", State::Good, words)
}

fn terminal() -> Finding {
    let term = std::env::var("TERM").unwrap_or_default();
    let language = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let utf8 = language.unwrap_or_default().to_lowercase().replace('-', "").contains("utf8");
    if !std::io::stdout().is_terminal() || term == "dumb" {
        return Finding::new("terminal", State::Note, "none: lines instead of screens");
    }
    let finding = Finding::new("terminal", State::Note, format!("{term}, not UTF-8"));
    match utf8 {
        true => Finding::new("terminal", State::Good, format!("{term}, UTF-8")),
        false => finding.advise("--ascii, or a UTF-8 locale"),
    }
}

fn key(profile: &Profile) -> Finding {
    let words = key_words(&profile.identity().public());
    Finding::new("key", State::Good, format!("profile {}, {words}", profile.name()))
}

fn store(home: &Home) -> Finding {
    let path = home.path().display();
    match tempfile::tempfile_in(home.path()) {
        Ok(_) => Finding::new("store", State::Good, path.to_string()),
        Err(error) => Finding::new("store", State::Bad, format!("{path}: {error}"))
            .advise("make room, or name another folder with FAIRDEAL_HOME"),
    }
}

fn path_as_json(tried: &Tried) -> Value {
    match tried {
        Tried::Direct { transport, after } => json!({
            "result": "direct",
            "transport": transport.to_string(),
            "ms": after.as_millis() as u64,
        }),
        Tried::Punched { relay, transport, after } => json!({
            "result": "punched",
            "relay": relay.to_string(),
            "transport": transport.to_string(),
            "ms": after.as_millis() as u64,
        }),
        Tried::Relayed { relay, reason } => {
            let tried = reason.iter().flat_map(|reason| &reason.tried);
            let tried: Vec<String> = tried.map(|(to, over)| format!("{to} {over}")).collect();
            let reason = reason.as_ref().map(ToString::to_string);
            let relay = relay.to_string();
            json!({ "result": "relayed", "relay": relay, "tried": tried, "reason": reason })
        }
        Tried::Unreached(fault) => json!({ "result": "unreached", "reason": fault.to_string() }),
    }
}
