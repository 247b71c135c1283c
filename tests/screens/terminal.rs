//! Every way out gives the terminal back: same settings, cursor shown, main screen, and words.

use std::{
    io::{BufRead, Read, Write},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use fairdeal::ui::terminal::Screen;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The program in a terminal of its own.
struct Played {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Mutex<vt100::Parser>>,
    before: String,
    home: tempfile::TempDir,
}

const PATIENCE: Duration = Duration::from_secs(60);

impl Played {
    fn start(args: &[&str]) -> Played {
        Played::run(PROGRAM, args)
    }

    fn run(program: &str, args: &[&str]) -> Played {
        Played::at(tempfile::tempdir().expect("a folder"), program, args)
    }

    /// In a home that is there already.
    fn at(home: tempfile::TempDir, program: &str, args: &[&str]) -> Played {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let before = settings(&*pair.master);
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.env("FAIRDEAL_HOME", home.path());
        command.env("TERM", "xterm-256color");
        command.env("RUST_BACKTRACE", "0");
        command.env(TO_PANIC, "yes");
        let child = pair.slave.spawn_command(command).expect("started");
        let seen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let mut output = pair.master.try_clone_reader().expect("its output");
        let keys = pair.master.take_writer().expect("its input");
        let screen = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                screen.lock().expect("the screen").process(&bytes[..read]);
            }
        });
        // The slave stays open, so that the settings can still be read when the program is gone.
        std::mem::forget(pair.slave);
        Played { master: pair.master, keys, child, seen, before, home }
    }

    fn text(&self) -> String {
        self.seen.lock().expect("the screen").screen().contents()
    }

    fn wait_for(&self, words: &str) {
        let begun = Instant::now();
        while !self.text().contains(words) {
            assert!(begun.elapsed() < PATIENCE, "no {words:?} on:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("pressed");
        self.keys.flush().expect("pressed");
    }

    fn signal(&self, name: &str) {
        let process = self.child.process_id().expect("its number").to_string();
        let sent = std::process::Command::new("kill").args([name, &process]).status();
        assert!(sent.expect("kill").success());
    }

    /// Waits for the end; gives the exit code and what stands on the main screen.
    fn ended(self) -> (u32, String) {
        let (code, text, _) = self.left();
        (code, text)
    }

    /// The same, and the home it leaves.
    fn left(mut self) -> (u32, String, tempfile::TempDir) {
        let begun = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("a state") {
                break status.exit_code();
            }
            assert!(begun.elapsed() < PATIENCE, "still running:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        };
        // What the program wrote last may still be on its way.
        std::thread::sleep(Duration::from_millis(200));
        self.is_given_back();
        let text = self.text();
        (code, text, self.home)
    }

    fn is_given_back(&self) {
        assert_eq!(settings(&*self.master), self.before, "the terminal's settings");
        let parser = self.seen.lock().expect("the screen");
        assert!(!parser.screen().alternate_screen(), "the main screen");
        assert!(!parser.screen().hide_cursor(), "the cursor");
        assert!(!parser.screen().bracketed_paste(), "pasting");
    }
}

fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("settings"))
}

/// At the table, asked to keep or flip.
fn at_the_table() -> Played {
    let played = Played::start(&["play", "--name", "Ana"]);
    played.wait_for("Keep this hand");
    assert_ne!(settings(&*played.master), played.before, "raw while playing");
    played
}

const SAVED: &str = "The game is saved";

#[test]
fn quitting_at_home() {
    let mut played = Played::start(&[]);
    played.wait_for("Play now");
    played.press("q");
    assert_eq!(played.ended().0, 0);
}

#[test]
fn a_lesson_needs_no_name_and_leaves_nothing_behind() {
    let mut played = Played::start(&["learn"]);
    played.wait_for("Lesson 1 of 15");
    played.press("g");
    played.wait_for("Enter: the next lesson");
    played.press("\r");
    played.wait_for("Lesson 2 of 15");
    played.press("q");
    assert!(!played.home.path().join("profiles/main").exists());
    assert_eq!(played.ended().0, 0);
}

