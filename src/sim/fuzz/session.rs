//! A table with one hostile seat on a hostile network, both driven by [`Choices`].
//!
//! All seats run the right program. The network loses, doubles, reorders, holds back and damages;
//! one seat says and signs, beside what its program does, whatever the choices make of it. Honest
//! seats may be stopped by that, but never accuse each other, never sign twice for one place, keep
//! a log that verifies, and always come to rest.

use std::collections::BTreeMap;

use rand::{SeedableRng, rngs::SmallRng};

use super::{Choices, Played, changed, games};
use crate::{
    bot::Bot,
    game::{Action, Seat},
    protocol::{
        codec,
        crypto::hash::Hash,
        limits::ASK_MS,
        log::{evidence, record::Body},
        message::{Note, NoteBody, Status, Talk},
        session::{Link, News, Output, Session, Start},
        table::Table,
        vote::Paper,
    },
};

/// What a run came to, to see that a set of inputs reaches what it should.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Messages that arrived.
    pub delivered: u32,
    /// Messages the hostile seat made up.
    pub forged: u32,
    /// Times a seat started anew.
    pub restarts: u32,
    /// Proofs of a fault that honest seats told of.
    pub faults: u32,
    /// Records that honest seats logged.
    pub records: u32,
}

/// Most decisions of one input.
const STEPS: usize = 400;

/// Most messages under way; what is more is lost.
const MAIL: usize = 1_024;

/// Most messages until a table at which nobody decides anything is at rest.
const REST: u32 = 4 * MAIL as u32;

/// Plays with a table as the choices in `bytes` say.
pub fn session(bytes: &[u8]) -> Tally {
    let mut choices = Choices::new(bytes);
    // Sealed games cost a hundred times as much: one input of eight.
    let game = choices.pick(&[0, 0, 2, 0, 0, 2, 0, 1]).and_then(|game| games().get(*game));
    let Some(game) = game else { return Tally::default() };
    let Some(table) = choices.pick(&game.tables) else { return Tally::default() };
    let mut world = World::new(game, table, &mut choices);
    for _ in 0..STEPS {
        if choices.is_empty() {
            break;
        }
        world.step(&mut choices);
    }
    for _ in 0..4 {
        world.rest();
        world.tick(ASK_MS);
    }
    world.rest();
    world.check(table);
    world.tally
}

struct World<'a> {
    game: &'a Played,
    bodies: Vec<Body>,
    hostile: usize,
    peers: Vec<Peer>,
    mail: Vec<Mail>,
    /// What has been said, for the hostile seat to say again.
    said: Vec<Talk>,
    now: u64,
    bot: SmallRng,
    tally: Tally,
}

struct Peer {
    session: Session,
    boot: u64,
    /// Own records by base, as they were signed.
    signed: BTreeMap<Hash, Vec<u8>>,
    /// Own votes as they were signed.
    votes: Vec<Paper>,
    /// Own records, votes and notes in the order they were signed.
    journal: Vec<Vec<u8>>,
    /// The log as its file has it.
    file: Vec<Vec<u8>>,
}

#[derive(Clone)]
struct Mail {
    from: usize,
    to: usize,
    talk: Talk,
}

