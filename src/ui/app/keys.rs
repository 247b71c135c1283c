//! What keys do on each page.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    App, Begin, Effect, Over, Page,
    home::{HomePage, Item},
    input::Input,
};
use crate::{
    protocol::name::Name,
    run::{Again, FromPlayer, HostOptions, PORT, Target},
    ui::{
        keymap::{self, Command, Mode},
        leave::Leaving,
        screens,
    },
};

pub(super) fn on_key(app: &mut App, key: KeyEvent) -> Vec<Effect> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        match key.code {
            KeyCode::Char('c')
                if matches!(app.over, Some(Over::Leave)) || app.leaving_now().is_none() =>
            {
                return vec![Effect::Exit(true)];
            }
            KeyCode::Char('c') => {
                app.over = Some(Over::Leave);
                return Vec::new();
            }
            KeyCode::Char('z') => return vec![Effect::Suspend],
            _ => {}
        }
    }
    if app.is_cramped() {
        return Vec::new();
    }
    if app.mode() == Mode::Typing {
        return on_typing(app, key);
    }
    match keymap::command(app.mode(), key) {
        Some(Command::Place(place)) if app.table().is_some_and(|it| !it.has_place(place)) => {
            hint(app, key);
            Vec::new()
        }
        Some(command) => on_command(app, command),
        None => {
            hint(app, key);
            Vec::new()
        }
    }
}

/// Says what may be wrong with the keyboard: at a table over the footer, elsewhere once.
fn hint(app: &mut App, key: KeyEvent) {
    let Some(words) = keymap::hint(app.mode(), key) else { return };
    match (&mut app.page, &app.over) {
        (Page::Table(table), None) => table.note = Some(words),
        (Page::Learn(learn), None) => learn.table.note = Some(words),
        (_, None) if !app.hinted => {
            app.hinted = true;
            app.over = Some(Over::Note(words));
        }
        _ => {}
    }
}

pub(super) fn on_paste(app: &mut App, text: &str) -> Vec<Effect> {
    if let Some(
        Over::Name(input, ..) | Over::Join(input, _) | Over::Jump(input, _) | Over::Talk(input, _),
    ) = &mut app.over
    {
        input.paste(text);
    }
    Vec::new()
}

fn on_command(app: &mut App, command: Command) -> Vec<Effect> {
    if let Some(over) = app.over.take() {
        return on_over(app, over, command);
    }
    match command {
        Command::Help => {
            app.over = Some(Over::Help(0));
            return Vec::new();
        }
        Command::Leave if app.leaving_now().is_some() => {
            app.over = Some(Over::Leave);
            return Vec::new();
        }
        Command::Leave => {
            app.leaving |= matches!(app.page, Page::Home | Page::Table(_));
            return app.go_home();
        }
        Command::Talk => {
            app.over = Some(match &app.page {
                Page::Table(table) if table.over => {
                    Over::Note("The game is over; nobody receives messages any more.".into())
                }
                _ if app.works(Command::Talk) => Over::Talk(Input::default(), None),
                _ => Over::Note("Nobody else is here to hear it.".into()),
            });
            return Vec::new();
        }
        _ => {}
    }
    let per_row = screens::table::per_row(app);
    match &mut app.page {
        Page::Home => on_home(app, command),
        Page::List(item, at) => {
            let (item, at) = (*item, *at);
            on_list(app, item, at, command)
        }
        Page::Replay(replay) => match command {
            Command::Jump => {
                replay.playing = false;
                app.over = Some(Over::Jump(Input::default(), None));
                Vec::new()
            }
            Command::Back if replay.playing => {
                replay.playing = false;
                Vec::new()
            }
            Command::Back if !app.once => app.go_home(),
            command => {
                replay.command(command);
                Vec::new()
            }
        },
        Page::Wait(_) => Vec::new(),
        Page::Lobby(lobby) if command == Command::Enter && lobby.has_room() => {
            app.over = Some(Over::Begin);
            Vec::new()
        }
        Page::Lobby(lobby) => lobby.command(command),
        Page::Table(table) if table.mode() == Mode::End => on_end(app, command),
        Page::Table(table) => table.command(command, per_row),
        Page::Learn(learn) => match learn.command(command, per_row) {
            true => Vec::new(),
            false => app.go_home(),
        },
    }
}

