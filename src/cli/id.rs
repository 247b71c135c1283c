//! `fairdeal id`

use serde_json::json;

use super::{Common, DONE, FILE, Failed, common::print};
use crate::{net::key_words, store::Profile};

/// Show who you are: name, key and its four words
///
/// Friends compare the words aloud to know that a key is yours.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(common: &Common, args: Args) -> Result<u8, Failed> {
    let known = Profile::peek(&common.home()?, common.profile.as_deref());
    let (profile, key, name) = known.map_err(|error| Failed::new(FILE, error))?;
    let words = key_words(&key);
    let name = name.as_ref().map(|name| name.as_str());
    print(&if args.json {
        let key = key.to_string();
        format!("{}\n", json!({ "profile": profile, "name": name, "key": key, "words": words }))
    } else {
        let name = name.unwrap_or("(asked for when you first play)");
        format!("profile  {profile}\nname     {name}\nwords    {words}\nkey      {key}\n")
    });
    Ok(DONE)
}
