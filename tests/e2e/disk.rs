//! A disk that is full: the game waits, says so, and goes on once there is room.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

use super::table::{GUEST, HOST, Table};

/// A small file system of its own; unmounted when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where this user may not mount.
    fn mount(at: &Path) -> Option<SmallDisk> {
        std::fs::create_dir(at).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=256k", "fairdeal-test"]).arg(at);
        let mounted = mount.stderr(Stdio::null()).status();
        mounted.is_ok_and(|status| status.success()).then(|| SmallDisk(at.to_owned()))
    }

    /// Takes all the room there is.
    fn fill(&self) {
        let mut file = File::create(self.0.join("filler")).expect("a file");
        while file.write_all(&[0; 512]).is_ok() {}
    }

    /// Gives it back.
    fn make_room(&self) {
        std::fs::remove_file(self.0.join("filler")).expect("the file was there");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a program that has just been killed may still hold files.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_stops_the_game_until_there_is_room() {
    let folder = TempDir::new().expect("a folder for the test");
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
        println!("skipped: this user may not mount a file system");
        return;
    };
    let (ana, ben) = (folder.path().join("ana"), disk.0.join("ben"));
    let mut table = Table::open_in(folder, &[&ana, &ben]);
    table.play_until(|table, _, _| table.decisions == 3);
    disk.fill();
    table.play_until(|table, _, _| table.disk[GUEST].is_some());
    let line = table.disk[GUEST].clone().unwrap_or_default();
    assert!(line.contains("make room on the disk, the game waits"), "{line}");
    assert_eq!(table.disk[HOST], None);
    disk.make_room();
    table.play_to_end();
}
