//! One stream with one peer, from Welcome to its end. A session tells its own Up, frames and
//! Down, so their order is the order of the stream.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use libp2p::{PeerId, Stream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::address::Address;
use super::fault::DialFault;
use super::frame::{self, End, Frame};
use super::limits::{
    BEAT, LEAVE, MOVE, QUEUE_BYTES, QUEUE_FRAME_COST, QUEUE_FRAMES, STRANGER_FRAME_BYTES,
    STRANGER_FRAMES, WELCOME,
};
use super::node::{NetEvent, Served};
use super::path::Path;
use super::punch::Punched;
use crate::protocol::crypto::identity::PublicKey;

/// What tasks tell the driver.
pub(super) enum Report {
    /// A peer opened a stream.
    Stream { peer: PeerId, stream: Stream },
    /// The first frame of such a stream was Hello with this greeting, or no Hello came.
    Hello { peer: PublicKey, hello: Result<(Stream, Vec<u8>), End> },
    /// The opening with this number ended: a stream and the peer's greeting, or a reason.
    Opened { peer: PublicKey, number: u64, opened: Result<Opened, DialFault> },
    /// The session with this number told Up.
    Up { peer: PublicKey, number: u64 },
    /// The session with this number is over.
    Ended { peer: PublicKey, number: u64, end: End },
}

/// A stream we opened, whose Hello was answered.
pub(super) struct Opened {
    pub(super) stream: Stream,
    /// The greeting we said.
    pub(super) said: Vec<u8>,
    /// The greeting of the peer.
    pub(super) greeting: Vec<u8>,
}

/// What the handle, the driver and the sessions share.
pub(super) struct Shared {
    outboxes: Mutex<HashMap<PublicKey, Outbox>>,
    greeting: watch::Sender<Vec<u8>>,
    listening: Mutex<Vec<Address>>,
    relays: Mutex<Vec<Address>>,
    served: Mutex<Served>,
    /// Who is no stranger.
    trusted: Mutex<HashSet<PublicKey>>,
}

/// The way into the session that is up.
struct Outbox {
    number: u64,
    frames: mpsc::Sender<Queued>,
    room: Arc<Semaphore>,
    stop: Arc<Notify>,
    rtt: Option<Duration>,
}

/// A session that ended, or is to end, as the one after it sees it.
pub(super) struct Previous {
    /// Gives whether the peer was not told to be Down, since it was known that another follows.
    task: JoinHandle<bool>,
    /// Rung by the one that follows.
    next: Arc<Notify>,
}

impl Previous {
    /// Whether it has told its end.
    pub(super) fn is_over(&self) -> bool {
        self.task.is_finished()
    }
}

/// A frame on its way, and the room it takes until it is written.
struct Queued {
    frame: Frame,
    room: OwnedSemaphorePermit,
}

/// Where a session tells what happens.
#[derive(Clone)]
pub(super) struct Wires {
    pub(super) shared: Arc<Shared>,
    pub(super) events: mpsc::Sender<NetEvent>,
    pub(super) reports: mpsc::UnboundedSender<Report>,
}

/// A stream whose Hello has passed.
pub(super) struct PeerSession {
    pub(super) peer: PublicKey,
    pub(super) number: u64,
    pub(super) path: Path,
    pub(super) punched: Option<Punched>,
    /// The peer's.
    pub(super) greeting: Vec<u8>,
    /// Ours, as said in Hello; `None` where it is still to be said, in Welcome.
    pub(super) said: Option<Vec<u8>>,
    /// The session before, whose Down comes before our Up.
    pub(super) previous: Option<Previous>,
    /// Rung when another session follows.
    pub(super) next: Arc<Notify>,
    /// Ends it at once.
    pub(super) stop: Arc<Notify>,
}