#[test]
fn leaving_a_game() {
    let mut played = at_the_table();
    played.press("q");
    played.wait_for("Leave?");
    played.press("y");
    let (code, text) = played.ended();
    assert_eq!(code, 0);
    assert!(text.contains(SAVED), "{text}");
}

#[test]
fn ctrl_c_twice() {
    let mut played = at_the_table();
    played.press("\x03");
    played.wait_for("Leave?");
    played.press("\x03");
    let (code, text) = played.ended();
    assert_eq!(code, 130);
    assert!(text.contains(SAVED), "{text}");
}

#[test]
fn terminate_and_hang_up() {
    for (name, code) in [("-TERM", 143), ("-HUP", 129)] {
        let played = at_the_table();
        played.signal(name);
        let (ended, text) = played.ended();
        assert_eq!(ended, code);
        assert!(text.contains(SAVED), "{text}");
    }
}

/// Set where this program runs in a terminal of its own, to panic there.
const TO_PANIC: &str = "FAIRDEAL_TEST_TO_PANIC";

#[test]
fn panics_here() {
    if std::env::var_os(TO_PANIC).is_none() {
        return;
    }
    let _screen = Screen::take().expect("a terminal");
    panic!("on purpose");
}

#[test]
fn panics_in_a_task() {
    if std::env::var_os(TO_PANIC).is_none() {
        return;
    }
    let _screen = Screen::take().expect("a terminal");
    let task = std::thread::spawn(|| panic!("on purpose"));
    assert!(task.join().is_err());
    std::thread::sleep(Duration::from_millis(300));
    // Without dropping the screen: the panic alone has given the terminal back.
    std::process::exit(101);
}

#[test]
fn panics_while_drawing() {
    if std::env::var_os(TO_PANIC).is_none() {
        return;
    }
    let mut screen = Screen::take().expect("a terminal");
    screen.draw(|_| {}).expect("drawn");
    let _ = screen.draw(|_| panic!("on purpose"));
}

#[test]
fn panics_in_a_task_of_the_runtime() {
    if std::env::var_os(TO_PANIC).is_none() {
        return;
    }
    let mut screen = Screen::take().expect("a terminal");
    screen.draw(|_| {}).expect("drawn");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let ended = runtime.block_on(runtime.spawn(async { panic!("on purpose") }));
    assert!(ended.is_err_and(|why| why.is_panic()));
    // What is drawn from now on goes nowhere: the terminal is not ours any more.
    screen.draw(|frame| frame.render_widget("scrawl", frame.area())).expect("not drawn");
    std::process::exit(101);
}

#[test]
fn a_panic_of_the_screens_and_of_a_task() {
    let program = std::env::current_exe().expect("this program");
    let program = program.to_str().expect("its path");
    let tests = [
        "panics_here",
        "panics_while_drawing",
        "panics_in_a_task",
        "panics_in_a_task_of_the_runtime",
    ];
    for test in tests {
        let name = format!("terminal::{test}");
        let played = Played::run(program, &["--exact", &name, "--nocapture"]);
        let (code, text) = played.ended();
        assert_eq!(code, 101, "{test}: {text}");
        assert!(text.contains("on purpose"), "{test}: {text}");
        assert!(!text.contains("scrawl"), "{test}: {text}");
    }
}

/// Standard output is closed, goes nowhere or to a reader that leaves: there are no screens then,
/// the prompt plays on in silence, and the terminal is as it was.
#[test]
fn a_closed_standard_output() {
    for (to, left) in [(">&-", true), (">/dev/full", true), ("| head -1", false)] {
        let script = format!("{PROGRAM} play --name Ana {to}; echo left with $?");
        let mut played = Played::run("sh", &["-c", &script]);
        if !left {
            played.wait_for("Everyone is in.");
        }
        assert_eq!(settings(&*played.master), played.before, "{to}: no screens");
        played.press("?\rquit\r");
        played.wait_for("left with 0");
        let (code, text) = played.ended();
        assert_eq!(code, 0, "{to}: {text}");
        assert!(!text.contains("panicked"), "{to}: {text}");
    }
}

#[test]
fn a_command_without_standard_output_says_why_it_fails() {
    for to in [">&-", ">/dev/full"] {
        let script = format!("{PROGRAM} join 300.1.1.1 {to}; echo left with $?");
        let mut played = Played::run("sh", &["-c", &script]);
        played.wait_for("left with 2");
        assert!(played.text().contains("fairdeal:"), "{to}: {}", played.text());
        played.press("");
        assert_eq!(played.ended().0, 0);
    }
}

