//! Watching a table: its log as the players have it, read record by record, and nothing written.

use super::{
    GuestError, LobbyNews, RunError,
    seek::{Seek, Sought, printable},
};
use crate::{
    net::Target,
    protocol::{
        lobby::Roster,
        message::{Lobby, Message, Talk},
        name::Name,
        table::{Fact, Phase, Table},
    },
    store::Profile,
};

/// Somebody who watches a table. The log has no card that is not shown yet; of an open deal, whose
/// log gives all cards away, what is told here shows none either.
pub struct Watch {
    seek: Seek,
    table: Option<Table>,
    roster: Vec<u8>,
    /// Whether the log is read from its beginning once more, and the end is not reached yet.
    again: bool,
    /// Its key is in use.
    _profile: Profile,
}

/// What one who watches is told.
#[derive(Debug, Clone)]
pub enum Seen {
    /// What happens before the game, or on the way to it.
    Lobby(LobbyNews),
    /// The game's facts follow from its beginning: for the first time, or since the table has
    /// settled something otherwise than it stood.
    Begun(Box<Roster>),
    /// Something became true at the table.
    Fact(Fact),
}

impl Watch {
    /// Starts the network.
    ///
    /// # Errors
    /// [`RunError`] if the network does not start.
    pub async fn open(
        profile: Profile,
        name: Name,
        target: Target,
        local: bool,
    ) -> Result<Watch, RunError> {
        let seek = Seek::open(&profile, &name, target, local).await?;
        Ok(Watch { seek, table: None, roster: Vec::new(), again: false, _profile: profile })
    }

    /// Tells what happens, until the game is complete.
    ///
    /// # Errors
    /// [`GuestError`] if the host refuses, the table is over, or what the host sends is not right.
    pub async fn follow(mut self, mut tell: impl FnMut(Seen)) -> Result<(), GuestError> {
        self.seek.begin(&mut |news| tell(Seen::Lobby(news)))?;
        while self.table.as_ref().is_none_or(|table| table.phase() != Phase::Complete) {
            match self.seek.next(&mut |news| tell(Seen::Lobby(news))).await? {
                Sought::Met { secret } => {
                    self.again = false;
                    self.seek.say(&Message::Lobby(Lobby::Watch { secret }));
                }
                Sought::Said(Message::Lobby(Lobby::Refused(reason))) => {
                    return Err(GuestError::Unwatched(printable(&reason)));
                }
                Sought::Said(Message::Lobby(Lobby::Seats { players, joins, terms, watching })) => {
                    let presence = self.seek.presence();
                    let news = LobbyNews::Seats { joins, players, terms, presence, watching };
                    tell(Seen::Lobby(news));
                }
                Sought::Said(Message::Lobby(Lobby::Roster(record))) => {
                    self.founded(record, &mut tell)?;
                }
                Sought::Said(Message::Table(game, Talk::Records { from, length, records })) => {
                    if self.table.as_ref().is_some_and(|table| *table.game_id() == game) {
                        self.take((from, length), &records, &mut tell)?;
                    }
                }
                Sought::Later | Sought::Said(_) => {}
            }
        }
        // The host waits a moment for who has not got all of it.
        self.ask();
        self.seek.connection.net.shutdown().await;
        Ok(())
    }

    /// The roster is here, for the first time or after the host was away.
    fn founded(&mut self, record: Vec<u8>, tell: &mut impl FnMut(Seen)) -> Result<(), GuestError> {
        let (table, _) =
            Table::found(&record).map_err(|error| GuestError::Roster(error.to_string()))?;
        let first = table.roster().joins.first().map(|join| join.key);
        if self.seek.host() != first.map(|host| (host, table.roster().terms.id)) {
            return Err(GuestError::Roster("it is for another table".into()));
        }
        if self.roster != record {
            tell(Seen::Begun(Box::new(table.roster().clone())));
            (self.table, self.roster) = (Some(table), record);
        }
        self.ask();
        Ok(())
    }

    /// Asks for the records after those that are known.
    fn ask(&self) {
        if let Some(table) = &self.table {
            let message = Message::Table(*table.game_id(), Talk::Get(table.length()));
            self.seek.say(&message);
        }
    }

    /// Reads records of the log, and asks for the next.
    fn take(
        &mut self,
        (from, length): (u32, u32),
        records: &[Vec<u8>],
        tell: &mut impl FnMut(Seen),
    ) -> Result<(), GuestError> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let fits = from == table.length() && !records.is_empty();
        let mut wrong = (!fits).then(|| "they do not go on where they should".to_string());
        for record in records.iter().take_while(|_| fits) {
            match table.admit(record).and_then(|record| table.append(record)) {
                Ok(facts) => facts.into_iter().for_each(|fact| tell(Seen::Fact(fact))),
                Err(refusal) => {
                    wrong = Some(refusal.to_string());
                    break;
                }
            }
        }
        match wrong {
            // The table may have undone what it settled otherwise: then all is well from the start.
            Some(reason) if self.again => return Err(GuestError::Log(reason)),
            Some(_) => {
                self.again = true;
                self.table = None;
                let record = std::mem::take(&mut self.roster);
                return self.founded(record, tell);
            }
            None if table.length() >= length => self.again = false,
            None => {}
        }
        self.ask();
        Ok(())
    }
}