impl Shared {
    /// Nobody is up, and nothing listens yet.
    pub(super) fn new(greeting: Vec<u8>) -> Shared {
        Shared {
            outboxes: Mutex::default(),
            greeting: watch::Sender::new(greeting),
            listening: Mutex::default(),
            relays: Mutex::default(),
            served: Mutex::default(),
            trusted: Mutex::default(),
        }
    }

    /// Queues a frame for a peer that is up. A peer whose queue is full is dropped.
    pub(super) fn send(&self, peer: &PublicKey, frame: Vec<u8>) {
        let mut outboxes = lock(&self.outboxes);
        let Some(outbox) = outboxes.get(peer) else {
            return;
        };
        let cost = QUEUE_FRAME_COST.saturating_add(frame.len() as u32);
        let room = Arc::clone(&outbox.room).try_acquire_many_owned(cost);
        let queued = room.is_ok_and(|room| {
            let queued = Queued { frame: Frame::Data(frame), room };
            outbox.frames.try_send(queued).is_ok()
        });
        if !queued && let Some(full) = outboxes.remove(peer) {
            tracing::warn!(?peer, "its queue is full, dropping the connection");
            full.stop.notify_one();
        }
    }

    /// Lets a session write what is queued and end.
    pub(super) fn drain(&self, peer: &PublicKey) {
        lock(&self.outboxes).remove(peer);
    }

    /// The greeting to say now.
    pub(super) fn greeting(&self) -> Vec<u8> {
        self.greeting.borrow().clone()
    }

    /// Says another greeting, also to those who are up.
    pub(super) fn set_greeting(&self, greeting: Vec<u8>) {
        self.greeting.send_replace(greeting);
    }

    /// The addresses to give to others.
    pub(super) fn listening(&self) -> Vec<Address> {
        lock(&self.listening).clone()
    }

    /// The relays through which we can be reached.
    pub(super) fn relays(&self) -> Vec<Address> {
        lock(&self.relays).clone()
    }

    /// Keeps the relays through which we can be reached.
    pub(super) fn set_relays(&self, relays: Vec<Address>) {
        *lock(&self.relays) = relays;
    }

    /// What is carried for others.
    pub(super) fn served(&self) -> Served {
        *lock(&self.served)
    }

    /// Keeps what is carried for others.
    pub(super) fn set_served(&self, served: Served) {
        *lock(&self.served) = served;
    }

    /// From now on these are no strangers, and all others are.
    pub(super) fn trust(&self, peers: HashSet<PublicKey>) {
        *lock(&self.trusted) = peers;
    }

    /// Whether a peer is no stranger.
    fn trusts(&self, peer: &PublicKey) -> bool {
        lock(&self.trusted).contains(peer)
    }

    /// The last round trip to a peer that is up, if one was measured.
    pub(super) fn rtt(&self, peer: &PublicKey) -> Option<Duration> {
        lock(&self.outboxes).get(peer)?.rtt
    }

    fn set_rtt(&self, peer: &PublicKey, number: u64, rtt: Duration) {
        if let Some(outbox) = lock(&self.outboxes).get_mut(peer)
            && outbox.number == number
        {
            outbox.rtt = Some(rtt);
        }
    }

    /// Keeps the addresses to give to others; whether they are new.
    pub(super) fn set_listening(&self, addresses: &[Address]) -> bool {
        let mut listening = lock(&self.listening);
        let new = *listening != addresses;
        *listening = addresses.to_vec();
        new
    }
}

/// The lock, whatever happened to another holder: every change under it is whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the Hello of a stream the peer opened, and reports it.
pub(super) async fn hear(peer: PublicKey, mut stream: Stream, wires: Wires) {
    let hello = match timeout(WELCOME, frame::read(&mut stream)).await {
        Ok(Ok(Frame::Hello(greeting))) => Ok((stream, greeting)),
        Ok(Ok(_)) => Err(End::Fault),
        Ok(Err(end)) => Err(end),
        Err(_) => Err(End::Silent),
    };
    let _ = wires.reports.send(Report::Hello { peer, hello });
}

