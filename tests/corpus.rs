//! Hostile bytes end in a refusal: no panic, no memory to speak of, bounded work.
//!
//! Every file of `fuzz/corpus/` is an input to the harness of its folder's name, and so are a few
//! thousand changes of them that follow from fixed seeds. The same harnesses run under a
//! coverage-guided fuzzer, see `fuzz/README.md`.

#[path = "corpus/seeds.rs"]
mod seeds;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use allocation_counter::measure;
use fairdeal::{
    protocol::{
        codec,
        limits::{FRAME_BYTES_MAX, RECORD_BYTES_MAX},
        log::{evidence, record::Unchecked, verify::verify},
        message::{Greeting, Message},
    },
    sim::fuzz::{self, Choices, games},
};
use rand::{Rng, RngExt, SeedableRng, rngs::SmallRng};

/// Most bytes a frame may take while it is decoded: serde makes room for up to 1 MiB of elements
/// ahead, whatever length is claimed, and the wire types have lists in lists but no deeper.
const FRAME_MEMORY: u64 = (2 * 1024 + 256) * 1024;

/// The inputs in the folder of a target, by name.
fn corpus(target: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let folder = Path::new("fuzz/corpus").join(target);
    let listed = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = listed.map(|entry| entry.expect("an entry").path());
    paths.map(|path| (path.clone(), std::fs::read(path).expect("a file"))).collect()
}

/// Runs `one` on the corpus of a target and on `count` changes of it.
fn run(target: &str, count: usize, mut one: impl FnMut(&[u8])) {
    let (begun, mut slowest) = (Instant::now(), Duration::ZERO);
    let inputs: Vec<Vec<u8>> = corpus(target).into_values().collect();
    assert!(!inputs.is_empty(), "{target} has no inputs");
    let mut timed = |bytes: &[u8]| {
        let begun = Instant::now();
        one(bytes);
        slowest = slowest.max(begun.elapsed());
    };
    inputs.iter().for_each(|input| timed(input));
    let mut rng = SmallRng::seed_from_u64(12);
    for _ in 0..count {
        timed(&another(&inputs, &mut rng));
    }
    let (all, took) = (inputs.len() + count, begun.elapsed());
    println!("{target}: {all} inputs in {took:.1?}, the slowest {slowest:.1?}");
}

/// An input made from one or two others, or from nothing.
fn another(inputs: &[Vec<u8>], rng: &mut SmallRng) -> Vec<u8> {
    let mut noise = vec![0; rng.random_range(0..256)];
    rng.fill_bytes(&mut noise);
    let mut choices = Choices::new(&noise);
    match rng.random_range(0..8) {
        0 => noise,
        1 => {
            let (one, two) = (choices.pick(inputs), choices.pick(inputs));
            let (one, two) =
                (one.map_or(&[][..], Vec::as_slice), two.map_or(&[][..], Vec::as_slice));
            let cut = choices.below(one.len());
            [&one[..cut], &two[choices.below(two.len()).min(two.len())..]].concat()
        }
        _ => {
            let mut input = choices.pick(inputs).cloned().unwrap_or_default();
            choices.mutate(&mut input);
            input
        }
    }
}

#[test]
fn frame() {
    run("frame", 20_000, |bytes| {
        fuzz::frame(bytes);
        if bytes.len() <= FRAME_BYTES_MAX {
            let took = memory(|| codec::decode::<Message>(bytes).is_ok());
            assert!(took <= FRAME_MEMORY, "{took} bytes for a frame of {}", bytes.len());
            let took = memory(|| codec::decode::<Greeting>(bytes).is_ok());
            assert!(took <= FRAME_MEMORY, "{took} bytes for a greeting of {}", bytes.len());
        }
    });
}

#[test]
fn record() {
    run("record", 4_000, |bytes| {
        fuzz::record(bytes);
        let took = memory(|| Unchecked::decode(bytes).is_ok());
        assert!(took <= FRAME_MEMORY, "{took} bytes for a record of {}", bytes.len());
        let table = &games()[0].tables[0];
        let took = memory(|| table.admit(bytes).is_ok());
        assert!(took <= FRAME_MEMORY, "{took} bytes to refuse {}", bytes.len());
    });
}

#[test]
fn replay() {
    run("replay", 100, |bytes| {
        fuzz::replay(bytes);
        let most = 4 * bytes.len() as u64 + FRAME_MEMORY;
        let took = memory(|| verify(bytes).is_ok());
        assert!(took <= most, "{took} bytes for a file of {}", bytes.len());
    });
}

