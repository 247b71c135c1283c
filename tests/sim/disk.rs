//! A disk that fails, or a crash, at every single write of a game.

use fairdeal::{
    bot::Bot,
    game::Seat,
    protocol::lobby::DealKind,
    sim::{BadWrite, BadWriteHow, Disk, Network, Options, Outcome, Plan, Topology, run_planned},
    store::{GameDir, Home, Meta, Profile},
};

use super::bound;

/// A game of two to its end, of more for one round, in which a seat's disk fails once.
fn play(seats: u8, write: Option<BadWrite>) -> Outcome {
    let network = Network { topology: Topology::Mesh, loss: 0, doubled: 0, delay_ms_max: 20 };
    let options = Options {
        seats,
        seed: u64::from(seats),
        network,
        deal: DealKind::Open,
        bot: Bot::Random,
        time_ms_max: 3_600_000,
        bots: 0,
    };
    let rounds = [0, 0, 1, 1][usize::from(seats - 2)];
    let plan = Plan { write, rounds, ..Plan::default() };
    run_planned(options, plan).unwrap_or_else(|failure| panic!("{failure}"))
}

/// The folder of a game, as the program makes it, whose files are those of a crashed seat: what
/// it opens is what the world's start read.
fn opens(profile: &Profile, dir: &GameDir, seat: usize, crashed: &Disk) {
    let folder = dir.log_path().parent().unwrap();
    let journal = folder.join(format!("journal-{}", seat + 1));
    std::fs::write(dir.log_path(), &crashed.log).unwrap();
    std::fs::write(&journal, &crashed.journal).unwrap();
    let mut opened = GameDir::open(profile, folder).unwrap();
    let mut whole = crashed.clone();
    let (log, own) = whole.read().unwrap();
    assert_eq!(opened.log_records(), log);
    assert_eq!(opened.open_journal(Seat::new(seat as u8).unwrap()).unwrap(), own);
    assert_eq!(std::fs::read(dir.log_path()).unwrap(), whole.log);
    assert_eq!(std::fs::read(&journal).unwrap(), whole.journal);
}

fn home(folder: &std::path::Path, roster: &[u8]) -> (Profile, GameDir) {
    let home = Home::at(folder.to_owned()).unwrap();
    let profile = Profile::open(&home, Some("ana")).unwrap();
    let meta = Meta::alone("0123456789abcdef".into(), &profile, Bot::Greedy);
    let dir = GameDir::create(&profile, meta, roster).unwrap();
    (profile, dir)
}

/// Each write of the seat that acts first fails once, and once is where the seat crashes: before
/// it, in it, behind it. The world demands that the seat starts from its disk with all it had
/// signed, and signs nothing else for any place; the program's own files open alike.
fn every_write(seats: u8) {
    let whole = play(seats, None);
    let (seat, folder) = (usize::from(seats > 2), tempfile::tempdir().unwrap());
    let roster = whole.disks[0].clone().read().unwrap().0.remove(0);
    let (profile, dir) = home(folder.path(), &roster);
    let (writes, mut crashes) = (whole.writes[seat], 0);
    for write in 0..writes {
        let torn = [0, 3, 40, usize::MAX][write as usize % 4];
        for how in [BadWriteHow::Fails, BadWriteHow::Torn(torn)] {
            // Failing changes nothing but time: every third is enough beside every crash.
            if how == BadWriteHow::Fails && write % 3 > 0 {
                continue;
            }
            let outcome = play(seats, Some(BadWrite { seat: seat as u8, write, how }));
            for (seat, disk) in &outcome.crashed {
                opens(&profile, &dir, *seat, disk);
                crashes += 1;
            }
        }
    }
    println!("{seats} seats, {writes} writes, {crashes} crashes: {}", bound(writes.into()));
    assert_eq!(crashes, writes);
}

#[test]
fn no_write_of_a_game_of_two_loses_anything_where_it_fails() {
    every_write(2);
}

#[test]
fn no_write_of_a_game_of_three_loses_anything_where_it_fails() {
    every_write(3);
}

#[test]
fn no_write_of_a_game_of_four_loses_anything_where_it_fails() {
    every_write(4);
}

#[test]
fn no_write_of_a_game_of_five_loses_anything_where_it_fails() {
    every_write(5);
}
