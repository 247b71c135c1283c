//! The page in Chromium.

use fairdeal::{bot::Bot, protocol::lobby::DealKind};

use super::{HOSTILE, browser::Browser, game, hostile, html};

/// The current line, which must be that of the marked line of the log.
fn line(browser: &mut Browser) -> String {
    let line = browser.text("document.getElementById('line').textContent");
    let marked = browser.text("document.querySelector('#log [aria-current]').textContent");
    assert_eq!(line, marked);
    line
}

fn at(browser: &mut Browser) -> u64 {
    browser.eval("Number(document.getElementById('at').value)").as_u64().expect("a step")
}

fn change(browser: &mut Browser, id: &str, value: &str, event: &str) {
    browser.eval(&format!(
        "(() => {{ const e = document.getElementById('{id}'); e.value = '{value}'; \
         e.dispatchEvent(new Event('{event}')); }})()"
    ));
}

/// Nothing was complained of and nothing but the page itself was asked for.
fn is_quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), Vec::<&serde_json::Value>::new());
    let requests = browser.requests();
    assert!(matches!(requests.as_slice(), [own] if own.starts_with("file:")), "{requests:?}");
}

#[test]
fn the_page_steps_forward_and_back_by_keys_buttons_and_slider() {
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&html(&game(3, DealKind::Open, Bot::Greedy, 11)));
    let count = browser.eval("document.querySelectorAll('#log li').length");
    let last = count.as_u64().expect("a number") - 1;
    assert_eq!(line(&mut browser), "Everyone is in. The game begins.");

    for step in 1..=3 {
        browser.key("ArrowRight");
        assert_eq!(at(&mut browser), step);
    }
    let third = line(&mut browser);
    browser.key("ArrowLeft");
    assert_eq!(at(&mut browser), 2);
    assert_ne!(line(&mut browser), third);
    browser.key("End");
    assert_eq!(at(&mut browser), last);
    assert!(line(&mut browser).starts_with("The game is over: "));
    assert!(browser.text("document.getElementById('scores').textContent").contains("winner"));
    browser.key("Home");
    assert_eq!(at(&mut browser), 0);

    browser.eval("document.getElementById('next').click()");
    assert_eq!(at(&mut browser), 1);
    browser.eval("document.getElementById('back').click()");
    assert_eq!(at(&mut browser), 0);
    change(&mut browser, "at", "7", "input");
    assert_eq!(at(&mut browser), 7);
    change(&mut browser, "round", "2", "change");
    assert!(line(&mut browser).starts_with("Round 2 of 3 is dealt."));
    change(&mut browser, "turn", "2", "input");
    assert_eq!(browser.text("document.getElementById('turn').value"), "2");

    browser.key(" ");
    assert_eq!(browser.text("document.getElementById('play').textContent"), "Pause");
    browser.key(" ");
    assert_eq!(browser.text("document.getElementById('play').textContent"), "Play");
    is_quiet(&browser);
}

#[test]
fn every_step_is_drawn_and_fits_a_phone_and_a_desk() {
    let Some(mut browser) = Browser::start() else { return };
    let page = html(&game(5, DealKind::Open, Bot::Random, 12));
    for (width, height) in [(375, 800), (1280, 800)] {
        browser.resize(width, height);
        browser.open(&page);
        let wide = browser.eval(
            "(() => { const next = document.getElementById('next'); const wide = []; \
             const log = document.querySelectorAll('#log li'); \
             log.forEach((line, step) => { \
               if (document.getElementById('line').textContent !== line.textContent) \
                 wide.push(`${step}: another line`); \
               if (document.documentElement.scrollWidth > innerWidth) wide.push(`${step}: wide`); \
               next.click(); }); \
             return wide; })()",
        );
        assert_eq!(wide, serde_json::json!([]), "at {width} pixels");
        is_quiet(&browser);
    }
}

#[test]
fn hands_are_shown_and_hidden_and_everything_has_a_name_for_ears() {
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&html(&game(3, DealKind::Open, Bot::Greedy, 13)));
    browser.key("ArrowRight");
    let sealed = "document.querySelectorAll('#seats .sealed').length";
    assert_eq!(browser.eval(sealed), 0);
    change(&mut browser, "view", "none", "change");
    assert_eq!(browser.eval(sealed), 36);
    change(&mut browser, "view", "1", "change");
    assert_eq!(browser.eval(sealed), 24);
    let unnamed = browser.eval(
        "[...document.querySelectorAll('button, input, select, .card')].filter((e) => \
         !(e.getAttribute('aria-label') || e.labels?.length || \
           (e.tagName === 'BUTTON' && e.textContent.trim()))).map((e) => e.outerHTML)",
    );
    assert_eq!(unnamed, serde_json::json!([]));
    is_quiet(&browser);
}

#[test]
fn a_name_that_is_markup_is_shown_as_it_is_written() {
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&html(&hostile()));
    assert_eq!(browser.text("document.querySelector('.seat h2').textContent"), HOSTILE);
    let heading = browser.text("document.querySelector('h1').textContent");
    assert_eq!(heading, format!("{HOSTILE}, {{{{script}}}}<!--<script>, Cy"));
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
    is_quiet(&browser);
}

/// Texts whose colour is too near to that behind them (WCAG 2.2, 1.4.3: below 4.5 to 1). A
/// card's back has no one colour, and a button that does nothing now may be faint.
const FAINT: &str = r"(() => {
  const part = (x) => (x <= 10.3 ? x / 3294 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const colour = (text) => text.match(/[\d.]+/g).map(Number);
  const behind = (e) => {
    const found = e && colour(getComputedStyle(e).backgroundColor);
    return !e ? [255, 255, 255] : found.length === 3 ? found : behind(e.parentElement);
  };
  const texts = [...document.querySelectorAll('body *')].filter((e) => e.offsetParent &&
    !e.disabled && !e.closest('.sealed, :disabled') &&
    [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
  return texts.map((e) => {
    const [a, b] = [light(colour(getComputedStyle(e).color)), light(behind(e))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${e.className} ${e.textContent}`];
  }).filter(([contrast]) => contrast < 4.5).map(([contrast, text]) => `${contrast} ${text}`);
})()";

#[test]
fn every_text_can_be_read_in_light_and_dark() {
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&html(&game(5, DealKind::Open, Bot::Greedy, 14)));
    for dark in [false, true] {
        browser.darken(dark);
        for key in ["Home", "ArrowRight", "End"] {
            browser.key(key);
            assert!(browser.eval("document.querySelectorAll('button').length").as_u64() > Some(5));
            assert_eq!(browser.eval(FAINT), serde_json::json!([]), "dark {dark}, {key}");
        }
    }
}
