//! Destination of data, stdout or a file; formats that write to it; and messages on stderr.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use anstream::{AutoStream, ColorChoice};
use flate2::write::GzEncoder;
use terminal_size::{Width, terminal_size_of};
use zstd::stream::write::Encoder as ZstdEncoder;

use crate::error::Error;
use crate::input::lock;
use crate::report::Buffer;
use crate::report::escape::{self, Escaped};
use crate::report::output_file::{FileState, OutputFile};
use crate::report::progress::Bar;
use crate::report::rows::{Row, Rows, Schema};
use crate::report::stdout::{check_reader, open_stdout};
#[cfg(feature = "parquet")]
use crate::report::table::ParquetFile;

/// Destination of a command's data.
///
/// A file is written whole or not at all, and compressed if its name ends with `.gz` or `.zst`.
/// Data after the end of a closed pipe is dropped (`Sink::is_closed`).
pub struct Sink {
    name: String,
    /// `None` after the end.
    writer: Option<Writer>,
    /// True if stdout is a terminal, which the progress bar shares.
    on_terminal: bool,
    /// True if control characters are escaped.
    escapes: bool,
    is_closed: bool,
    bar: Bar,
    /// True if the header of CSV is left out, as another output before this one has it.
    omits_header: bool,
    /// Threads that encode a table.
    jobs: usize,
    #[cfg(feature = "parquet")]
    table: Option<ParquetFile>,
}

enum Writer {
    Stdout(Arc<Mutex<Stdout>>),
    File(BufWriter<OutputFile>),
    Gzip(GzEncoder<BufWriter<OutputFile>>),
    Zstd(ZstdEncoder<'static, BufWriter<OutputFile>>),
    /// A closed file, to which more is appended.
    Suspended(OutputFile),
}

type Stdout = BufWriter<Box<dyn Write + Send>>;

pub(crate) const BUFFER_BYTES: usize = 1 << 16;

/// Buffer of stdout, for [`flush_stdout`].
static STDOUT: Mutex<Option<Arc<Mutex<Stdout>>>> = Mutex::new(None);

/// Bytes written to any sink or table since the process began.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Bytes written so far, which tell a command that is ending from one that blocks.
pub(crate) fn written() -> u64 {
    WRITTEN.load(Ordering::Relaxed)
}

/// Flushes stdout, unless another thread is writing there.
pub(crate) fn flush_stdout() -> io::Result<()> {
    if let Some(stdout) = &*lock(&STDOUT)
        && let Ok(mut stdout) = stdout.try_lock()
    {
        stdout.flush()?;
    }
    Ok(())
}

impl Sink {
    /// Opens stdout, or creates a file. Called before the long work, so that a path that cannot be
    /// written fails at once.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if stdout is closed or the file cannot be written, [`Error::Usage`] if its
    /// name is that of a file in a compression that is not written.
    pub(crate) fn open(path: Option<&Path>, bar: Bar) -> Result<Sink, Error> {
        let path = path.filter(|path| !is_stdout(path));
        let (name, writer) = match path {
            None => ("<stdout>".to_owned(), Writer::stdout()),
            Some(path) => (path.display().to_string(), Writer::file(path)?),
        };
        let writer = writer.map_err(|cause| Error::io(&*name, "write", cause))?;
        Ok(Sink {
            name,
            on_terminal: path.is_none() && io::stdout().is_terminal(),
            writer: Some(writer),
            escapes: false,
            is_closed: false,
            bar,
            omits_header: false,
            jobs: 1,
            #[cfg(feature = "parquet")]
            table: None,
        })
    }

    /// True if data goes to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.on_terminal
    }

    /// True if data is coloured unless an option says otherwise: never in a file.
    pub(crate) fn takes_colors(&self) -> bool {
        self.file().is_none() && AutoStream::choice(&io::stdout()) != ColorChoice::Never
    }

    /// Escapes control characters from now on if data goes to a terminal: it is text of games.
    pub(crate) fn begin_games(&mut self) {
        self.escapes = self.on_terminal;
    }

