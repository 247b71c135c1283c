//! Games to attack: played once, and the tables in the middle of them.

use std::sync::OnceLock;

use crate::{
    bot::Bot,
    protocol::{
        crypto::identity::Identity,
        lobby::DealKind,
        log::{
            file::{MAGIC, frame},
            record::{Body, Record, Unchecked},
        },
        table::{Phase, Table},
    },
    sim::{Cast, Lockstep},
};

/// A whole game.
pub struct Played {
    /// Who played it.
    pub cast: Cast,
    /// Its records.
    pub log: Vec<Vec<u8>>,
    /// The table at the first place of each kind of phase; of turns at several.
    pub tables: Vec<Table>,
}

/// Turns at which a table is kept.
const TURNS: usize = 6;

impl Played {
    fn new(cast: Cast) -> Played {
        let mut world = Lockstep::new(cast, Bot::Random);
        world.run_until(|table| table.phase() == Phase::Complete);
        let log = world.sessions.first().map(|session| session.log().to_vec()).unwrap_or_default();
        let (tables, _) = tables_of(&log);
        Played { cast, log, tables }
    }

    /// The records of the log up to a table.
    pub fn before(&self, table: &Table) -> &[Vec<u8>] {
        self.log.get(..table.length() as usize).unwrap_or_default()
    }

    /// The key of a seat number, whatever it is.
    pub fn identity(&self, seat: u8) -> Identity {
        self.cast.identity(seat % self.cast.seats)
    }

    /// The bodies of its records.
    pub fn bodies(&self) -> Vec<Body> {
        let body = |bytes: &Vec<u8>| Some(Unchecked::decode(bytes).ok()?.record().body.clone());
        self.log.iter().filter_map(body).collect()
    }

    /// `body` signed by a seat at the open place of `table`.
    pub fn sign_at(&self, table: &Table, seat: u8, body: Body) -> Vec<u8> {
        let record = Record { base: *table.base(), state: *table.state(), seat, body };
        record.sign(&self.identity(seat))
    }
}

/// The tables of a log at which a new kind of phase begins, and the one at its end.
fn tables_of(log: &[Vec<u8>]) -> (Vec<Table>, Option<Table>) {
    let mut tables: Vec<Table> = Vec::new();
    let Some(first) = log.first() else { return (tables, None) };
    let Ok((mut table, _)) = Table::found(first) else { return (tables, None) };
    for bytes in &log[1..] {
        let kind = table.phase().kind();
        let alike = tables.iter().filter(|old| old.phase().kind() == kind).count();
        let most = if matches!(table.phase(), Phase::Turn(_)) { TURNS } else { 1 };
        if alike < most && table.length() == table.length_whole() {
            tables.push(table.clone());
        }
        let Ok(record) = table.admit(bytes) else { return (tables, None) };
        if table.append(record).is_err() {
            return (tables, None);
        }
    }
    tables.push(table.clone());
    (tables, Some(table))
}

/// The games: open of three, sealed of two, open of two.
pub fn games() -> &'static [Played] {
    static GAMES: OnceLock<Vec<Played>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let casts = [(3, DealKind::Open, 5), (2, DealKind::Sealed, 6), (2, DealKind::Open, 7)];
        casts.map(|(seats, deal, seed)| Played::new(Cast::new(seats, deal, seed))).into()
    })
}

/// Records as a log file.
pub fn file(records: &[Vec<u8>]) -> Vec<u8> {
    let frames = records.iter().flat_map(|record| frame(record));
    MAGIC.iter().copied().chain(frames).collect()
}
