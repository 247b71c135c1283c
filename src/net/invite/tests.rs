//! What an invite must survive, and what it must refuse.

use super::*;

fn address(text: &str) -> Address {
    text.parse().expect(text)
}

fn invite(secret: &[u8], addresses: &[&str]) -> Invite {
    let host = *b"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff";
    let addresses: Vec<Address> = addresses.iter().map(|a| address(a)).collect();
    Invite::new(host, secret, &addresses).expect("an invite")
}

/// An invite with relays.
fn relayed(addresses: &[&str], relays: &[&str]) -> Invite {
    let pair = libp2p::identity::Keypair::ed25519_from_bytes([7; 32]).expect("a key");
    let host = crate::net::key::own_key(&pair).expect("a key");
    let of = |texts: &[&str]| texts.iter().map(|a| address(a)).collect::<Vec<_>>();
    let invite = Invite::new(key_hash(&host), &[7; 8], &of(addresses)).expect("an invite");
    invite.with_relays(host, &of(relays))
}

/// One of each shape: bare, public, public and LAN, both families, full, with one relay, with two.
fn samples() -> Vec<Invite> {
    let six = ["[2001:db8:1:2:3:4:5:6]:7268"; ADDRESSES];
    vec![
        invite(&[7; 8], &[]),
        invite(&[7; 8], &["203.0.113.7"]),
        invite(b"sixteen letters!", &["203.0.113.7:4000", "192.168.1.5:4000"]),
        invite(&[0; 11], &["[2001:db8::5]:7268", "10.0.0.1:65535"]),
        invite(&[255; 16], &six),
        relayed(&["192.168.1.5"], &["198.51.100.10"]),
        relayed(&six, &["198.51.100.10", "[2001:db8::10]:4001"]),
    ]
}

/// The text with checksum of any bytes.
fn sealed(mut bytes: Vec<u8>) -> String {
    bytes.extend(checksum(&bytes));
    format!("{PREFIX}{}", CROCKFORD.encode(&bytes))
}

#[test]
fn printed_and_read_it_is_the_same() {
    for invite in samples() {
        assert_eq!(invite.to_string().parse(), Ok(invite));
    }
}

#[test]
fn lengths() {
    let length =
        |secret: usize, addresses: &[&str]| invite(&[7; 16][..secret], addresses).to_string().len();
    assert_eq!(length(8, &["203.0.113.7"]), 65);
    assert_eq!(length(16, &["203.0.113.7"]), 77);
    assert_eq!(length(8, &["203.0.113.7", "192.168.1.5"]), 76);
    assert_eq!(length(16, &["203.0.113.7", "192.168.1.5"]), 89);
    assert_eq!(length(16, &["[2001:db8::5]:7268", "203.0.113.7", "192.168.1.5"]), 119);
    // 76 bytes: with a relay it carries the host's whole key.
    assert_eq!(relayed(&["192.168.1.5"], &["198.51.100.10"]).to_string().len(), 127);
}

#[test]
fn the_format_is_fixed() {
    let text = invite(&[7; 8], &["203.0.113.7:7268"]).to_string();
    assert_eq!(text, "deal1040g04926d25askqh2ctneycvqqfy1r70w3ge1r70w2cp03h0we69xmv74b0");
}

#[test]
fn decoration_is_forgiven() {
    let invite = invite(&[7; 8], &["203.0.113.7", "192.168.1.5"]);
    let text = invite.to_string();
    let (first, last) = text.split_at(40);
    for pasted in [
        format!("  {text}\r\n"),
        format!("\"{text}\""),
        format!("\u{201c}{text}\u{201d}."),
        format!("`fairdeal join {text}`"),
        format!("$ FAIRDEAL  Join '{}'", text.to_uppercase()),
        format!("> {first}\n> {last}"),
        format!("{first}\\\n   {last}"),
        format!("{first}\u{200b}{last}"),
        text.replace('1', "l").replace('0', "O"),
        text.replace('1', "I").replace('0', "o"),
    ] {
        assert_eq!(pasted.parse().as_ref(), Ok(&invite), "{pasted}");
    }
}