    /// Width of the terminal that data goes to, if it is known.
    pub(crate) fn columns(&self) -> Option<usize> {
        let size = self.on_terminal.then(|| terminal_size_of(io::stdout()));
        let (Width(columns), _) = size.flatten()?;
        Some(usize::from(columns))
    }

    /// Name of the file, unless it is stdout.
    pub(crate) fn file(&self) -> Option<&str> {
        match &self.writer {
            None | Some(Writer::Stdout(_)) => None,
            Some(_) => Some(&self.name),
        }
    }

    /// Leaves the old file if it is no longer in this state at the end.
    pub(crate) fn expect(&mut self, state: Option<FileState>) {
        match &mut self.writer {
            Some(Writer::File(file)) => file.get_mut().expect(state),
            Some(Writer::Gzip(file)) => file.get_mut().get_mut().expect(state),
            Some(Writer::Zstd(file)) => file.get_mut().get_mut().expect(state),
            Some(Writer::Stdout(_) | Writer::Suspended(_)) | None => {}
        }
    }

    /// True if the reader has closed the pipe.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Sets the number of threads for tables, and whether the header of CSV is left out.
    pub(crate) fn set_up(&mut self, jobs: usize, omits_header: bool) {
        self.jobs = jobs;
        self.omits_header = omits_header;
    }

    /// Begins rows: writes the header of CSV, or makes a Parquet file of all that is written from
    /// now on, with this many rows a group. `columns` adds every column to a row.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], or [`Error::Usage`] for Parquet on a terminal.
    pub(crate) fn begin_rows(
        &mut self,
        rows: Rows,
        group_rows: usize,
        columns: impl FnOnce(Row<'_>),
    ) -> Result<(), Error> {
        match rows {
            Rows::Jsonl => Ok(()),
            Rows::Header | Rows::Csv(_) => {
                let mut out = Buffer::default();
                columns(Row::begin(&mut out, Rows::Header));
                self.write_header(out.as_bytes())
            }
            Rows::Table => {
                let mut schema = Schema::default();
                columns(Row::schema(&mut schema));
                self.begin_table(schema, group_rows)
            }
        }
    }

    #[cfg(feature = "parquet")]
    fn begin_table(&mut self, schema: Schema, group_rows: usize) -> Result<(), Error> {
        if self.on_terminal {
            let reason = "Parquet is not text: write to a file (-o) or a pipe";
            return Err(Error::usage(reason));
        }
        if matches!(&self.writer, Some(Writer::Gzip(_) | Writer::Zstd(_))) {
            return Err(Error::usage(format!(
                "`{}` would be compressed, and Parquet is compressed already: leave out the last \
                 extension",
                self.name
            )));
        }
        match ParquetFile::new(&schema, group_rows, self.jobs) {
            Ok(table) => {
                self.table = Some(table);
                Ok(())
            }
            Err(cause) => self.check(Err(cause)),
        }
    }

    #[cfg(not(feature = "parquet"))]
    #[allow(clippy::unused_self, clippy::needless_pass_by_value)]
    fn begin_table(&mut self, _: Schema, _: usize) -> Result<(), Error> {
        Err(Error::usage("this build cannot write Parquet"))
    }

    /// Writes the header of CSV.
    ///
    /// # Errors
    ///
    /// As for [`Sink::write`].
    pub(crate) fn write_header(&mut self, header: &[u8]) -> Result<(), Error> {
        match self.omits_header {
            true => Ok(()),
            false => self.write(header),
        }
    }

    /// Writes data, or adds rows to a table.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], but not for a closed pipe.
    pub(crate) fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        #[cfg(feature = "parquet")]
        if let Some(table) = &mut self.table {
            WRITTEN.fetch_add(data.len() as u64, Ordering::Relaxed);
            return match table.push(data) {
                Ok(bytes) => self.write_bytes(&bytes),
                Err(cause) => self.check(Err(cause)),
            };
        }
        self.write_bytes(data)
    }

