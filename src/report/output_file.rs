//! Files that are written whole or not at all.
//!
//! A regular file is written under a temporary name in the same folder and renamed at the end, so
//! that a full disk, a signal or a power cut leaves the old file. A device, a FIFO or a descriptor
//! is written directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::input::lock;
use crate::report::file_id::{folder_of, is_descriptor, resolved};

/// Existing temporary files. Locked while one is created, renamed or removed.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all temporary files before the process ends without unwinding. Creating or committing an
/// output file blocks after this.
pub fn abandon_all() {
    let paths = lock(&TEMPORARY);
    for path in paths.iter() {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(paths);
}

/// File that is being written. Dropped without [`OutputFile::commit`], it leaves the old file.
#[derive(Debug)]
pub struct OutputFile {
    /// Path as it was given.
    name: String,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Replaced {
        file: File,
        temporary: Temporary,
        path: PathBuf,
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
    /// [`Error::Write`] if the file cannot be written, or no file can be created beside it.
    pub fn create(path: &Path) -> Result<OutputFile, Error> {
        OutputFile::begin(path, resolved(path).and_then(Target::of))
    }

    /// Creates a file. A symbolic link of this name is replaced, and its target is not changed.
    ///
    /// # Errors
    ///
    /// As for [`OutputFile::create`].
    pub fn create_unlinked(path: &Path) -> Result<OutputFile, Error> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        let target = match is_link {
            true => Target::replace(path.to_owned(), None),
            false => Target::of(path.to_owned()),
        };
        OutputFile::begin(path, target)
    }

    fn begin(path: &Path, target: io::Result<Target>) -> Result<OutputFile, Error> {
        let name = path.display().to_string();
        match target {
            Ok(target) => Ok(OutputFile { name, target }),
            Err(source) => Err(Error::Write { path: name, source }),
        }
    }

    /// Path as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ends the file and replaces the old one.
    ///
    /// # Errors
    ///
    /// Errors of renaming, or of opening a FIFO to which nothing was written.
    pub fn commit(mut self) -> io::Result<()> {
        self.open()?;
        match self.target {
            Target::Replaced {
                file,
                temporary,
                path,
            } => {
                drop(file);
                temporary.rename(&path)
            }
            Target::Opened(_) | Target::Fifo(_) => Ok(()),
        }
    }

    /// Writes everything and commits.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    pub fn commit_all(mut self, bytes: &[u8]) -> Result<(), Error> {
        let name = self.name.clone();
        self.write_all(bytes)
            .and_then(|()| self.commit())
            .map_err(|source| Error::Write { path: name, source })
    }

    fn open(&mut self) -> io::Result<&mut File> {
        if let Target::Fifo(path) = &self.target {
            self.target = Target::Opened(OpenOptions::new().write(true).open(path)?);
        }
        match &mut self.target {
            Target::Replaced { file, .. } | Target::Opened(file) => Ok(file),
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
        let (file, temporary) = Temporary::create(folder, old.is_some())?;
        if let Some(old) = old {
            keep_permissions(&file, old);
        }
        Ok(Target::Replaced {
            file,
            temporary,
            path,
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

/// Temporary file, removed when dropped.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Temporary {
    /// Creates a new file, readable only by its owner if `private`.
    fn create(folder: &Path, private: bool) -> io::Result<(File, Temporary)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, if private { 0o600 } else { 0o666 });
        #[cfg(not(unix))]
        let _ = private;
        let mut paths = lock(&TEMPORARY);
        loop {
            let nth = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".arbiter-{}-{nth}.tmp", std::process::id()));
            match options.open(&path) {
                Ok(file) => {
                    paths.push(path.clone());
                    return Ok((file, Temporary(path)));
                }
                // Left by a killed process.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(self, to: &Path) -> io::Result<()> {
        let mut paths = lock(&TEMPORARY);
        fs::rename(&self.0, to)?;
        paths.retain(|path| *path != self.0);
        drop(paths);
        std::mem::forget(self);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut paths = lock(&TEMPORARY);
        let _ = fs::remove_file(&self.0);
        paths.retain(|path| *path != self.0);
    }
}
