//! Seats that fall silent in each phase, or are cut off and come back: the honest
//! end on one log.

use fairdeal::{
    bot::Bot,
    game::Seat,
    protocol::{
        lobby::DealKind,
        log::{
            file::Frames,
            record::{Kind, Unchecked},
            verify::{read_open, verify},
        },
        table::{Fact, Phase},
    },
    sim::{
        BadWrite, BadWriteHow, Cast, Cut, Lockstep, Network, Options, Outcome, Plan, Stop,
        Topology, run_planned,
    },
};

/// A network of a few faults: what is tested here takes its time.
fn network(seed: u64) -> Network {
    let drawn = Network::drawn(seed);
    Network { loss: drawn.loss / 3, delay_ms_max: 1 + drawn.delay_ms_max / 4, ..drawn }
}

/// A mesh: who is cut off separates nobody else.
fn mesh(seed: u64) -> Network {
    Network { topology: Topology::Mesh, ..network(seed) }
}

fn play(seats: u8, deal: DealKind, seed: u64, plan: Plan) -> Outcome {
    let options = Options {
        seats,
        seed,
        network: mesh(seed),
        deal,
        bot: Bot::Random,
        time_ms_max: 4 * 3_600_000,
        bots: 0,
    };
    let outcome = run_planned(options, plan).unwrap_or_else(|failure| panic!("{failure}"));
    let whole: Vec<&Vec<u8>> = (0..usize::from(seats))
        .filter(|seat| !outcome.behind.contains(seat))
        .map(|seat| &outcome.disks[seat].log)
        .collect();
    for file in &whole {
        assert_eq!(*file, whole[0], "files differ: {options:?} {plan:?}");
        assert_absences(file);
    }
    for disk in &outcome.disks {
        verify(&disk.log).unwrap_or_else(|wrong| panic!("{wrong}: {options:?} {plan:?}"));
    }
    outcome
}