    fn write_bytes(&mut self, data: &[u8]) -> Result<(), Error> {
        if let Some(Writer::Suspended(file)) =
            self.writer.take_if(|it| matches!(it, Writer::Suspended(_)))
        {
            let writer = Writer::new(file);
            self.writer = Some(writer.map_err(|cause| Error::io(&*self.name, "write", cause))?);
        }
        let Some(writer) = self.writer.as_mut().filter(|_| !data.is_empty()) else {
            return Ok(());
        };
        let outcome = if self.escapes {
            let shown = escape::on_terminal(data);
            self.bar.suspend(|| writer.write(shown.as_bytes(), true))
        } else if self.on_terminal {
            self.bar.suspend(|| writer.write(data, true))
        } else {
            writer.write(data, false)
        };
        WRITTEN.fetch_add(data.len() as u64, Ordering::Relaxed);
        self.check(outcome)
    }

    /// Passes on what is buffered for stdout, and checks whether its reader is gone.
    ///
    /// # Errors
    ///
    /// As for [`Sink::write`].
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        let outcome = match &self.writer {
            Some(Writer::Stdout(stdout)) => lock(stdout).flush().and_then(|()| check_reader()),
            _ => Ok(()),
        };
        self.check(outcome)
    }

    /// Closes a file until more is appended, as another member or frame if it is compressed.
    ///
    /// # Errors
    ///
    /// As for [`Sink::write`].
    pub(crate) fn suspend(&mut self) -> Result<(), Error> {
        let file = self.writer.take().map_or(Ok(None), Writer::into_file);
        let file = file.map_err(|cause| Error::io(&*self.name, "write", cause))?;
        self.writer = file.map(|mut file| {
            file.close();
            Writer::Suspended(file)
        });
        Ok(())
    }

    /// Flushes and moves a file to its place. Later writes are ignored.
    ///
    /// # Errors
    ///
    /// As for [`Sink::write`].
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        #[cfg(feature = "parquet")]
        if let Some(table) = self.table.take() {
            match table.finish() {
                Ok(bytes) => self.write_bytes(&bytes)?,
                Err(cause) => self.check(Err(cause))?,
            }
        }
        let outcome = self.writer.take().map_or(Ok(()), Writer::finish);
        self.check(outcome)
    }

    /// Leaves the file as it was before; stdout is not affected.
    pub(crate) fn discard_file(&mut self) {
        if self.file().is_some() {
            self.writer = None;
        }
    }

    fn check(&mut self, outcome: io::Result<()>) -> Result<(), Error> {
        match outcome {
            Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                self.writer = None;
                Ok(())
            }
            Err(cause) => Err(Error::io(&*self.name, "write", cause)),
            Ok(()) => Ok(()),
        }
    }
}

impl Writer {
    fn stdout() -> io::Result<Writer> {
        let stdout = BufWriter::with_capacity(BUFFER_BYTES, open_stdout()?);
        let stdout = Arc::new(Mutex::new(stdout));
        *lock(&STDOUT) = Some(Arc::clone(&stdout));
        Ok(Writer::Stdout(stdout))
    }

    fn file(path: &Path) -> Result<io::Result<Writer>, Error> {
        if let Some("7z" | "bz2" | "lz4" | "xz" | "zip") = ending(path).as_deref() {
            let path = path.display();
            let reason = format!("cannot write `{path}`: output is compressed as .gz or .zst only");
            return Err(Error::usage(reason));
        }
        Ok(Writer::new(OutputFile::create(path)?))
    }