impl PeerSession {
    /// Starts to run.
    pub(super) fn spawn(self, stream: Stream, wires: Wires) -> Previous {
        let next = Arc::clone(&self.next);
        Previous { task: tokio::spawn(self.run(stream, wires)), next }
    }

    /// Runs until the stream ends, and reports how. Gives whether the peer is still to be told
    /// Down, by the session after this.
    async fn run(mut self, stream: Stream, wires: Wires) -> bool {
        let (peer, number) = (self.peer, self.number);
        let (up, end) = self.serve(stream, &wires).await;
        tracing::debug!(?peer, number, ?end, "session ended");
        let _ = wires.reports.send(Report::Ended { peer, number, end });
        if !up {
            return false;
        }
        // A circuit that ends is most often replaced by something better at once.
        let ours = matches!(end, End::Closed | End::Stopped) && self.path.is_relayed();
        if ours && timeout(MOVE, self.next.notified()).await.is_ok() {
            return true;
        }
        let _ = wires.events.send(NetEvent::Down { peer }).await;
        false
    }

    /// Runs until the stream ends; gives whether the peer was told Up, and the end.
    async fn serve(&mut self, mut stream: Stream, wires: &Wires) -> (bool, End) {
        let mut greetings = wires.shared.greeting.subscribe();
        if let Some(said) = &self.said {
            if *greetings.borrow_and_update() != *said {
                greetings.mark_changed();
            }
        } else {
            let welcome = Frame::Welcome(greetings.borrow_and_update().clone());
            if let Err(end) = frame::write(&mut stream, &welcome).await {
                return (false, end);
            }
        }
        let mut moved = false;
        if let Some(previous) = self.previous.take() {
            previous.next.notify_one();
            moved = previous.task.await.unwrap_or(false);
        }
        let outbox = self.register(&wires.shared);
        let (peer, path, punched) = (self.peer, self.path, self.punched);
        let greeting = std::mem::take(&mut self.greeting);
        let up = match moved {
            true => NetEvent::Moved { peer, greeting, path },
            false => NetEvent::Up { peer, greeting, path, punched },
        };
        if wires.events.send(up).await.is_err() {
            return (false, End::Left);
        }
        let _ = wires.reports.send(Report::Up { peer: self.peer, number: self.number });
        let end = self.exchange(stream, outbox, greetings, wires).await;
        self.unregister(&wires.shared);
        (true, end)
    }

    /// Reads and writes until either ends; lets the last frames out where we leave.
    async fn exchange(
        &self,
        stream: Stream,
        outbox: mpsc::Receiver<Queued>,
        greetings: watch::Receiver<Vec<u8>>,
        wires: &Wires,
    ) -> End {
        let (mut from, mut to) = stream.split();
        let pulse = Pulse::default();
        let reading = self.read(&mut from, &pulse, wires);
        let writing = write(&mut to, &pulse, outbox, greetings);
        tokio::pin!(reading, writing);
        tokio::select! {
            end = &mut reading => end,
            end = &mut writing => {
                if end == End::Left {
                    // The other side closes when it has read everything.
                    let _ = timeout(LEAVE, reading).await;
                }
                end
            }
            () = self.stop.notified() => End::Stopped,
        }
    }

    async fn read(
        &self,
        from: &mut (impl futures::AsyncRead + Unpin),
        pulse: &Pulse,
        wires: &Wires,
    ) -> End {
        let peer = self.peer;
        let mut quota = Quota::default();
        loop {
            let event = match frame::read(from).await {
                Ok(Frame::Beat(number)) => {
                    *lock(&pulse.heard) = Some(number);
                    pulse.answer.notify_one();
                    continue;
                }
                Ok(Frame::Echo(number)) => {
                    if let Some((_, sent)) = lock(&pulse.sent).take_if(|(sent, _)| *sent == number)
                    {
                        wires.shared.set_rtt(&peer, self.number, sent.elapsed());
                    }
                    continue;
                }
                Ok(Frame::Data(bytes)) => {
                    if !wires.shared.trusts(&peer) && !quota.takes(bytes.len()).await {
                        return End::Fault;
                    }
                    NetEvent::Frame { peer, bytes }
                }
                Ok(Frame::Greeting(bytes)) => NetEvent::Greeting { peer, bytes },
                Ok(Frame::Hello(_) | Frame::Welcome(_)) => return End::Fault,
                Err(end) => return end,
            };
            if wires.events.send(event).await.is_err() {
                return End::Left;
            }
        }
    }

