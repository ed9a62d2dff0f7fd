//! Files that are written whole or not at all.
//!
//! A regular file is written under a temporary name in the same folder and renamed at the end, so
//! that a full disk, a signal or a power cut leaves the old file. A device, a FIFO or a descriptor
//! is written directly. A file that is an input too stays if it has changed since it was opened.
//!
//! The identity of a file is found without opening it: opening a FIFO would block.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use tempfile::{Builder, TempPath};

use crate::error::Error;
use crate::input::lock;

/// Existing temporary files. Locked while one is created, renamed or removed.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes all temporary files before the process ends without unwinding. Creating or committing an
/// output file blocks after this.
pub(crate) fn abandon_all() {
    let paths = lock(&TEMPORARY);
    for path in paths.iter() {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(paths);
}

/// File that is being written. Dropped without [`OutputFile::commit`], it leaves the old file.
#[derive(Debug)]
pub(crate) struct OutputFile {
    /// Path as it was given.
    name: String,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Replaced {
        temporary: TempPath,
        /// The temporary file while it is open.
        file: Option<File>,
        path: PathBuf,
        /// State in which the old file must still be.
        expected: Option<FileState>,
    },
    Opened(File),
    /// Opened at the first write, as that blocks until there is a reader.
    Fifo(PathBuf),
}

impl OutputFile {
    /// Creates a file. A symbolic link stays, and the file it names is written.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the file cannot be written, or no file can be created beside it, and
    /// [`Error::Usage`] for `-`.
    pub(crate) fn create(path: &Path) -> Result<OutputFile, Error> {
        if path == Path::new("-") {
            let reason = "this output needs a file of its own: `-` is stdout, `./-` a file";
            return Err(Error::usage(reason));
        }
        OutputFile::begin(path, resolved(path).and_then(Target::of))
    }

    /// Creates a file. A symbolic link of this name is replaced, and its target is not changed.
    ///
    /// # Errors
    ///
    /// As for [`OutputFile::create`].
    pub(crate) fn create_unlinked(path: &Path) -> Result<OutputFile, Error> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        let target = match is_link {
            true => Target::replace(path.to_owned(), None),
            false => Target::of(path.to_owned()),
        };
        OutputFile::begin(path, target)
    }

    /// Leaves the old file if it is no longer in this state at the end.
    pub(crate) fn expect(&mut self, state: Option<FileState>) {
        if let Target::Replaced { expected, .. } = &mut self.target {
            *expected = state;
        }
    }

    fn begin(path: &Path, target: io::Result<Target>) -> Result<OutputFile, Error> {
        let name = path.display().to_string();
        match target {
            Ok(target) => Ok(OutputFile { name, target }),
            Err(cause) => Err(Error::io(name, "write", cause)),
        }
    }

    /// Ends the file and replaces the old one.
    ///
    /// # Errors
    ///
    /// Errors of renaming, or of opening a FIFO to which nothing was written, and an old file in
    /// another state than expected.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.open()?;
        match self.target {
            Target::Replaced {
                temporary,
                file,
                path,
                expected,
            } => {
                file.map_or(Ok(()), |file| file.sync_all())?;
                if expected.is_some() && FileState::of(&path) != expected {
                    let cause = "another process has changed it since it was read";
                    return Err(io::Error::other(cause));
                }
                persist(temporary, &path)
            }
            Target::Opened(_) | Target::Fifo(_) => Ok(()),
        }
    }

    /// Writes everything and commits.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]
    pub(crate) fn commit_all(mut self, bytes: &[u8]) -> Result<(), Error> {
        let name = self.name.clone();
        self.write_all(bytes)
            .and_then(|()| self.commit())
            .map_err(|cause| Error::io(name, "write", cause))
    }

    /// Closes the file until the next write, which appends to it.
    pub(crate) fn close(&mut self) {
        if let Target::Replaced { file, .. } = &mut self.target {
            *file = None;
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn open(&mut self) -> io::Result<&mut File> {
        if let Target::Fifo(path) = &self.target {
            self.target = Target::Opened(OpenOptions::new().write(true).open(path)?);
        }
        match &mut self.target {
            Target::Replaced {
                file: Some(file), ..
            } => Ok(file),
            Target::Replaced {
                file, temporary, ..
            } => Ok(file.insert(OpenOptions::new().append(true).open(temporary)?)),
            Target::Opened(file) => Ok(file),
            Target::Fifo(_) => unreachable!("it has been opened"),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.open()?.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Target {
    /// Target for a path that does not end in a symbolic link.
    fn of(path: PathBuf) -> io::Result<Target> {
        let found = match fs::metadata(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Target::replace(path, None);
            }
            Err(error) => return Err(error),
        };
        let mut options = OpenOptions::new();
        if is_descriptor(&path) {
            // Its owner may have written to it already.
            options.append(true).open(&path).map(Target::Opened)
        } else if found.is_file() {
            // A read-only file is not replaced.
            let old = options.write(true).open(&path)?;
            Target::replace(path, Some(&old))
        } else if found.is_dir() {
            Err(io::ErrorKind::IsADirectory.into())
        } else if is_fifo(&found) {
            Ok(Target::Fifo(path))
        } else {
            options.write(true).open(&path).map(Target::Opened)
        }
    }

    fn replace(path: PathBuf, old: Option<&File>) -> io::Result<Target> {
        if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let folder = folder_of(&path);
        let (file, temporary) = create_temporary(folder, old.is_some())?;
        if let Some(old) = old {
            keep_permissions(&file, old);
        }
        Ok(Target::Replaced {
            temporary,
            file: Some(file),
            path,
            expected: None,
        })
    }
}

#[cfg(unix)]
fn is_fifo(found: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_fifo(_: &fs::Metadata) -> bool {
    false
}

/// Copies owner, group and mode of an old file, as far as permitted.
#[cfg(unix)]
fn keep_permissions(file: &File, old: &File) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let (Ok(new), Ok(old)) = (file.metadata(), old.metadata()) else {
        return;
    };
    let mut mode = old.mode() & 0o7777;
    if new.gid() != old.gid() && fchown(file, None, Some(old.gid())).is_err() {
        // The rights of the old group are reduced to those of others.
        mode &= !0o2070 | (mode & 0o7) << 3;
    }
    if new.uid() != old.uid() && fchown(file, Some(old.uid()), None).is_err() {
        mode &= !0o4000;
    }
    // If refused, the file stays private to its owner.
    let _ = file.set_permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn keep_permissions(file: &File, old: &File) {
    if let Ok(old) = old.metadata() {
        let _ = file.set_permissions(old.permissions());
    }
}

/// Creates a temporary file, readable only by its owner if `private`.
fn create_temporary(folder: &Path, private: bool) -> io::Result<(File, TempPath)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if private { 0o600 } else { 0o666 });
    #[cfg(not(unix))]
    let _ = private;
    let mut paths = lock(&TEMPORARY);
    let mut builder = Builder::new();
    builder.prefix(".arbiter-").suffix(".tmp");
    let file = builder.make_in(folder, |path| options.open(path))?;
    paths.insert(file.path().to_owned());
    Ok(file.into_parts())
}

/// Moves a temporary file to its place.
fn persist(file: TempPath, to: &Path) -> io::Result<()> {
    let mut paths = lock(&TEMPORARY);
    paths.remove::<Path>(&file);
    file.persist(to)?;
    Ok(())
}

/// State of a regular file, which changes if it is written or replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileState {
    id: Option<FileKey>,
    bytes: u64,
    changed: Option<SystemTime>,
}

impl FileState {
    /// State of the file that a path names, if there is one.
    pub(crate) fn of(path: &Path) -> Option<FileState> {
        let found = fs::metadata(path).ok()?;
        Some(FileState::new(path, &found))
    }

    /// State of an open file.
    pub(crate) fn new(path: &Path, found: &Metadata) -> FileState {
        FileState {
            id: key(path, found),
            bytes: found.len(),
            changed: found.modified().ok(),
        }
    }
}

/// Identity of a file or folder, equal for all of its names. Devices and FIFOs have none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FileId {
    /// A file or folder that exists.
    Existing(FileKey),
    /// A file that does not exist yet: its folder and its name there.
    Missing(Box<FileId>, OsString),
}

