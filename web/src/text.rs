//! Texts from JavaScript, in chunks of whole games.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use js_sys::{Error, Function, Uint8Array};
use wasm_bindgen::prelude::{JsCast, JsError, JsValue};

use chess_arbiter_core::findings::Accounts;
use chess_arbiter_core::split::{
    Buffers, ByteNotes, CHUNK_BYTES, Chunk, Chunks, InputKind, SourceId, TextError, TextReader,
};

use crate::thrown;

/// Bytes that a function of JavaScript returns: `read(at, length)`.
struct Bytes {
    read: Function,
    /// Number of bytes read so far.
    at: Rc<Cell<f64>>,
}

impl Read for Bytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let (at, length) = (self.at.get(), out.len() as f64);
        let bytes = (self.read)
            .call2(&JsValue::NULL, &at.into(), &length.into())
            .map_err(|thrown| io::Error::other(message(&thrown)))?;
        let bytes = bytes.dyn_into::<Uint8Array>().ok();
        let bytes = bytes.filter(|bytes| bytes.length() as usize <= out.len());
        let bytes = bytes.ok_or_else(|| io::Error::other("`read` returns other bytes"))?;
        let length = bytes.length();
        bytes.copy_to(&mut out[..length as usize]);
        self.at.set(at + f64::from(length));
        Ok(length as usize)
    }
}

fn message(thrown: &JsValue) -> String {
    let error = thrown.dyn_ref::<Error>();
    error.map_or_else(|| format!("{thrown:?}"), |error| error.message().into())
}

/// A text in chunks.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) kind: InputKind,
    chunks: Chunks<Box<dyn Read>>,
    at: Rc<Cell<f64>>,
}

impl Text {
    /// Text that a function returns.
    pub(crate) fn new(name: String, read: Function) -> Result<Text, JsError> {
        let at = Rc::new(Cell::new(0.0));
        let bytes = Bytes {
            read,
            at: Rc::clone(&at),
        };
        let kind = InputKind::of_name(&name);
        Ok(Text {
            chunks: chunks(Box::new(bytes), kind).map_err(|error| sentence(&name, error))?,
            name,
            kind,
            at,
        })
    }

    /// The next chunk, with observations about its bytes.
    pub(crate) fn next(&mut self) -> Result<Option<(Chunk, ByteNotes)>, JsError> {
        let next = self.chunks.next_noted().transpose();
        next.map_err(|error| sentence(&self.name, error))
    }

    /// Number of bytes read so far.
    pub(crate) fn read_bytes(&self) -> f64 {
        self.at.get()
    }

    /// The closing line: `games: 5 seen = 4 clean + 1 with findings + 0 unreadable`.
    pub(crate) fn closing_line(&self, accounts: Accounts) -> String {
        let unit = self.kind.unit();
        let line = format!("{unit}s: {accounts}");
        match accounts.has_readable() {
            true => line,
            false => format!("{line}\nerror: no {unit} can be read in what was found"),
        }
    }
}

/// The chunks of a text in memory, which errors call `the text`.
pub(crate) fn chunks_of(text: &[u8]) -> Result<Chunks<Box<dyn Read + '_>>, JsError> {
    chunks(Box::new(text), InputKind::Pgn).map_err(|error| sentence("the text", error))
}

fn chunks<'t>(
    bytes: Box<dyn Read + 't>,
    kind: InputKind,
) -> Result<Chunks<Box<dyn Read + 't>>, TextError> {
    let text = TextReader::new(bytes)?;
    let (encoding, stored) = (text.encoding(), text.stored());
    let source = (SourceId(0), kind);
    let chunks = Chunks::new(
        Box::new(text) as Box<dyn Read + 't>,
        source,
        CHUNK_BYTES,
        Buffers::default(),
    );
    Ok(chunks.encoded(encoding, stored))
}

/// An error about a text as the command line words it.
pub(crate) fn sentence(name: &str, error: TextError) -> JsError {
    thrown(match error {
        TextError::NoGames { reason, .. } => format!("no game found in `{name}`: {reason}"),
        TextError::Read { at, source } => {
            format!("cannot read `{name}` beyond byte {at}: {source}")
        }
        TextError::GameTooLarge { at, .. } => {
            format!("cannot read `{name}` beyond byte {at}: {error}")
        }
        error => format!("cannot read `{name}`: {error}"),
    })
}
