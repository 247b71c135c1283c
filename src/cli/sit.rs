//! Sitting down, on the screens or by lines: what `play`, `host`, `join`, `resume` and `watch` do
//! with their arguments.

#[cfg(feature = "tui")]
use super::screen;
use super::{
    Common, DONE, Failed, INTERRUPTED,
    common::{block_on, failed, interrupted, player_name},
};
use crate::{
    protocol::name::Name,
    run::Begin,
    store::{Meta, Profile, take_up},
    ui::lines::{self, Departure},
};

/// Sits down under the usual profile, and this name if one is given.
pub(super) fn sit(common: &Common, begin: Begin, name: Option<Name>) -> Result<u8, Failed> {
    #[cfg(feature = "tui")]
    if common.has_screen() {
        return screen::show(common, screen::Start::Table(Box::new(begin), None), name);
    }
    let profile = common.open_profile(&common.home()?)?;
    player_name(&profile, name)?;
    by_lines(common, profile, begin)
}

/// Goes on with the newest unfinished game that `wanted` accepts and nobody else plays, after
/// `say` has been said; `None` where there is none.
pub(super) fn go_on(
    common: &Common,
    wanted: impl Fn(&Meta) -> bool,
    say: Option<&str>,
) -> Result<Option<u8>, Failed> {
    let found = take_up(&common.home()?, common.profile.as_deref(), wanted);
    let Some((profile, game)) = found.map_err(failed)? else { return Ok(None) };
    if let Some(line) = say {
        lines::say(line);
    }
    // The lock that was found free is kept until the game is left.
    let begin = Begin::Resume(game);
    #[cfg(feature = "tui")]
    if common.has_screen() {
        let start = screen::Start::Table(Box::new(begin), Some(Box::new(profile)));
        return screen::show(common, start, None).map(Some);
    }
    by_lines(common, profile, begin).map(Some)
}

fn by_lines(common: &Common, profile: Profile, begin: Begin) -> Result<u8, Failed> {
    let sitting = lines::sit(profile, begin, !common.no_bell);
    match block_on(async { sitting.await.map_err(failed) })? {
        Departure::Done => Ok(DONE),
        Departure::Left => Ok(INTERRUPTED),
        Departure::Interrupted => Err(interrupted()),
    }
}