fn on_end(app: &mut App, command: Command) -> Vec<Effect> {
    let Page::Table(table) = &mut app.page else { return Vec::new() };
    match command {
        Command::Again if matches!(table.again, Some(Again::Gone(_))) => {
            let words = "To play on, host a new table and send the invite.";
            app.over = Some(Over::Note(words.into()));
        }
        Command::Again if table.again.is_some() => {
            table.wished = true;
            return vec![Effect::Again];
        }
        Command::Enter if table.over => return vec![Effect::Order(FromPlayer::Leave)],
        Command::Enter => app.over = Some(Over::Leave),
        _ => {}
    }
    Vec::new()
}

fn on_over(app: &mut App, over: Over, command: Command) -> Vec<Effect> {
    match (over, command) {
        (Over::Help(from), Command::Down) => {
            app.over = Some(Over::Help(from + 1));
            Vec::new()
        }
        (Over::Help(from), Command::Up) => {
            app.over = Some(Over::Help(from.saturating_sub(1)));
            Vec::new()
        }
        (Over::Leave, Command::Yes) => leave(app, FromPlayer::Leave),
        (Over::Leave, Command::Withdraw) if app.leaving_now().is_some_and(Leaving::for_good) => {
            leave(app, FromPlayer::Withdraw)
        }
        (Over::Begin, Command::Yes) => match &mut app.page {
            Page::Lobby(lobby) => lobby.command(Command::Enter),
            _ => Vec::new(),
        },
        (Over::Leave | Over::Begin, Command::Back) | (Over::Help(_) | Over::Note(_), _) => {
            Vec::new()
        }
        (over, _) => {
            app.over = Some(over);
            Vec::new()
        }
    }
}

/// The player has said yes to leaving.
fn leave(app: &mut App, order: FromPlayer) -> Vec<Effect> {
    let good = order == FromPlayer::Withdraw;
    let parting = app.leaving_now().map(|leaving| Effect::Parting(leaving.done(good)));
    let mut effects: Vec<Effect> = parting.into_iter().collect();
    match app.page {
        Page::Table(_) => {
            effects.push(Effect::Order(order));
            effects
        }
        _ => {
            effects.push(Effect::LeaveLobby);
            effects.extend(app.go_home());
            effects
        }
    }
}

fn on_home(app: &mut App, command: Command) -> Vec<Effect> {
    let last = HomePage::items(&app.facts).len() - 1;
    match command {
        Command::Up => app.home.at = app.home.at.saturating_sub(1),
        Command::Down => app.home.at = (app.home.at + 1).min(last),
        Command::Left | Command::Right => app.home.more(command == Command::Right),
        Command::Next => app.home.other(&app.facts),
        Command::Enter => return choose(app, app.home.item(&app.facts)),
        _ => {}
    }
    Vec::new()
}

fn choose(app: &mut App, item: Item) -> Vec<Effect> {
    let HomePage { players, bot, deal, .. } = app.home;
    match item {
        Item::Play => return app.begin(Begin::Alone { players, bot }),
        Item::Host => {
            return app.begin(Begin::Host(HostOptions {
                players,
                bots: 0,
                bots_play: bot,
                own_bot: None,
                deal,
                clock_s: 0,
                patience_s: 60,
                port: PORT,
                lan: true,
                local: false,
                watch: true,
                relays: None,
            }));
        }
        Item::Join => return app.join(),
        Item::Resume => app.page = Page::List(item, 0),
        Item::Replays => {
            app.page = Page::List(item, 0);
            let paths = app.facts.replays.iter().map(|kept| kept.path.clone());
            let new: Vec<_> = paths.filter(|path| !app.checked.contains_key(path)).collect();
            app.checked.extend(new.iter().map(|path| (path.clone(), None)));
            return vec![Effect::Check(new)];
        }
        Item::Learn => return app.learn(),
        Item::Help => app.over = Some(Over::Help(0)),
        Item::Quit => {
            app.leaving = true;
            return app.go_home();
        }
    }
    Vec::new()
}

