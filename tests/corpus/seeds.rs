//! The inputs a fuzzer starts from, made anew when a format changes.

use std::path::Path;

use fairdeal::{
    bot::Bot,
    protocol::{
        codec,
        lobby::{DealKind, Join, Roster},
        log::{
            evidence,
            record::{Body, Unchecked},
        },
        message::{Greeting, Hosting, Lobby, Message, Note, NoteBody, Talk},
        table::Phase,
        whereabouts::Whereabouts,
    },
    sim::{
        Cast, Lockstep,
        fuzz::{file, games},
    },
};
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// Writes the seeds anew where `BLESS` is set; elsewhere shows that each can be made.
#[test]
fn write_the_seeds() {
    write("frame", frames());
    write("record", records());
    write("replay", replays());
    write("evidence", evidence_files());
    write("notation", notation());
    #[cfg(feature = "net")]
    write("invite", invites());
    write("session", sessions());
}

fn write(target: &str, seeds: Vec<Vec<u8>>) {
    assert!(!seeds.is_empty(), "{target}");
    if std::env::var_os("BLESS").is_none() {
        return;
    }
    let folder = Path::new("fuzz/corpus").join(target);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (index, seed) in seeds.into_iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{index:02}")), seed).expect("written");
    }
}

fn roster() -> Roster {
    let first = Unchecked::decode(&games()[0].log[0]).expect("a roster");
    match &first.record().body {
        Body::Roster(roster) => roster.clone(),
        body => panic!("{body:?}"),
    }
}

/// One message of each kind.
fn frames() -> Vec<Vec<u8>> {
    let cast = Cast::new(3, DealKind::Open, 5);
    let mut world = Lockstep::new(cast, Bot::Random);
    world.run_until(|table| table.phase() == Phase::Choice);
    let game = *world.sessions[0].table().game_id();
    let said = |wanted: fn(&Talk) -> bool| {
        let found = world.said.iter().find(|(_, talk)| wanted(talk));
        found.map(|(_, talk)| Message::Table(game, talk.clone()))
    };
    let records = games()[0].log[..4].to_vec();
    let body = NoteBody::Held {
        asker: 1,
        asker_boot: 2,
        record: Some(records[1].clone()),
        votes: Vec::new(),
    };
    let note = Note { game, seat: 0, boot: 1, counter: 2, body }.sign(&cast.identity(0));
    let body = NoteBody::Chat("well played".parse().expect("a line"));
    let chat = Note { game, seat: 0, boot: 1, counter: 3, body }.sign(&cast.identity(0));
    let joins: Vec<Join> = roster().joins;
    let (terms, join, ways) = (roster().terms, joins[1].clone(), vec!["10.0.0.1:7268".into()]);
    let whereabouts = Whereabouts { table: terms.id, number: 1, ways }.sign(&cast.identity(0));
    let lobby = [
        Lobby::Ask { secret: vec![7; 16], join, whereabouts: whereabouts.clone() },
        Lobby::Seats { terms, players: 3, joins: joins.clone(), watching: 1 },
        Lobby::Refused("the table is full".into()),
        Lobby::Roster(records[0].clone()),
        Lobby::Addresses(vec![(joins[0].key, whereabouts)]),
        Lobby::Next("deal1x".into()),
        Lobby::Watch { secret: vec![7; 8] },
        Lobby::Look { secret: vec![7; 8] },
        Lobby::Say("hello".parse().expect("a line")),
        Lobby::Said(joins[0].key, "hello".parse().expect("a line")),
    ];
    let records = Talk::Records { from: 7, length: 9, records };
    let talk = [Talk::Get(7), records, Talk::Note(note), Talk::Note(chat)];
    let mut messages: Vec<Message> = lobby.into_iter().map(Message::Lobby).collect();
    messages.extend(talk.into_iter().map(|talk| Message::Table(game, talk)));
    messages.extend(said(|talk| matches!(talk, Talk::Status(_))));
    messages.extend(said(|talk| matches!(talk, Talk::Fresh(_))));
    let hosts = Some(Hosting { players: 3, taken: 1, begun: false, open: true, watching: 2 });
    let name = "Ana".parse().expect("a name");
    let greeting = Greeting { version: 1, name, table: Some([3; 32]), hosts };
    let mut seeds: Vec<Vec<u8>> = messages.iter().map(codec::encode).collect();
    seeds.push(codec::encode(&greeting));
    seeds
}

