//! The open deal against an independent implementation.

use fairdeal::{
    game::Players,
    protocol::deal::{Dealt, open::deal_from},
};

/// Every row of the table: from Z to hands and the starting seat.
#[test]
fn open_deals_are_those_of_an_independent_engine() {
    let table = include_str!("../data/cases/open-deal.tsv");
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [z, players, start, round, seat, hand] = fields.as_slice() else { panic!("{row}") };
        let z = data_encoding::HEXLOWER.decode(z.as_bytes()).expect("hexadecimal");
        let players = players.parse().ok().and_then(Players::new).expect("2 to 5");
        let z = z.try_into().expect("32 bytes");
        let dealt: Dealt = deal_from(&z, players);
        assert_eq!(dealt.start.to_string(), *start, "{row}");
        let round: usize = round.parse().expect("a round");
        let hands = &dealt.rounds[round - 1];
        let (_, given) = hands.iter().find(|(of, _)| of.to_string() == *seat).expect("a seat");
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        assert_eq!(given.join(" "), *hand, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 48);
}
