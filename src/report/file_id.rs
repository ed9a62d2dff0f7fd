//! Identity of files, found without opening them: opening a FIFO would block.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// Identity of a file or folder, equal for all of its names. Devices and FIFOs have none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FileId {
    /// A file or folder that exists.
    Existing(Key),
    /// A file that does not exist yet: its folder and its name there.
    Missing(Box<FileId>, OsString),
}

/// Device and inode.
#[cfg(unix)]
type Key = (u64, u64);

/// The canonical path.
#[cfg(not(unix))]
type Key = PathBuf;

/// Limit for a chain of symbolic links, that of Linux.
const MOST_LINKS: usize = 40;

impl FileId {
    /// Identity of the file that `path` names, through symbolic links.
    pub fn of(path: &Path) -> Option<FileId> {
        let path = resolved(path).ok()?;
        match fs::metadata(&path) {
            Ok(found) => FileId::existing(&path, &found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = FileId::of(folder_of(&path))?;
                Some(FileId::Missing(folder.into(), path.file_name()?.to_owned()))
            }
            Err(_) => None,
        }
    }

    /// Identity of the file that stdin reads.
    #[cfg(unix)]
    pub fn of_stdin() -> Option<FileId> {
        use std::os::fd::AsFd;

        let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
        let found = fs::File::from(stdin).metadata().ok()?;
        FileId::existing(Path::new(""), &found)
    }

    /// Identity of the file that stdin reads.
    #[cfg(not(unix))]
    pub fn of_stdin() -> Option<FileId> {
        None
    }

    fn existing(path: &Path, found: &Metadata) -> Option<FileId> {
        let keeps = found.is_file() || found.is_dir();
        keeps.then(|| key(path, found))?.map(FileId::Existing)
    }
}

#[cfg(unix)]
fn key(_: &Path, found: &Metadata) -> Option<Key> {
    use std::os::unix::fs::MetadataExt;

    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn key(path: &Path, _: &Metadata) -> Option<Key> {
    path.canonicalize().ok()
}

/// Path at the end of a chain of symbolic links, which need not exist.
///
/// # Errors
///
/// A loop of links, or a link that cannot be read.
pub(crate) fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Ok(path);
        }
        // A descriptor is not what the text of its link names.
        if is_descriptor(&path) {
            return Ok(path);
        }
        path = folder_of(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// True if a path names an open descriptor: `/dev/fd/3`, `/proc/self/fd/3`.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    folder_of(path).canonicalize().is_ok_and(|folder| {
        folder.ends_with("fd") && (folder.starts_with("/proc") || folder.starts_with("/dev"))
    })
}

/// Folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn one_file_has_one_identity_under_all_of_its_names() {
        let folder = std::env::temp_dir().join(format!("arbiter-file-id-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(folder.join("a"), "a").unwrap();
        fs::write(folder.join("b"), "a").unwrap();
        fs::hard_link(folder.join("a"), folder.join("hard")).unwrap();
        symlink("a", folder.join("soft")).unwrap();
        symlink("soft", folder.join("softer")).unwrap();
        symlink("sub/new", folder.join("dangling")).unwrap();
        symlink("loop", folder.join("loop")).unwrap();
        let id = |name: &str| FileId::of(&folder.join(name));
        for name in ["hard", "soft", "softer", "./a", "sub/../a"] {
            assert_eq!(id(name), id("a"), "{name}");
        }
        assert_ne!(id("a"), id("b"));
        assert_eq!(id("dangling"), id("sub/./new"));
        assert_eq!(id("x/y/z"), id("./x/y/z"));
        assert_ne!(id("x/y/z"), id("x/z"));
        assert_eq!(id("loop"), None);
        assert_eq!(FileId::of(Path::new("/dev/null")), None);
        fs::remove_dir_all(folder).unwrap();
    }
}
