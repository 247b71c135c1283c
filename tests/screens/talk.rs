//! Talking at the table: the line that is typed, and what others say, whatever it is.

use fairdeal::{
    game::{BySeat, Ending},
    protocol::{session::News, table::Fact, text::disturbs},
    run::{FromPlayer, Presence, SittingEvent, ToPlayer},
    ui::app::{App, Effect, Event, Over, Page, update},
};
use unicode_width::UnicodeWidthStr;

use crate::support::{TABLE, golden, press, screen, seat, seated, table};

/// At a table with others.
fn in_company(columns: u16, rows: u16) -> App {
    let mut app = seated(TABLE, 1, columns, rows);
    if let Page::Table(table) = &mut app.page {
        table.now.roster.joins[1].name = "Ben".parse().expect("a name");
        table.now.presence[1] = Presence::Away;
    }
    app
}

/// Another seat says something, as far as it may be said.
fn heard(app: &mut App, number: u8, text: &str) {
    let line = text.parse().expect("a line");
    let news = News::Chat { seat: seat(number), line };
    update(app, SittingEvent::Told(ToPlayer::News(news)));
}

/// The line that the keys send, if they do.
fn said(effects: &[Effect]) -> Option<String> {
    effects.iter().find_map(|effect| match effect {
        Effect::Order(FromPlayer::Say(line)) => Some(line.to_string()),
        _ => None,
    })
}

#[test]
fn a_key_opens_a_line_enter_says_it_and_escape_closes() {
    let mut app = in_company(80, 24);
    assert!(said(&press(&mut app, "/ g o q Backspace")).is_none());
    update(&mut app, Event::Paste("\x1b[31mod\nluck\u{202e}".into()));
    assert!(matches!(app.over, Some(Over::Talk(..))), "q is a letter here");
    assert_eq!(said(&press(&mut app, "Enter")).as_deref(), Some("go[31modluck"));
    assert!(said(&press(&mut app, "Enter")).is_none(), "an empty line is not sent");
    assert!(matches!(app.over, Some(Over::Talk(..))), "open for the next");
    press(&mut app, "Esc");
    assert!(app.over.is_none());
    assert_eq!(press(&mut app, "a c Enter").len(), 2, "letters are cards again");
}

#[test]
fn a_line_that_is_too_long_or_too_soon_says_so() {
    let mut app = in_company(80, 24);
    press(&mut app, "/");
    update(&mut app, Event::Paste("x".repeat(501)));
    assert!(said(&press(&mut app, "Enter")).is_none());
    assert!(screen(&app).contains("at most 500 bytes"), "{}", screen(&app));
    update(&mut app, SittingEvent::Told(ToPlayer::NotSaid("wait a second".into())));
    assert!(screen(&app).contains("wait a second"), "{}", screen(&app));
}

#[test]
fn what_others_say_stands_in_the_log_and_over_the_line() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let mut app = in_company(columns, rows);
        heard(&mut app, 2, "hello, shall we play another one after this?");
        heard(&mut app, 3, "yes");
        golden(&format!("said-{columns}x{rows}.txt"), &app);
        press(&mut app, "/ s u r e");
        golden(&format!("talk-{columns}x{rows}.txt"), &app);
    }
}

#[test]
fn a_seat_that_is_muted_is_not_shown_until_it_is_again() {
    let mut app = in_company(80, 24);
    press(&mut app, "/");
    for (text, shown) in [("before", true), ("/mute Ben", false), ("/mute 2", true)] {
        update(&mut app, Event::Paste(text.into()));
        let sent = said(&press(&mut app, "Enter"));
        assert_eq!(sent.is_some(), text == "before", "a mute stays here");
        heard(&mut app, 2, "look at me");
        heard(&mut app, 3, "hello");
        assert_eq!(screen(&app).contains("Ben: look at me"), shown, "{}", screen(&app));
        assert!(screen(&app).contains("Cy: hello"));
    }
}

#[test]
fn what_is_said_stands_under_the_points_until_the_game_is_over() {
    let mut app = in_company(80, 24);
    let points = BySeat::from_fn(table(&app).players(), |_| 1);
    let over = Fact::RoundOver { round: 1, ending: Ending::Stalled, points };
    update(&mut app, SittingEvent::Told(ToPlayer::News(News::Fact(over))));
    heard(&mut app, 2, "that was close");
    assert!(screen(&app).contains("Ben: that was close"), "{}", screen(&app));
    press(&mut app, "/");
    assert!(matches!(app.over, Some(Over::Talk(..))));
    press(&mut app, "Esc");
    update(&mut app, SittingEvent::Complete("a.fairdeal".into()));
    press(&mut app, "/");
    assert!(matches!(app.over, Some(Over::Note(_))), "nobody hears it any more");
}

/// Escape sequences, another writing direction, wide characters, towers of marks, long words.
#[test]
fn nothing_that_is_said_breaks_the_screen() {
    let hostile = [
        "\x1b[2J\x1b[H\x1b]0;mine\x07\u{9b}31m gone".to_string(),
        "\u{202e}\u{2066}turned\u{2069} מה שלומך היום خوش آمدید".into(),
        "猫".repeat(166),
        format!("a{}", "\u{301}".repeat(249)),
        "\u{200b}x".repeat(100),
        "👩‍👩‍👧‍👦".repeat(20),
        "w".repeat(500),
        "\u{0e33}\u{0e33}\u{0e33} \u{fdfd}\u{fdfd}\u{fdfd}".into(),
    ];
    for (columns, rows) in [(80, 24), (120, 40), (60, 20)] {
        for ascii in [false, true] {
            let mut app = in_company(columns, rows);
            app.look.ascii = ascii;
            for text in &hostile {
                heard(&mut app, 2, text);
                for keys in ["", "/", "Esc"] {
                    press(&mut app, keys);
                    whole(&app, text);
                }
            }
        }
    }
}

/// Each row is as wide as the terminal, and the rows of the page are where they belong.
fn whole(app: &App, text: &str) {
    let drawn = screen(app);
    assert!(!drawn.chars().any(|c| c != '\n' && disturbs(c)), "{text:?}\n{drawn}");
    for line in drawn.lines() {
        assert!(line.width() <= usize::from(app.size.0), "{text:?}: {line:?}");
        let marks = line.split(|c: char| c.to_string().width() > 0);
        let longest = marks.map(|marks| marks.chars().count()).max().unwrap_or(0);
        assert!(longest <= 4, "{text:?}: {line:?}");
    }
    let lines: Vec<&str> = drawn.lines().collect();
    assert!(lines[0].contains("Round 1 of"), "{text:?}\n{drawn}");
    assert!(lines[1].contains("Ana") && lines[2].contains("Ben"), "{text:?}\n{drawn}");
    let footer = lines[usize::from(app.size.1) - 1];
    assert!(footer.contains("Esc back") || footer.contains("q leave"), "{text:?}\n{drawn}");
}