#[test]
fn every_changed_character_is_refused_or_harmless() {
    for invite in samples() {
        let text = invite.to_string();
        for place in 0..text.len() {
            for c in (' '..='~').chain(['\u{e9}', '\u{2019}']) {
                let changed = format!("{}{c}{}", &text[..place], &text[place + 1..]);
                if let Ok(read) = changed.parse::<Invite>() {
                    assert_eq!(read, invite, "{changed}");
                }
            }
        }
    }
}

#[test]
fn every_swap_loss_and_doubling_is_refused_or_harmless() {
    for invite in samples().into_iter().take(4) {
        let text = invite.to_string();
        for place in 0..text.len() {
            let (before, rest) = text.split_at(place);
            let (at, after) = rest.split_at(1);
            let mut changed = vec![format!("{before}{after}"), format!("{before}{at}{at}{after}")];
            for other in 1..=after.len() {
                let (between, end) = after.split_at(other - 1);
                let (there, end) = end.split_at(1);
                changed.push(format!("{before}{there}{between}{at}{end}"));
            }
            for text in changed {
                if let Ok(read) = text.parse::<Invite>() {
                    assert_eq!(read, invite, "{text}");
                }
            }
        }
    }
}

#[test]
fn errors_tell_what_it_was() {
    let text = samples()[1].to_string();
    let error = |text: &str| text.parse::<Invite>().expect_err(text);
    assert_eq!(error(&text[..60]), InviteError::Damaged);
    assert_eq!(error(&text.replace("deal1", "deal1u")), InviteError::Damaged);
    assert_eq!(error("deal1"), InviteError::Damaged);
    assert_eq!(error(&format!("deal1{}", "0".repeat(2000))), InviteError::Damaged);
    assert_eq!(error(&format!("deal1{}", "0".repeat(PASTE_CHARS))), InviteError::NotAnInvite);
    for other in ["", "amber-fox", "192.168.1.5", "deal2abc", "fairdeal join"] {
        assert_eq!(error(other), InviteError::NotAnInvite, "{other}");
    }
}

#[test]
fn what_a_later_version_writes_is_told_from_damage() {
    let mut later = encode(&samples()[1]);
    later[0] = 2;
    assert_eq!(sealed(later).parse::<Invite>(), Err(InviteError::Newer));
    assert_eq!(sealed(vec![9]).parse::<Invite>(), Err(InviteError::Newer));
    let mut relayed = encode(&samples()[1]);
    relayed[26] = 2;
    assert_eq!(sealed(relayed).parse::<Invite>(), Err(InviteError::Newer));
}

#[test]
fn well_sealed_nonsense_is_no_invite() {
    for sample in samples().into_iter().skip(4) {
        let whole = encode(&sample);
        for length in 1..whole.len() {
            assert!(sealed(whole[..length].to_vec()).parse::<Invite>().is_err(), "{length}");
        }
    }
    for counts in 0..=255u8 {
        let mut bytes = encode(&samples()[2]);
        let right = bytes[1];
        bytes[1] = counts;
        assert_eq!(sealed(bytes).parse::<Invite>().is_ok(), counts == right, "{counts}");
    }
}

#[test]
fn secrets_of_the_wrong_length_and_extra_addresses_are_not_written() {
    assert_eq!(Invite::new([0; 16], &[0; 7], &[]), None);
    assert_eq!(Invite::new([0; 16], &[0; 17], &[]), None);
    let many = Invite::new([0; 16], &[0; 8], &[address("10.0.0.1"); 20]).expect("an invite");
    assert_eq!(many.addresses().len(), ADDRESSES);
    assert!(!format!("{many:?}").contains("secret"));
}

#[test]
fn relays_go_with_the_hosts_key_and_no_other() {
    let sample = relayed(&[], &["198.51.100.10"]);
    assert_eq!(sample.host_key().map(|key| key_hash(&key)), Some(sample.host()));
    assert_eq!(sample.relays(), [address("198.51.100.10")]);
    let host = sample.host_key().expect("a key");
    let other = invite(&[7; 8], &[]);
    assert_eq!(other.clone().with_relays(host, &[address("198.51.100.10")]), other);
    let mut foreign = encode(&sample);
    let end = foreign.len() - 1;
    foreign[end] ^= 1;
    assert!(sealed(foreign).parse::<Invite>().is_err());
}