/// Each verdict of a log puts its seat out once the phase it stands in is full, and the report
/// tells it with the number of the phase's last record; who is back was out.
fn assert_absences(file: &[u8]) {
    let records: Vec<Unchecked> = Frames::new(file)
        .expect("a log")
        .map(|frame| Unchecked::decode(frame.expect("whole records").1).expect("a record"))
        .collect();
    let verdicts = records.iter().filter(|record| record.is_verdict()).map(|verdict| {
        let in_phase = |record: &Unchecked| record.record().base == verdict.record().base;
        let last = records.iter().rposition(in_phase).expect("itself");
        (last as u32 + 1, verdict.record().seat)
    });
    let (mut told, mut out) = (Vec::new(), Vec::new());
    for (number, fact) in verify(file).expect("a right log").absences {
        match fact {
            Fact::Out { seat, .. } => {
                told.push((number, seat.index() as u8));
                out.push(seat);
            }
            Fact::Back { seat } => {
                let before = out.iter().position(|out| *out == seat);
                out.remove(before.expect("it was out"));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(told, verdicts.collect::<Vec<_>>());
}

fn cut(seat: u8, kind: Kind, rounds: u8, ms: Option<u64>) -> Plan {
    let cut = Cut { seat, at: Stop { kind, rounds }, ms };
    Plan { cuts: [Some(cut), None, None, None], ..Plan::default() }
}

const OPEN: [Kind; 7] = [
    Kind::Commit,
    Kind::Reveal,
    Kind::Choice,
    Kind::ChoiceOpen,
    Kind::Turn,
    Kind::RoundEnd,
    Kind::Result,
];
const SEALED: [Kind; 9] = [
    Kind::Commit,
    Kind::Shuffle,
    Kind::Ready,
    Kind::Shares,
    Kind::Choice,
    Kind::ChoiceOpen,
    Kind::Turn,
    Kind::RoundEnd,
    Kind::Result,
];

/// A seat goes silent for good in each phase: of an open game in the first and in a later round,
/// of a sealed one, which costs more, in one of them.
fn silent(seats: u8, deal: DealKind, kinds: &[Kind]) {
    for (index, kind) in kinds.iter().enumerate() {
        let both = [false, true];
        let all = if deal == DealKind::Open { &both[..] } else { &both[index % 2..][..1] };
        for late in all.iter().copied() {
            let rounds = match kind {
                Kind::Result => seats,
                Kind::Commit | Kind::Reveal | Kind::Shuffle | Kind::Ready | Kind::Shares => {
                    u8::from(late)
                }
                _ => 1 + u8::from(late),
            };
            let seed = u64::from(seats) << 32 | (index as u64) << 1 | u64::from(late);
            let seat = (seed % u64::from(seats)) as u8;
            let outcome = play(seats, deal, seed, cut(seat, *kind, rounds, None));
            assert!(outcome.accused.is_empty(), "{:?}", outcome.accused);
            assert_eq!(outcome.behind, [usize::from(seat)], "{kind:?} {rounds}");
            assert!(!outcome.closed);
            println!(
                "{seats} seats, {deal:?}: seat {} silent at {kind:?} after {rounds} rounds: \
                 ended in {} s, {} records undone",
                seat + 1,
                outcome.time_ms / 1_000,
                outcome.undone
            );
        }
    }
}

#[test]
fn a_seat_silent_in_any_phase_of_an_open_game_of_three() {
    silent(3, DealKind::Open, &OPEN);
}

#[test]
fn a_seat_silent_in_any_phase_of_an_open_game_of_four() {
    silent(4, DealKind::Open, &OPEN);
}

#[test]
fn a_seat_silent_in_any_phase_of_an_open_game_of_five() {
    silent(5, DealKind::Open, &OPEN);
}

#[test]
fn a_seat_silent_in_any_phase_of_a_sealed_game_of_four() {
    silent(4, DealKind::Sealed, &SEALED);
}

/// Of two, nobody goes on alone: the other waits, and at last takes the game as closed.
#[test]
fn a_silent_seat_of_two_is_waited_for_and_the_game_closed() {
    for kind in OPEN {
        let rounds = if matches!(kind, Kind::Commit | Kind::Reveal) { 0 } else { 1 };
        let rounds = if kind == Kind::Result { 2 } else { rounds };
        let outcome = play(2, DealKind::Open, 7, cut(1, kind, rounds, None));
        assert!(outcome.closed && outcome.accused.is_empty(), "{kind:?}: {:?}", outcome.accused);
        println!("2 seats: seat 2 silent at {kind:?}: closed after {} s", outcome.time_ms / 1_000);
    }
}

/// A seat is cut off for some minutes, put out, and comes back.
#[test]
fn a_seat_cut_off_for_a_while_comes_back() {
    let mut undone = 0;
    for seed in 0..24 {
        let seats = 3 + (seed % 3) as u8;
        let kind = OPEN[(seed % 6) as usize];
        let rounds = if matches!(kind, Kind::Commit | Kind::Reveal) { 0 } else { 1 };
        let seat = (seed % u64::from(seats)) as u8;
        let plan = cut(seat, kind, rounds, Some(30_000 + 20_000 * seed));
        let outcome = play(seats, DealKind::Open, seed, plan);
        let (accused, behind) = (&outcome.accused, &outcome.behind);
        let closed = outcome.closed;
        assert!(accused.is_empty(), "{accused:?} {seed} {plan:?}");
        assert!(behind.is_empty(), "{behind:?} closed {closed} {seed} {plan:?}");
        undone += outcome.undone;
    }
    println!("24 games, a seat cut off for 30 to 490 s: one log, {undone} records undone");
}

/// The table is cut in two for some minutes, anywhere in the game.
#[test]
fn partitions_that_heal_leave_one_log() {
    let mut undone = 0;
    for seed in 0..24 {
        let seats = 2 + (seed % 4) as u8;
        let side = 1 + (seed % ((1 << seats) - 2)) as u8;
        let from = 1_000 + 7_000 * seed;
        let plan = Plan { parted: Some((side, from, from + 400_000)), ..Plan::default() };
        let outcome = play(seats, DealKind::Open, seed, plan);
        assert!(outcome.accused.is_empty(), "{:?} {plan:?}", outcome.accused);
        undone += outcome.undone;
    }
    println!("24 games cut in two for 400 s: one log, {undone} records undone");
}

/// A voter crashes at any one of its writes while a seat is silent for good: what it had wanted it
/// still wants when it has started again, and the table plays on.
#[test]
fn a_voter_that_crashes_still_wants_what_it_claimed() {
    let whole = play(3, DealKind::Open, 3, cut(2, Kind::Turn, 1, None));
    let mut crashes = 0;
    for write in 8..whole.writes[0].min(40) {
        let bad = BadWrite { seat: 0, write, how: BadWriteHow::Torn(usize::MAX) };
        let plan = Plan { write: Some(bad), ..cut(2, Kind::Turn, 1, None) };
        let outcome = play(3, DealKind::Open, 3, plan);
        assert!(!outcome.closed && outcome.behind == [2], "{plan:?}: {:?}", outcome.behind);
        crashes += outcome.crashed.len();
    }
    println!("{crashes} crashes of a voter: the game went on");
}

/// Those who wait for `owner` want to go on without it while `mute` answers nobody: that binds
/// nobody, so the turn that comes late is taken at once.
fn a_wish_binds_nobody(seats: u8, owner: usize, mute: usize) {
    let mut table = Lockstep::new(Cast::new(seats, DealKind::Open, 5), Bot::Greedy);
    let whom = Seat::new(owner as u8).expect("a seat");
    assert!(table.run_until(|table| table.phase() == Phase::Turn(whom)));
    table.deliver();
    let all = usize::from(seats);
    let others: Vec<usize> = (0..all).filter(|seat| *seat != owner && *seat != mute).collect();
    let pairs = (0..all).flat_map(|low| (low + 1..all).map(move |high| (low, high)));
    let (to_mute, rest): (Vec<_>, Vec<_>) =
        pairs.partition(|(low, high)| *low == mute || *high == mute);
    let to_owner = rest.into_iter().filter(|(low, high)| *low == owner || *high == owner);
    table.cut = to_mute.iter().copied().chain(to_owner).collect();
    let mut now = 61_000;
    table.tick(now);
    for seat in &others {
        assert_eq!(table.sessions[*seat].claim(whom, now), Ok(()));
    }
    table.tick(now);
    let length = |table: &Lockstep, seat: usize| table.sessions[seat].table().length();
    let before = length(&table, others[0]);
    table.cut = to_mute;
    for _ in 0..10 {
        now += 500;
        table.tick(now);
    }
    for seat in others {
        assert!(length(&table, seat) > before, "the turn is taken");
        assert_eq!(table.sessions[seat].log(), table.sessions[owner].log());
        assert!(table.faults(seat).is_empty());
    }
}

#[test]
fn a_turn_that_comes_after_a_wish_is_taken_at_once() {
    for seats in [3, 4] {
        for owner in 0..usize::from(seats) {
            for mute in (0..usize::from(seats)).filter(|mute| *mute != owner) {
                a_wish_binds_nobody(seats, owner, mute);
            }
        }
    }
}

/// A sealed deal is audited by its seeds; where one is withheld, the cards of that deal stay
/// hidden, and those of the next are known by the seeds of that one alone.
#[test]
fn a_seat_silent_in_an_audit_hides_the_cards_of_that_deal_only() {
    let (seats, seed) = (4, 77);
    let outcome = play(seats, DealKind::Sealed, seed, cut(2, Kind::Reveal, 1, None));
    assert_eq!(outcome.behind, [2]);
    let (mut hidden, mut seen) = ([0; 5], [0; 5]);
    let mut audited = Vec::new();
    read_open(&outcome.disks[0].log, |table, _, _, facts| {
        let game = table.game_open();
        if let Ok(round) = game.running() {
            let all = game.present().iter().all(|seat| round.hand(seat).is_seen());
            let count = if all { &mut seen } else { &mut hidden };
            count[usize::from(game.round_number())] += 1;
        }
        audited.extend(facts.iter().filter_map(|fact| match fact {
            Fact::Audited { deal } => Some(*deal),
            _ => None,
        }));
    })
    .expect("a log that is right");
    assert_eq!(audited, [2, 3, 4]);
    assert!(hidden[1] > 0 && hidden[2..] == [0; 3], "{hidden:?}");
    assert!(seen[2..].iter().all(|seen| *seen > 0), "{seen:?}");
}
