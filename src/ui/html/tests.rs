use super::{steps::code, *};
use crate::game::Slot;

/// Ends a script, begins an element that runs one, fills 24 columns.
const HOSTILE: &str = "</script><img onerror=x>";

#[test]
fn text_can_neither_begin_an_element_nor_end_an_attribute() {
    assert_eq!(escape("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    assert_eq!(escape(HOSTILE), "&lt;/script&gt;&lt;img onerror=x&gt;");
    assert_eq!(escape("Zoë 猫 ½"), "Zoë 猫 ½");
}

#[test]
fn json_in_the_page_cannot_end_its_element_and_stays_the_same_value() {
    let names = [HOSTILE, "<!--<script>", "a\u{2028}b\u{2029}c", "]]>", "\"\\'", "猫"];
    let json = json(&names);
    assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{json}");
    let back: Vec<String> = serde_json::from_str(&json).expect("still JSON");
    assert_eq!(back, names);
}

#[test]
fn what_is_put_into_the_template_is_not_looked_at_again() {
    let filled = fill("<{{a}}|{{b}}|{{none}}>", &[("a", "{{b}}"), ("b", "}}{{a}}")]);
    assert_eq!(filled, "<{{b}}|}}{{a}}|>");
}

#[test]
fn every_place_of_the_template_is_filled_once() {
    let names = [
        "policy", "title", "style", "heading", "about", "proved", "game_id", "keys", "log",
        "stands", "game", "script",
    ];
    assert_eq!(PAGE.matches("{{").count(), names.len());
    for name in names {
        assert_eq!(PAGE.matches(&format!("{{{{{name}}}}}")).count(), 1, "{name}");
    }
}

#[test]
fn style_and_script_can_stand_in_their_elements() {
    assert!(!STYLE.contains("</") && !STYLE.contains("url(") && !STYLE.contains("@import"));
    assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
    for danger in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "fetch"] {
        assert!(!SCRIPT.contains(danger), "{danger}");
    }
    assert!(!PAGE.contains("http:") && !PAGE.contains("https:") && !PAGE.contains(" src="));
}

#[test]
fn the_policy_names_the_hashes_of_style_and_script() {
    let policy = policy("a", "b");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    // SHA-256 of the one letter, as FIPS 180-4 computes it.
    assert!(policy.contains("style-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"));
    assert!(policy.contains("script-src 'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='"));
}

#[test]
fn a_card_is_two_characters_that_tell_what_is_known_of_it() {
    let card = |text: &str| text.parse().expect("a card");
    assert_eq!(code(Slot::Seen(card("7/3"))), "73");
    assert_eq!(code(Slot::Seen(card("10/1"))), "01");
    assert_eq!(code(Slot::Turned(card("3/10"))), "CJ");
    assert_eq!(code(Slot::Sealed), "??");
}

#[test]
fn names_in_the_log_are_escaped() {
    let round = Step {
        round: 0,
        turn: 0,
        fact: "seated",
        words: format!("{HOSTILE} starts."),
        turn_of: Vec::new(),
        choosing: false,
        active: String::new(),
        kind: String::new(),
        owner: None,
        hands: None,
        seen: None,
        captured: Vec::new(),
        tokens: Vec::new(),
        may: None,
        away: Vec::new(),
        fresh: None,
        totals: Vec::new(),
        counted: None,
    };
    let log = log(&[round]);
    assert!(log.contains("&lt;/script&gt;&lt;img onerror=x&gt; starts."), "{log}");
    assert!(!log.contains("<img"), "{log}");
}

#[test]
fn a_scouted_card_is_marked_where_it_stands_afterwards() {
    let place = |text: &str| steps::scouted_place(text.parse().expect("an action"));
    assert_eq!(place("show 1-2"), None);
    assert_eq!(place("scout left 4"), Some(3));
    assert_eq!(place("scout left 1 + show 2-3"), Some(0));
    assert_eq!(place("scout left 4 + show 2-3"), Some(1));
    assert_eq!(place("scout left 2 flip + show 2-3"), None);
    assert_eq!(place("scout right 3 + show 2-3"), None);
}
