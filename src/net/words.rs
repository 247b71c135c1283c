//! Keys in words: two for a table, four for a person.
//!
//! Words select and help to compare aloud; they do not authenticate.

use bip39::Language;

use crate::protocol::crypto::hash::hash;
use crate::protocol::crypto::identity::PublicKey;

/// The two words of the table this peer hosts, as in `amber-fox`.
pub fn table_words(host: &PublicKey) -> String {
    words(host, 2)
}

/// The four words of a peer's key; the first two are those of its table.
pub fn key_words(peer: &PublicKey) -> String {
    words(peer, 4)
}

/// `amber-fox` from two words as someone may type them; `None` if they are not two of the list.
pub fn read_table_words(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    let mut parts = lower.split(|c: char| c == '-' || c.is_whitespace()).filter(|w| !w.is_empty());
    let (first, second) = (parts.next()?, parts.next()?);
    let known = |word: &str| Language::English.find_word(word).is_some();
    (parts.next().is_none() && known(first) && known(second)).then(|| format!("{first}-{second}"))
}

/// The first `count` words: 11 bits each, from the top of the key's hash.
fn words(key: &PublicKey, count: usize) -> String {
    let [a, b, c, d, e, f, g, h, ..] = hash("words", &[key.as_bytes()]);
    let bits = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    let list = Language::English.word_list();
    let at = |place: usize| ((bits >> (53 - 11 * place)) & 0x7ff) as usize;
    let words: Vec<&str> = (0..count).filter_map(|place| list.get(at(place)).copied()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use libp2p::identity::Keypair;

    #[test]
    fn words_are_stable_and_readable() {
        let pair = Keypair::ed25519_from_bytes([7; 32]).expect("a key");
        let key = crate::net::key::own_key(&pair).expect("a key");
        assert_eq!(key_words(&key).split('-').count(), 4);
        assert!(key_words(&key).starts_with(&format!("{}-", table_words(&key))));
        let typed = format!("  {} ", table_words(&key).to_uppercase().replace('-', "  "));
        assert_eq!(read_table_words(&typed), Some(table_words(&key)));
    }

    #[test]
    fn what_is_not_two_words_of_the_list_is_refused() {
        for text in ["", "amber", "amber-fox-zoo", "amber-fo", "192.168.1.5", "a b"] {
            assert_eq!(read_table_words(text), None, "{text}");
        }
        assert_eq!(read_table_words("Deal Lamp").as_deref(), Some("deal-lamp"));
    }
}