#[test]
fn evidence_files() {
    run("evidence", 500, |bytes| {
        fuzz::evidence(bytes);
        let most = 16 * bytes.len() as u64 + FRAME_MEMORY;
        let took = memory(|| evidence::check(bytes).is_ok());
        assert!(took <= most, "{took} bytes for a file of {}", bytes.len());
    });
}

#[test]
fn notation() {
    run("notation", 4_000, |bytes| {
        let most = 64 * bytes.len() as u64 + FRAME_MEMORY;
        let took = memory(|| fuzz::notation(bytes));
        assert!(took <= most, "{took} bytes for a text of {}", bytes.len());
    });
}

#[cfg(feature = "net")]
#[test]
fn invite() {
    run("invite", 20_000, |bytes| {
        let took = memory(|| fuzz::invite(bytes));
        let most = 32 * bytes.len() as u64 + 64 * 1024;
        assert!(took <= most, "{took} bytes for a text of {}", bytes.len());
    });
}

#[test]
fn session() {
    let mut all = [0u64; 5];
    run("session", 150, |bytes| {
        let tally = fuzz::session(bytes);
        let fuzz::Tally { delivered, forged, restarts, faults, records } = tally;
        let one = [delivered, forged, restarts, faults, records];
        all.iter_mut().zip(one).for_each(|(sum, one)| *sum += u64::from(one));
    });
    let [delivered, forged, restarts, faults, records] = all;
    println!("{delivered} delivered, {forged} forged, {restarts} restarts, {faults} faults");
    println!("{records} records logged");
    assert!(faults > 0 && restarts > 0 && records > 1_000, "the inputs reach too little: {all:?}");
}

/// The largest lengths a sender can claim in a frame of the largest size.
#[test]
fn a_claimed_length_takes_no_memory_of_its_size() {
    let mut worst = 0;
    for claimed in [1, 1_000, FRAME_BYTES_MAX as u64, 131_071, 1 << 20, 1 << 40, u64::MAX] {
        for message in frames_that_claim(claimed) {
            let took = memory(|| codec::decode::<Message>(&message).is_ok());
            worst = worst.max(took);
        }
    }
    println!("the worst frame takes {worst} bytes");
    assert!(worst <= FRAME_MEMORY, "{worst} bytes");
}

/// Frames of 64 KiB of each shape that holds a list, with this length claimed for the list.
fn frames_that_claim(claimed: u64) -> Vec<Vec<u8>> {
    let lobby = |variant: u32| [0u32.to_le_bytes(), variant.to_le_bytes()].concat();
    let talk = |variant: u32, head: &[u8]| {
        [&1u32.to_le_bytes()[..], &[7; 32], &variant.to_le_bytes(), head].concat()
    };
    let key = games()[0].identity(0).public();
    let addresses = [&1u64.to_le_bytes()[..], &key.as_bytes()[..]];
    let heads = [
        [lobby(4), claimed.to_le_bytes().to_vec(), key.as_bytes().to_vec()].concat(),
        lobby(0),
        lobby(2),
        lobby(3),
        lobby(4),
        [lobby(4), addresses.concat()].concat(),
        talk(2, &5u32.to_le_bytes()),
        talk(3, &[]),
        talk(4, &[]),
    ];
    let whole = |head: Vec<u8>| {
        let mut frame = [head, claimed.to_le_bytes().to_vec()].concat();
        frame.resize(FRAME_BYTES_MAX, 0);
        frame
    };
    heads.into_iter().map(whole).collect()
}

#[test]
fn the_corpus_stays_small() {
    let targets = ["frame", "record", "replay", "evidence", "invite", "notation", "session"];
    let files: Vec<Vec<u8>> = targets.into_iter().flat_map(|t| corpus(t).into_values()).collect();
    let bytes: usize = files.iter().map(Vec::len).sum();
    println!("{} files, {bytes} bytes", files.len());
    assert!(files.len() < 300 && bytes < 1024 * 1024);
    assert!(files.iter().all(|file| file.len() <= 4 * RECORD_BYTES_MAX));
}

/// The most bytes held at a time while `work` runs.
fn memory<T>(work: impl FnOnce() -> T) -> u64 {
    measure(|| drop(std::hint::black_box(work()))).bytes_max
}