fn on_list(app: &mut App, item: Item, at: usize, command: Command) -> Vec<Effect> {
    let games = item == Item::Resume;
    let len = if games { app.facts.games.len() } else { app.facts.replays.len() };
    match command {
        Command::Up => app.page = Page::List(item, at.saturating_sub(1)),
        Command::Down => app.page = Page::List(item, (at + 1).min(len.saturating_sub(1))),
        Command::Back => return app.go_home(),
        Command::Enter if games => {
            if let Some(game) = app.facts.games.get(at) {
                return app.begin(Begin::Resume(game.clone()));
            }
        }
        Command::Enter => {
            return app
                .facts
                .replays
                .get(at)
                .map(|kept| Effect::Read(kept.path.clone()))
                .into_iter()
                .collect();
        }
        _ => {}
    }
    Vec::new()
}

fn on_typing(app: &mut App, key: KeyEvent) -> Vec<Effect> {
    let Some(mut over) = app.over.take() else { return Vec::new() };
    match (&mut over, key.code) {
        (Over::Name(..), KeyCode::Esc) if app.once => return vec![Effect::Exit(false)],
        (_, KeyCode::Esc) => return Vec::new(),
        (Over::Name(input, wrong, begin), KeyCode::Enter) => {
            match input.text.trim().parse::<Name>() {
                Ok(name) => {
                    app.facts.name = Some(name.clone());
                    let mut effects = vec![Effect::Name(name)];
                    effects.extend(app.begin(*begin.clone()));
                    return effects;
                }
                Err(error) => *wrong = Some(error.to_string()),
            }
        }
        (Over::Join(..), KeyCode::Up) => app.table_at = app.table_at.saturating_sub(1),
        (Over::Join(..), KeyCode::Down) => {
            app.table_at = (app.table_at + 1).min(app.tables.len().saturating_sub(1));
        }
        (Over::Join(input, wrong), KeyCode::Enter) => {
            let marked = app.tables.get(app.table_at).filter(|_| input.text.trim().is_empty());
            let text = marked.map_or(input.text.as_str(), |table| &table.words);
            let text = text.trim();
            let text = text.strip_prefix("fairdeal join").unwrap_or(text).trim();
            match text.parse::<Target>() {
                Ok(target) => return app.begin(Begin::Join { target, bot: None, local: false }),
                Err(error) => *wrong = Some(error.to_string()),
            }
        }
        (Over::Jump(input, wrong), KeyCode::Enter) => {
            let Page::Replay(replay) = &mut app.page else { return Vec::new() };
            match replay.to_turn(&input.text) {
                Ok(()) => return Vec::new(),
                Err(why) => *wrong = Some(why),
            }
        }
        (Over::Talk(input, wrong), KeyCode::Enter) => {
            let said = match &mut app.page {
                Page::Table(table) => table.say(&input.text).map(|it| it.map(Effect::Order)),
                Page::Lobby(lobby) => lobby.say(&input.text).map(Some),
                _ => Ok(None),
            };
            match said {
                Ok(said) => {
                    app.over = Some(Over::Talk(Input::default(), None));
                    return said.into_iter().collect();
                }
                Err(why) => *wrong = Some(why),
            }
        }
        (
            Over::Name(input, wrong, _)
            | Over::Join(input, wrong)
            | Over::Jump(input, wrong)
            | Over::Talk(input, wrong),
            _,
        ) => typed(input, wrong, key),
        _ => {}
    }
    app.over = Some(over);
    Vec::new()
}

/// A key of the line; what was wrong with it is forgotten.
fn typed(input: &mut Input, wrong: &mut Option<String>, key: KeyEvent) {
    if input.key(key) {
        *wrong = None;
    }
}