    /// Writer to a file, compressed by the ending of its name.
    fn new(file: OutputFile) -> io::Result<Writer> {
        let end = ending(Path::new(file.name()));
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        match end.as_deref() {
            Some("gz") => Ok(Writer::Gzip(GzEncoder::new(file, Default::default()))),
            Some("zst") => {
                ZstdEncoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL).map(Writer::Zstd)
            }
            _ => Ok(Writer::File(file)),
        }
    }

    fn write(&mut self, data: &[u8], flush: bool) -> io::Result<()> {
        match self {
            Writer::Stdout(stdout) => {
                let mut stdout = lock(stdout);
                stdout.write_all(data)?;
                if flush { stdout.flush() } else { Ok(()) }
            }
            Writer::File(file) => file.write_all(data),
            Writer::Gzip(file) => file.write_all(data),
            Writer::Zstd(file) => file.write_all(data),
            Writer::Suspended(_) => unreachable!("it has been opened"),
        }
    }

    fn finish(self) -> io::Result<()> {
        self.into_file()?.map_or(Ok(()), OutputFile::commit)
    }

    /// Ends the data, and returns the file, if it is not stdout.
    fn into_file(self) -> io::Result<Option<OutputFile>> {
        let file = match self {
            Writer::Stdout(stdout) => return lock(&stdout).flush().map(|()| None),
            Writer::Suspended(file) => return Ok(Some(file)),
            Writer::File(file) => file,
            Writer::Gzip(file) => file.finish()?,
            Writer::Zstd(file) => file.finish()?,
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Some(file))
    }
}

/// Ending of a path, in small letters.
fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// True if a path names stdout, which cannot always be opened again.
pub(crate) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|name| path == Path::new(name))
}

/// Output format of a command: `begin`, each `item`.
///
/// Worker threads append items to a buffer of their own; the thread that writes puts the buffers
/// into input order. `T` is the item, or a struct of references to what it is made of, and `R` is
/// what the command wants to know about it. A command holds its format as a trait object:
///
/// ```
/// use arbiter::report::{Buffer, Format};
/// use arbiter::report::rows::{Row, Rows};
///
/// struct Counts(Rows);
///
/// impl Format<(&str, u64)> for Counts {
///     fn item(&self, out: &mut Buffer, (name, games): (&str, u64)) {
///         let mut row = Row::begin(out, self.0);
///         row.text("name", name);
///         row.number("games", games);
///         row.end();
///     }
/// }
///
/// let format: Box<dyn for<'a> Format<(&'a str, u64)>> = Box::new(Counts(Rows::Jsonl));
/// let mut out = Buffer::default();
/// format.item(&mut out, ("Réti", 3));
/// assert_eq!(out.as_bytes(), "{\"name\":\"Réti\",\"games\":3}\n".as_bytes());
/// ```
pub trait Format<T, R = ()>: Sync {
    /// Writes what precedes the first item.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]
    fn begin(&self, _sink: &mut Sink) -> Result<(), Error> {
        Ok(())
    }

    /// Appends one item. Called on worker threads.
    fn item(&self, out: &mut Buffer, item: T) -> R;
}

/// Messages on stderr, written around the progress bar. A closed stderr is ignored.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    quiet: bool,
    bar: Bar,
}

impl Log {
    /// `quiet` drops everything but errors, findings and notes.
    pub(crate) fn new(quiet: bool, bar: Bar) -> Log {
        Log { quiet, bar }
    }

    /// True if messages go to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// Width of that terminal, if it is known.
    pub(crate) fn columns(&self) -> Option<usize> {
        let (Width(columns), _) = terminal_size_of(io::stderr())?;
        Some(usize::from(columns))
    }

    /// Writes an error.
    pub(crate) fn error(&self, error: &dyn Display) {
        self.line(format_args!("error: {error}"));
    }

    /// Writes a note, even if the log is quiet.
    pub(crate) fn note(&self, note: &dyn Display) {
        self.line(format_args!("{note}"));
    }

    /// Writes a line that is not an error, unless the log is quiet.
    pub(crate) fn remark(&self, remark: &dyn Display) {
        if !self.quiet {
            self.line(format_args!("{remark}"));
        }
    }

    /// Writes text unchanged, even if the log is quiet.
    pub(crate) fn say(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = io::stderr().lock().write_all(text.as_bytes());
        });
    }

    fn line(&self, line: std::fmt::Arguments<'_>) {
        self.say(&format!("{}\n", Escaped(&line.to_string())));
    }
}
