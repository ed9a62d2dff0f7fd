//! Texts from JavaScript, in chunks of whole games.

use std::io::{self, Read};

use js_sys::{Error, Function, Uint8Array};
use wasm_bindgen::prelude::{JsCast, JsError, JsValue};

use chess_arbiter_core::findings::Accounts;
use chess_arbiter_core::split::{
    Buffers, ByteNotes, CHUNK_BYTES, Chunk, Chunks, InputKind, SourceId, TextReader,
};

use crate::thrown;

/// Bytes that a function of JavaScript returns: `read(at, length)`.
struct Bytes {
    read: Function,
    /// Number of bytes read so far.
    at: f64,
}

impl Read for Bytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = out.len() as f64;
        let bytes = self
            .read
            .call2(&JsValue::NULL, &self.at.into(), &length.into());
        let failed = |thrown| io::Error::other(String::from(Error::from(thrown).message()));
        let bytes = bytes.map_err(failed)?;
        let bytes = bytes.dyn_into::<Uint8Array>().ok();
        let bytes = bytes.filter(|bytes| bytes.length() as usize <= out.len());
        let bytes = bytes.ok_or_else(|| io::Error::other("`read` returns other bytes"))?;
        let length = bytes.length();
        bytes.copy_to(&mut out[..length as usize]);
        self.at += f64::from(length);
        Ok(length as usize)
    }
}

/// Chunks of a text, decoded.
type TextChunks<'t> = Chunks<Box<dyn Read + 't>>;

/// A text in chunks.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) kind: InputKind,
    chunks: TextChunks<'static>,
    /// Size of the games so far.
    pub(crate) read_bytes: f64,
}

impl Text {
    /// Text that a function returns.
    pub(crate) fn new(name: String, read: Function) -> Result<Text, JsError> {
        let bytes = Bytes { read, at: 0.0 };
        let kind = InputKind::of_name(&name);
        Ok(Text {
            chunks: chunks(Box::new(bytes), &name, kind)?,
            name,
            kind,
            read_bytes: 0.0,
        })
    }

    /// The next chunk, with observations about its bytes.
    pub(crate) fn next(&mut self) -> Result<Option<(Chunk, ByteNotes)>, JsError> {
        let next = self.chunks.next_noted().transpose();
        let next = next.map_err(|error| thrown(error.sentence(&self.name)))?;
        let length = next.as_ref().map_or(0, |(chunk, _)| chunk.bytes().len());
        self.read_bytes += length as f64;
        Ok(next)
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
pub(crate) fn chunks_of(text: &[u8]) -> Result<TextChunks<'_>, JsError> {
    chunks(Box::new(text), "the text", InputKind::Pgn)
}

fn chunks<'t>(
    bytes: Box<dyn Read + 't>,
    name: &str,
    kind: InputKind,
) -> Result<TextChunks<'t>, JsError> {
    let text = TextReader::new(bytes).map_err(|error| thrown(error.sentence(name)))?;
    let (encoding, stored) = (text.encoding(), text.stored());
    let text: Box<dyn Read + 't> = Box::new(text);
    let chunks = Chunks::new(text, (SourceId(0), kind), CHUNK_BYTES, Buffers::default());
    Ok(chunks.encoded(encoding, stored))
}
