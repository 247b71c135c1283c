//! Where fairdeal keeps its files.

use std::path::{Path, PathBuf};

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

use super::{StoreError, files::make_folder};

/// The folder that holds profiles, running games and replays.
#[derive(Debug, Clone)]
pub struct Home(PathBuf);

impl Home {
    /// `FAIRDEAL_HOME`, else the platform's folder for data.
    ///
    /// # Errors
    /// [`StoreError`] if none is known or it cannot be made.
    pub fn find() -> Result<Home, StoreError> {
        let named = std::env::var_os("FAIRDEAL_HOME").filter(|path| !path.is_empty());
        let path = match named {
            Some(path) => PathBuf::from(path),
            None => {
                let args = AppStrategyArgs {
                    top_level_domain: "net".into(),
                    author: "fairdeal".into(),
                    app_name: "fairdeal".into(),
                };
                choose_app_strategy(args).map_err(|_| StoreError::NoHome)?.data_dir()
            }
        };
        Home::at(path)
    }

    /// The home in this folder.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be made.
    pub fn at(path: PathBuf) -> Result<Home, StoreError> {
        let home = Home(std::path::absolute(&path).unwrap_or(path));
        for folder in [home.profiles(), home.games(), home.replays()] {
            make_folder(&folder)?;
        }
        Ok(home)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// One folder for each profile.
    pub fn profiles(&self) -> PathBuf {
        self.0.join("profiles")
    }

    /// One folder for each running game.
    pub fn games(&self) -> PathBuf {
        self.0.join("games")
    }

    /// The finished games.
    pub fn replays(&self) -> PathBuf {
        self.0.join("replays")
    }
}
