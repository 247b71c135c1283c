//! The terminal taken for the screens, and given back on every path.

use std::{
    io::{self, BufWriter, Stdout, Write},
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

use ratatui::{
    Frame, Terminal, TerminalOptions, Viewport,
    backend::CrosstermBackend,
    crossterm::{
        Command, cursor,
        event::{DisableBracketedPaste, EnableBracketedPaste},
        queue,
        style::Print,
        terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, SetTitle},
    },
    layout::Rect,
};

/// Whether the terminal is ours at the moment.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Saves the window's title; explicit writing direction, so that a name in a right-to-left
/// script does not turn its line (ECMA-48 BDSM, terminal-wg's "BiDi in terminal emulators").
const BEGIN: &str = "\x1b[22;0t\x1b[8l";
/// The title as it was, implicit direction as it was.
const END: &str = "\x1b[8h\x1b[23;0t";

/// The terminal while the screens have it; dropping it gives it back.
pub struct Screen {
    terminal: Drawn,
}

type Drawn = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

impl Screen {
    /// Takes the terminal. A panic from now on, in any task, gives it back before it is told.
    ///
    /// # Errors
    /// If the terminal cannot be had; then it is as it was.
    pub fn take() -> io::Result<Screen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                give_back();
                before(panic);
            }));
        });
        take()?;
        match terminal::size().and_then(|(columns, rows)| empty(columns, rows)) {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Draws, while the terminal is ours.
    ///
    /// # Errors
    /// If the terminal has gone away.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        if TAKEN.load(Ordering::SeqCst) {
            self.terminal.draw(draw)?;
        }
        Ok(())
    }

    /// Gives the terminal back until [`Screen::again`].
    pub fn pause(&mut self) {
        give_back();
    }

    /// Takes the terminal again after the process has been stopped.
    ///
    /// # Errors
    /// If the terminal cannot be had.
    pub fn again(&mut self) -> io::Result<()> {
        give_back();
        take()?;
        let (columns, rows) = terminal::size()?;
        self.resize(columns, rows)
    }

    /// The terminal has another size; all is drawn anew.
    ///
    /// # Errors
    /// If the terminal has gone away.
    pub fn resize(&mut self, columns: u16, rows: u16) -> io::Result<()> {
        if TAKEN.load(Ordering::SeqCst) {
            say(Clear(ClearType::All));
        }
        self.terminal = empty(columns, rows)?;
        Ok(())
    }

    /// Rings.
    pub fn bell(&self) {
        say(Print("\x07"));
    }

    /// Names the window.
    pub fn title(&self, title: &str) {
        say(SetTitle(title));
    }

    /// Puts a text on the clipboard, where the terminal allows it (OSC 52).
    pub fn copy(&self, text: &str) {
        let coded = data_encoding::BASE64.encode(text.as_bytes());
        say(Print(format!("\x1b]52;c;{coded}\x07")));
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// An empty drawing of this size. The size is told, never asked for while drawing: ratatui would
/// then ask for the cursor too, and the answer would go to the thread that reads the keys.
fn empty(columns: u16, rows: u16) -> io::Result<Drawn> {
    let viewport = Viewport::Fixed(Rect::new(0, 0, columns, rows));
    let backend = CrosstermBackend::new(BufWriter::new(io::stdout()));
    Terminal::with_options(backend, TerminalOptions { viewport })
}

fn say(command: impl Command) {
    let mut out = io::stdout();
    // A terminal that has gone away is found out by the next drawing.
    let _ = queue!(out, command).and_then(|()| out.flush());
}

fn take() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut out = io::stdout();
    let taken = queue!(
        out,
        Print(BEGIN),
        SetTitle("fairdeal"),
        EnterAlternateScreen,
        // A program that was killed has left its screen behind.
        Clear(ClearType::All),
        EnableBracketedPaste,
        cursor::Hide
    );
    let taken = taken.and_then(|()| out.flush());
    if taken.is_err() {
        give_back();
    }
    taken
}

/// Gives the terminal back as it was, if it is ours.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // Where a step fails the others are still tried: there is nobody to tell.
    let _ = queue!(out, cursor::Show, DisableBracketedPaste, LeaveAlternateScreen, Print(END));
    let _ = out.flush();
    let _ = terminal::disable_raw_mode();
}