/// Device and inode; on Windows, volume and index of the file.
type FileKey = (u64, u64);

/// Limit for a chain of symbolic links, that of Linux.
const MOST_LINKS: usize = 40;

impl FileId {
    /// Identity of the file that `path` names, through symbolic links.
    pub(crate) fn of(path: &Path) -> Option<FileId> {
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
    pub(crate) fn of_stdin() -> Option<FileId> {
        use std::os::fd::AsFd;

        let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
        let found = fs::File::from(stdin).metadata().ok()?;
        FileId::existing(Path::new(""), &found)
    }

    /// Identity of the file that stdin reads.
    #[cfg(not(unix))]
    pub(crate) fn of_stdin() -> Option<FileId> {
        None
    }

    fn existing(path: &Path, found: &Metadata) -> Option<FileId> {
        let keeps = found.is_file() || found.is_dir();
        keeps.then(|| key(path, found))?.map(FileId::Existing)
    }
}

#[cfg(unix)]
fn key(_: &Path, found: &Metadata) -> Option<FileKey> {
    use std::os::unix::fs::MetadataExt;

    Some((found.dev(), found.ino()))
}

#[cfg(windows)]
fn key(path: &Path, _: &Metadata) -> Option<FileKey> {
    let file = winapi_util::Handle::from_path_any(path).ok()?;
    let found = winapi_util::file::information(&file).ok()?;
    Some((found.volume_serial_number(), found.file_index()))
}

/// Path at the end of a chain of symbolic links, which need not exist.
///
/// # Errors
///
/// A loop of links, or a link that cannot be read.
fn resolved(path: &Path) -> io::Result<PathBuf> {
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
fn is_descriptor(path: &Path) -> bool {
    folder_of(path).canonicalize().is_ok_and(|folder| {
        folder.ends_with("fd") && (folder.starts_with("/proc") || folder.starts_with("/dev"))
    })
}

/// Folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_identity_under_all_of_its_names() {
        let folder = std::env::temp_dir().join(format!("arbiter-file-id-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(folder.join("a"), "a").unwrap();
        fs::write(folder.join("b"), "a").unwrap();
        fs::hard_link(folder.join("a"), folder.join("hard")).unwrap();
        let id = |name: &str| FileId::of(&folder.join(name));
        assert!(id("a").is_some() && id("sub").is_some());
        for name in ["hard", "./a", "sub/../a"] {
            assert_eq!(id(name), id("a"), "{name}");
        }
        assert_ne!(id("a"), id("b"));
        assert_eq!(id("sub/new"), id("sub/./new"));
        assert_ne!(id("sub/new"), id("new"));
        #[cfg(unix)]
        links_are_followed(&folder);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    fn links_are_followed(folder: &Path) {
        use std::os::unix::fs::symlink;

        symlink("a", folder.join("soft")).unwrap();
        symlink("soft", folder.join("softer")).unwrap();
        symlink("sub/new", folder.join("dangling")).unwrap();
        symlink("loop", folder.join("loop")).unwrap();
        let id = |name: &str| FileId::of(&folder.join(name));
        for name in ["soft", "softer"] {
            assert_eq!(id(name), id("a"), "{name}");
        }
        assert_eq!(id("dangling"), id("sub/./new"));
        assert_eq!(id("x/y/z"), id("./x/y/z"));
        assert_ne!(id("x/y/z"), id("x/z"));
        assert_eq!(id("loop"), None);
        assert_eq!(FileId::of(Path::new("/dev/null")), None);
    }
}
