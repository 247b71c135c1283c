//! Files that are whole or not there, and files that only grow.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{StoreError, at};

/// Writes a file whole, readable by its owner only: a new one beside it, fsynced, then renamed.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(at(folder))?;
    file.write_all(bytes).map_err(at(path))?;
    file.as_file().sync_all().map_err(at(path))?;
    file.persist(path).map_err(|error| at(path)(error.error))?;
    sync_folder(folder)
}

/// Makes new and renamed entries of a folder survive a power cut.
pub(super) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(at(folder))?;
    }
    Ok(())
}

/// Makes a folder, and those above it, that only its owner can enter.
pub(super) fn make_folder(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(at(path))
}

/// A file that only grows.
#[derive(Debug)]
pub(super) struct Growing {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Growing {
    /// Opens or makes the file and gives what it holds.
    pub(super) fn open(path: PathBuf, bytes_max: u64) -> Result<(Growing, Vec<u8>), StoreError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(at(&path))?;
        let mut bytes = Vec::new();
        (&mut file).take(bytes_max + 1).read_to_end(&mut bytes).map_err(at(&path))?;
        let length = bytes.len() as u64;
        if length > bytes_max {
            let reason = "it is too large to be a game's; move it away".into();
            return Err(StoreError::Damaged { path, reason });
        }
        Ok((Growing { path, file, length }, bytes))
    }

    /// Appends and fsyncs. If that fails, the file is as it was.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.write(bytes);
        match written {
            Ok(()) => self.length += bytes.len() as u64,
            Err(_) => self.cut(self.length).unwrap_or_default(),
        }
        written.map_err(at(&self.path))
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(bytes)?;
        self.file.sync_data()
    }

    /// Cuts the file to `length` bytes.
    pub(super) fn cut(&mut self, length: u64) -> Result<(), StoreError> {
        self.file.set_len(length).map_err(at(&self.path))?;
        self.length = length;
        Ok(())
    }

    /// Cuts this many bytes off its end and fsyncs.
    pub(super) fn cut_tail(&mut self, bytes: u64) -> Result<(), StoreError> {
        let length = self.length.saturating_sub(bytes);
        self.file.set_len(length).map_err(at(&self.path))?;
        self.file.sync_all().map_err(at(&self.path))?;
        // Only now: who tries again after a failed sync must not cut twice.
        self.length = length;
        Ok(())
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