impl<'a> World<'a> {
    fn new(game: &'a Played, table: &Table, choices: &mut Choices) -> World<'a> {
        let log = game.before(table);
        let seats = usize::from(game.cast.seats);
        let peer = |seat| {
            let start = Start { log: log.to_vec(), ..game.cast.start(seat) };
            let boot = start.boot;
            let session = Session::new(start).expect("the log of a game");
            Peer {
                session,
                boot,
                signed: BTreeMap::new(),
                votes: Vec::new(),
                journal: Vec::new(),
                file: log.to_vec(),
            }
        };
        let mut world = World {
            game,
            bodies: game.bodies(),
            hostile: choices.below(seats),
            peers: (0..game.cast.seats).map(peer).collect(),
            mail: Vec::new(),
            said: Vec::new(),
            now: 0,
            bot: SmallRng::seed_from_u64(choices.byte().into()),
            tally: Tally::default(),
        };
        for seat in 0..seats {
            world.connect(seat);
        }
        world.tick(0);
        world
    }

    fn connect(&mut self, seat: usize) {
        for other in (0..self.peers.len()).filter(|other| *other != seat) {
            self.peers[seat].session.link_up(Link(other as u32));
        }
        self.collect(seat);
    }

    fn step(&mut self, choices: &mut Choices) {
        let op = choices.byte() % 16;
        let at = if op < 6 { 0 } else { choices.below(self.mail.len()) };
        match op {
            0..=8 if at < self.mail.len() => {
                let mail = self.mail.remove(at);
                self.deliver(mail);
            }
            9 if at < self.mail.len() => drop(self.mail.remove(at)),
            10 => {
                let again = self.mail.get(at).cloned();
                self.mail.extend(again);
            }
            11 => self.damage(at, choices),
            12 | 13 => self.forge(choices),
            14 => self.tick(choices.edge() % (2 * ASK_MS)),
            15 => self.interrupt(choices),
            _ => self.decide(),
        }
    }

    /// Carries one message on with bytes changed: if it still is one, it arrives.
    fn damage(&mut self, at: usize, choices: &mut Choices) {
        let Some(mail) = self.mail.get(at).cloned() else { return };
        let mut bytes = codec::encode(&mail.talk);
        choices.mutate(&mut bytes);
        if let Ok(talk) = codec::decode(&bytes) {
            self.deliver(Mail { talk, ..mail });
        }
    }

    /// Lets the hostile seat say something its program would not.
    fn forge(&mut self, choices: &mut Choices) {
        let to = choices.below(self.peers.len());
        let talk = match choices.byte() % 8 {
            0 | 1 => self.forged_record(choices).map(Talk::Fresh),
            2 => {
                let count = choices.below(4);
                let records = (0..count).filter_map(|_| self.some_record(choices)).collect();
                let (from, length) = (choices.edge() as u32, choices.edge() as u32);
                Some(Talk::Records { from, length, records })
            }
            3 => {
                let table = self.peers[to].session.table();
                let length = match choices.byte() % 3 {
                    0 => choices.edge() as u32,
                    _ => table.length(),
                };
                let head = if choices.byte() < 128 { *table.head() } else { [choices.byte(); 32] };
                let votes = [choices.byte(); 32];
                Some(Talk::Status(Status { length, head, held: choices.byte(), votes }))
            }
            4 => Some(Talk::Get(choices.edge() as u32)),
            5 | 6 => Some(self.forged_note(to, choices)),
            _ => choices.pick(&self.said).cloned(),
        };
        let Some(talk) = talk else { return };
        self.tally.forged += 1;
        self.deliver(Mail { from: self.hostile, to, talk });
    }

    /// A record of the hostile seat: changed, or of a body from elsewhere, at a place that is open
    /// to some seat or was.
    fn forged_record(&self, choices: &mut Choices) -> Option<Vec<u8>> {
        let identity = self.game.identity(self.hostile as u8);
        let own = self.some_record(choices)?;
        let mut record = changed(self.game, &own, choices)?;
        let place = self.peers.get(choices.below(self.peers.len()))?.session.table();
        let how = choices.byte() % 8;
        if how != 0 {
            record.seat = self.hostile as u8;
        }
        if how > 2 {
            (record.base, record.state) = (*place.base(), *place.state());
        }
        if how > 4 {
            record.body = choices.pick(&self.bodies)?.clone();
        }
        Some(record.sign(&identity))
    }

    /// A record that some seat has logged or signed.
    fn some_record(&self, choices: &mut Choices) -> Option<Vec<u8>> {
        let peer = self.peers.get(choices.below(self.peers.len()))?;
        let late = peer.file.len().saturating_sub(12);
        match choices.byte() % 4 {
            0 => choices.pick(&peer.file).cloned(),
            1 => choices.pick(&peer.signed.values().collect::<Vec<_>>()).map(|own| own.to_vec()),
            _ => choices.pick(peer.file.get(late..)?).cloned(),
        }
    }

    fn forged_note(&self, to: usize, choices: &mut Choices) -> Talk {
        let asker = choices.below(self.peers.len());
        let body = match choices.byte() % 3 {
            0 => NoteBody::Started,
            _ => NoteBody::Held {
                asker: asker as u8,
                asker_boot: self.peers[asker].boot,
                record: self.some_record(choices),
                votes: Vec::new(),
            },
        };
        let note = Note {
            game: *self.peers[to].session.table().game_id(),
            seat: self.hostile as u8,
            boot: choices.edge(),
            counter: choices.edge(),
            body,
        };
        let mut bytes = note.sign(&self.game.identity(self.hostile as u8));
        if choices.byte() < 32 {
            choices.mutate(&mut bytes);
        }
        Talk::Note(bytes)
    }

    /// A seat loses a link, gets it back, does not want to wait for another, or starts anew from
    /// its disk.
    fn interrupt(&mut self, choices: &mut Choices) {
        let (seat, other) = (choices.below(self.peers.len()), choices.below(self.peers.len()));
        match choices.byte() % 5 {
            4 => {
                let owner = Seat::new(other as u8).expect("a seat");
                // Refused where that seat is not awaited.
                let _ = self.peers[seat].session.claim(owner, self.now);
            }
            0 => self.peers[seat].session.link_down(Link(other as u32)),
            1 if seat != other => self.peers[seat].session.link_up(Link(other as u32)),
            _ => self.restart(seat),
        }
        self.collect(seat);
    }

    fn restart(&mut self, seat: usize) {
        let peer = &mut self.peers[seat];
        peer.boot += 16;
        let start = Start {
            log: peer.file.clone(),
            journal: peer.journal.clone(),
            boot: peer.boot,
            again: true,
            ..self.game.cast.start(seat as u8)
        };
        peer.session = Session::new(start).expect("its own file");
        self.tally.restarts += 1;
        self.connect(seat);
    }

    fn tick(&mut self, ms: u64) {
        self.now += ms;
        for seat in 0..self.peers.len() {
            self.peers[seat].session.tick(self.now);
            self.collect(seat);
        }
        self.decide();
    }

    fn decide(&mut self) {
        for seat in 0..self.peers.len() {
            let session = &mut self.peers[seat].session;
            let Some(view) = session.view().filter(|_| session.asks()) else { continue };
            let done = match Bot::Random.choose(&view, &mut self.bot) {
                Action::Keep => session.choose(false),
                Action::Flip => session.choose(true),
                action => session.act(action),
            };
            assert_eq!(done, Ok(()), "an action the view calls legal");
            self.collect(seat);
        }
    }

    fn deliver(&mut self, Mail { from, to, talk }: Mail) {
        if from == to {
            return;
        }
        self.tally.delivered += 1;
        self.peers[to].session.receive(Link(from as u32), talk, self.now);
        self.collect(to);
    }

    /// Nobody decides anything and all is delivered: that must come to an end.
    fn rest(&mut self) {
        let before = self.tally.delivered;
        while !self.mail.is_empty() {
            for mail in std::mem::take(&mut self.mail) {
                self.deliver(mail);
            }
            assert!(self.tally.delivered - before < REST, "the seats talk without end");
        }
    }

    fn collect(&mut self, seat: usize) {
        while let Some(output) = self.peers[seat].session.poll() {
            match output {
                Output::Journal(own) => self.journal(seat, own),
                Output::Append(records) => self.peers[seat].file.extend(records),
                Output::Cut { kept, .. } => self.peers[seat].file.truncate(kept as usize),
                Output::Send(Link(to), talk) => {
                    if self.said.len() < MAIL {
                        self.said.push(talk.clone());
                    }
                    if self.mail.len() < MAIL {
                        self.mail.push(Mail { from: seat, to: to as usize, talk });
                    }
                }
                Output::Tell(news) => self.hear(seat, news),
            }
        }
    }

    fn journal(&mut self, seat: usize, own: Vec<u8>) {
        let peer = &mut self.peers[seat];
        peer.journal.push(own.clone());
        let before = if let Ok(record) = super::Unchecked::decode(&own) {
            peer.signed.insert(record.record().base, own.clone())
        } else if let Some(vote) = peer.session.table().open_vote(&own) {
            let against = peer.votes.iter().find(|other| other.excludes(vote.paper()));
            assert!(against.is_none() || seat == self.hostile, "an honest seat voted both ways");
            peer.votes.push(vote.paper().clone());
            None
        } else {
            None
        };
        let same = before.is_none_or(|before| before == own);
        assert!(same || seat == self.hostile, "an honest seat signed twice for one place or try");
    }

    fn hear(&mut self, at: usize, news: News) {
        if at == self.hostile {
            return;
        }
        match news {
            News::Fault { seat, reason, evidence } => {
                self.tally.faults += 1;
                assert_eq!(seat.index(), self.hostile, "an honest seat is accused: {reason}");
                let proven = evidence::check(&evidence);
                let proven = proven.map(|proven| (proven.seat, proven.reason));
                assert_eq!(proven, Ok((seat, reason)));
            }
            News::RunningTwice => panic!("nobody else has the key of seat {at}"),
            _ => {}
        }
    }

    /// The logs of the honest seats verify from where the run began.
    fn check(&mut self, start: &Table) {
        for (seat, peer) in self.peers.iter().enumerate() {
            if seat == self.hostile {
                continue;
            }
            let log = peer.session.log();
            assert_eq!(log, peer.file, "the file is the log");
            let mut table = start.clone();
            for bytes in &log[start.length() as usize..] {
                let record = table.admit(bytes).expect("a logged record");
                table.append(record).expect("a logged record in its place");
                self.tally.records += 1;
            }
            assert_eq!(table.head(), peer.session.table().head());
        }
    }
}