    /// Makes this session the one that `send` reaches.
    fn register(&self, shared: &Shared) -> mpsc::Receiver<Queued> {
        let (frames, outbox) = mpsc::channel(QUEUE_FRAMES);
        let room = Arc::new(Semaphore::new(QUEUE_BYTES as usize));
        let (number, stop) = (self.number, Arc::clone(&self.stop));
        lock(&shared.outboxes).insert(self.peer, Outbox { number, frames, room, stop, rtt: None });
        outbox
    }

    fn unregister(&self, shared: &Shared) {
        let mut outboxes = lock(&shared.outboxes);
        if outboxes.get(&self.peer).is_some_and(|outbox| outbox.number == self.number) {
            outboxes.remove(&self.peer);
        }
    }
}

/// What a stranger may say: little at a time, so that seats are heard.
struct Quota {
    since: Instant,
    frames: u32,
}

impl Default for Quota {
    fn default() -> Quota {
        Quota { since: Instant::now(), frames: 0 }
    }
}

impl Quota {
    /// Waits until a frame of this length may be taken; false where it is too long.
    async fn takes(&mut self, bytes: usize) -> bool {
        const SECOND: Duration = Duration::from_secs(1);
        if self.frames >= STRANGER_FRAMES {
            tokio::time::sleep(SECOND.saturating_sub(self.since.elapsed())).await;
        }
        if self.since.elapsed() >= SECOND {
            *self = Quota::default();
        }
        self.frames += 1;
        bytes <= STRANGER_FRAME_BYTES
    }
}

/// The heartbeat of a stream: who reads tells who writes what to answer.
#[derive(Default)]
struct Pulse {
    /// Our last beat that was not answered.
    sent: Mutex<Option<(u32, Instant)>>,
    /// The peer's last beat that we have not answered.
    heard: Mutex<Option<u32>>,
    answer: Notify,
}

impl Pulse {
    /// The next beat, sent now.
    fn next(&self, number: &mut u32) -> Frame {
        *number = number.wrapping_add(1);
        *lock(&self.sent) = Some((*number, Instant::now()));
        Frame::Beat(*number)
    }
}

/// Writes what is queued, a beat every while with answers to the peer's, and each new greeting,
/// until the queue is closed.
async fn write(
    to: &mut (impl AsyncWrite + Unpin),
    pulse: &Pulse,
    mut outbox: mpsc::Receiver<Queued>,
    mut greetings: watch::Receiver<Vec<u8>>,
) -> End {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut number = 0;
    loop {
        // The room of a queued frame is free again when the frame is written.
        let (frame, _room) = tokio::select! {
            queued = outbox.recv() => match queued {
                Some(Queued { frame, room }) => (frame, Some(room)),
                None => break,
            },
            _ = beat.tick() => (pulse.next(&mut number), None),
            () = pulse.answer.notified() => match lock(&pulse.heard).take() {
                Some(number) => (Frame::Echo(number), None),
                None => continue,
            },
            Ok(()) = greetings.changed() => {
                (Frame::Greeting(greetings.borrow_and_update().clone()), None)
            }
        };
        if let Err(end) = frame::write(to, &frame).await {
            return end;
        }
    }
    let _ = timeout(LEAVE, to.close()).await;
    End::Left
}
