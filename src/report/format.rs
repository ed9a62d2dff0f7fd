//! Output formats.

use crate::error::Error;
use crate::report::{Buffer, Sink};

/// Output format of a command: `begin`, each `item`, `end`.
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
    /// [`Error::Write`]
    fn begin(&self, _sink: &mut Sink) -> Result<(), Error> {
        Ok(())
    }

    /// Appends one item. Called on worker threads.
    fn item(&self, out: &mut Buffer, item: T) -> R;

    /// Writes what follows the last item.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    fn end(&self, _sink: &mut Sink) -> Result<(), Error> {
        Ok(())
    }
}