/// The record after each kept table, in each of the forms the harness reads.
fn records() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (at, game) in games().iter().enumerate().take(2) {
        for (index, table) in game.tables.iter().enumerate() {
            let Some(next) = game.log.get(table.length() as usize) else { continue };
            let unchecked = Unchecked::decode(next).expect("a record");
            let record = unchecked.record();
            let head = |form| [at as u8, index as u8, form].to_vec();
            if index % 4 == 0 {
                seeds.push([head(0), next.clone()].concat());
                seeds.push([head(1), codec::encode(record)].concat());
            }
            seeds.push([head(2), vec![record.seat], codec::encode(&record.body)].concat());
        }
    }
    seeds.push(vec![0, 3, 3, 9, 1, 1, 0, 1, 33, 4, 0, 9]);
    seeds.push(vec![1, 5, 3, 7, 1, 1, 0, 1, 43, 4, 0, 9]);
    seeds
}

fn replays() -> Vec<Vec<u8>> {
    let open = &games()[2];
    let cut = open.log.iter().take(24).cloned().collect::<Vec<_>>();
    let mut seeds = vec![file(&cut), file(&cut[..1]), file(&[]), b"fairdeal 2\r\n".to_vec()];
    for at in [3u8, 9, 15, 27, 60] {
        seeds.push(vec![0, 0, at, 1, 1, 0, 0, 90, 3, 0]);
        seeds.push(vec![0, 1, at, 0, 1, 0, 1, 90, 3, 0, 7]);
        seeds.push(vec![0, 2, at, 4, 8, 0, 0, 0, 0]);
    }
    seeds
}

fn evidence_files() -> Vec<Vec<u8>> {
    let game = &games()[0];
    let record = |seat, body| game.sign_at(&game.tables[1], seat, body);
    let two = [record(1, Body::Commit([1; 32])), record(1, Body::Commit([2; 32]))];
    let wrong = record(2, Body::Sit);
    let log = game.before(&game.tables[1]);
    let mut seeds = vec![
        evidence::encode(&log[..1], &[&two[0], &two[1]]),
        evidence::encode(log, &[&wrong]),
        evidence::encode(log, &[&two[0]]),
    ];
    for cut in [1u8, 4, 7, 20] {
        seeds.push(vec![0, 0, cut, 0, cut, 1, 1, 1, 0, 0, 44, 0, 0, 1]);
        seeds.push(vec![0, 2, cut, 1, 0, cut, 3, 0, cut, 1, 4, 1, 1]);
    }
    seeds
}

fn notation() -> Vec<Vec<u8>> {
    let lines = [
        "scout 1\nplayers 2\nseat 1 Ana\nseat 2 Ben # 2\nround 1 start 2\n",
        "deal 1 7/3 ? 4/5\n1 show 3-4 = 7/3 6/2\n2 scout left 3 flip + show 1-2\n",
        "3 out\n3 back\nend emptied 5 -2 7\nend abandoned\nresult 12 -1 20 winner 3\n",
        "result abandoned 0 1\r\n1 scout right 12 ?\n# all\n\n1 keep\n2 flip\n",
        "scout right 3 + show 1-2",
        "7/3",
    ];
    let mut seeds: Vec<Vec<u8>> = lines.map(|line| line.as_bytes().to_vec()).into();
    let games = std::fs::read_dir("tests/data/cases/games").expect("the cases");
    let mut paths: Vec<_> = games.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let games = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "scout"));
    let texts = games.map(|path| std::fs::read(path).expect("a file"));
    seeds.extend(texts.filter(|text| text.len() < 8 * 1024).take(6));
    seeds
}

#[cfg(feature = "net")]
fn invites() -> Vec<Vec<u8>> {
    use fairdeal::net::{Address, Invite};

    let texts = ["192.168.1.5:7268", "[2001:db8::5]:80"];
    let addresses: Vec<Address> = texts.map(|text| text.parse().expect("an address")).into();
    let invite = |count| Invite::new([3; 16], &[9; 8], &addresses[..count]).expect("an invite");
    let mut seeds: Vec<String> = texts.map(String::from).into();
    seeds.extend([invite(0).to_string(), format!("fairdeal join {}\n", invite(2))]);
    seeds.push(invite(1).to_string().to_uppercase());
    let more = ["/ip4/192.168.1.5/udp/7268/quic-v1", "/ip6/::1/tcp/7268", "Lamp Deal", "::1"];
    seeds.extend(more.map(String::from));
    seeds.into_iter().map(String::into_bytes).collect()
}

/// Decisions drawn from seeds, short and long.
fn sessions() -> Vec<Vec<u8>> {
    let one = |seed| {
        let mut bytes = vec![0; 32 + 64 * seed as usize];
        SmallRng::seed_from_u64(seed).fill_bytes(&mut bytes);
        bytes
    };
    (0..16).map(one).collect()
}
