//! `Site` (PGN standard 8.1.1.2): a place or, on servers, often the address of the game.

use memchr::memchr;
use memchr::memmem;

/// An address without its scheme, if the value is one; it begins with the host. Without a scheme it
/// has a path after the name of a host, such as `lichess.org/abc`; `St.Louis/USA` is a place.
pub fn address(value: &[u8]) -> Option<&[u8]> {
    if let Some(scheme) = memmem::find(value, b"://") {
        return Some(&value[scheme + 3..]);
    }
    let host = &value[..memchr(b'/', value)?];
    let is_label = |label: &[u8]| {
        let fits = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        !label.is_empty() && label.iter().all(fits)
    };
    let mut labels = host.rsplit(|&byte| byte == b'.');
    let top = labels.next()?;
    let is_top = top.len() >= 2 && top.iter().all(u8::is_ascii_lowercase);
    (is_top && host.len() > top.len() && labels.all(is_label)).then_some(value)
}