#[test]
fn an_error_at_the_start() {
    let played = Played::start(&["join", "300.1.1.1"]);
    let (code, text) = played.ended();
    assert_ne!(code, 0);
    assert!(text.contains("fairdeal:"), "{text}");
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_fairdeal");

#[test]
fn who_comes_back_sees_what_has_happened() {
    let mut played = at_the_table();
    played.press("\r");
    played.wait_for("Ana keeps the hand.");
    played.press("q");
    played.wait_for("Leave?");
    played.press("y");
    let (code, _, home) = played.left();
    assert_eq!(code, 0);
    let mut played = Played::at(home, PROGRAM, &["resume"]);
    played.wait_for("Ana keeps the hand.");
    played.press("\x03\x03");
    assert_eq!(played.ended().0, 130);
}

#[test]
fn what_cannot_be_read_ends_with_the_code_for_files_as_it_does_by_lines() {
    let mut played = at_the_table();
    played.press("q");
    played.wait_for("Leave?");
    played.press("y");
    let (_, _, home) = played.left();
    let games = std::fs::read_dir(home.path().join("games")).expect("a folder");
    for game in games {
        let log = game.expect("a game").path().join("game.fairdeal");
        let mut bytes = std::fs::read(&log).expect("a log");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&log, bytes).expect("written");
    }
    let (code, text, home) = Played::at(home, PROGRAM, &["resume"]).left();
    assert!(text.contains("cannot be continued"), "{text}");
    assert_eq!(code, 4, "{text}");
    let (code, text) = Played::at(home, PROGRAM, &["resume", "--no-tui"]).ended();
    assert_eq!(code, 4, "{text}");
}

#[test]
fn a_table_that_is_over_ends_with_the_code_for_the_network() {
    let home = tempfile::tempdir().expect("a folder");
    let host = |port: &str| -> (std::process::Child, String) {
        let mut command = std::process::Command::new(PROGRAM);
        command.args(["host", "--new", "--local", "--players", "2", "--name", "Ana", "--port"]);
        command.arg(port).env("FAIRDEAL_HOME", home.path());
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("started");
        let lines = std::io::BufReader::new(child.stdout.as_mut().expect("its output")).lines();
        let mut told = lines.map_while(Result::ok);
        let invite = told.find_map(|line| line.strip_prefix("fairdeal join ").map(str::to_owned));
        (child, invite.expect("an invite"))
    };
    let (mut first, old) = host("0");
    first.kill().and_then(|()| first.wait()).expect("ended");
    let invite: fairdeal::net::Invite = old.parse().expect("an invite");
    let port = invite.addresses()[0].port().to_string();
    let (mut second, _) = host(&port);
    let played = Played::start(&["join", &old, "--local", "--name", "Ben"]);
    let (code, text) = played.ended();
    second.kill().and_then(|()| second.wait()).expect("ended");
    assert!(text.contains("new invite"), "{text}");
    assert_eq!(code, 5, "{text}");
}

#[test]
fn another_size_is_drawn_at_once() {
    let mut played = at_the_table();
    let resize = |rows, cols| {
        played.seen.lock().expect("the screen").screen_mut().set_size(rows, cols);
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        played.master.resize(size).expect("another size");
    };
    resize(12, 50);
    played.wait_for("Window too small: needs 60x20");
    resize(40, 120);
    played.wait_for("Keep this hand");
    played.press("\x03\x03");
    assert_eq!(played.ended().0, 130);
}

#[test]
fn suspended_and_continued() {
    let mut played = at_the_table();
    played.press("\x1a");
    let begun = Instant::now();
    while settings(&*played.master) != played.before {
        assert!(begun.elapsed() < PATIENCE, "not given back");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    played.is_given_back();
    played.signal("-CONT");
    played.wait_for("Keep this hand");
    assert_ne!(settings(&*played.master), played.before, "raw again");
    played.press("q");
    played.wait_for("Leave?");
    played.press("y");
    assert_eq!(played.ended().0, 0);
}
