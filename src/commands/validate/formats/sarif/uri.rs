//! Paths → URIs (RFC 3986).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::commands::validate::formats::sarif::model::{ArtifactLocation, BaseLocation, Message};
use crate::input::Source;

/// Base of relative paths, which services that know the name take for the root of the repository.
const BASE: &str = "%SRCROOT%";

/// Location of a source. Sources other than files have a URI that is only a scheme.
pub(crate) fn location(source: &Source) -> ArtifactLocation {
    let name = source.name();
    let inner = name
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix('>'));
    match (source.path(), inner) {
        (Some(path), _) if !source.is_member() => of_path(path),
        (Some(_), _) => of_path(name),
        (None, None) => of_path(name),
        (None, Some(scheme)) => ArtifactLocation {
            uri: format!("{scheme}:"),
            uri_base_id: None,
            index: None,
            description: Some(Message::of(match scheme {
                "stdin" => "standard input",
                _ => "an argument of the command line",
            })),
        },
    }
}

/// Location of a file: a `file:` URI for an absolute path, and a relative reference for a relative
/// one.
pub(crate) fn of_path(path: impl AsRef<Path>) -> ArtifactLocation {
    let path = path.as_ref();
    let relative = !path.has_root() && !path.is_absolute();
    let mut uri = String::from(if relative { "" } else { "file://" });
    let bytes = path.as_os_str().as_encoded_bytes();
    if !relative && bytes.first() != Some(&b'/') && !cfg!(windows) {
        uri.push('/');
    }
    if cfg!(windows) && !relative {
        uri.push('/');
    }
    for &byte in bytes {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b':' if cfg!(windows) => uri.push(':'),
            // The others are allowed here and there; encoded they mean the same.
            byte => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    ArtifactLocation {
        uri,
        uri_base_id: relative.then_some(BASE),
        index: None,
        description: None,
    }
}

/// Description of the base of relative paths; its path is left out, so that logs do not depend on
/// the machine.
pub(crate) fn bases() -> BTreeMap<&'static str, BaseLocation> {
    let description = Message::of("the directory in which arbiter was run");
    BTreeMap::from([(BASE, BaseLocation { description })])
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn uri(path: &[u8]) -> (String, Option<&'static str>) {
        let location = of_path(OsStr::from_bytes(path));
        (location.uri, location.uri_base_id)
    }

    #[test]
    fn paths_are_percent_encoded() {
        assert_eq!(
            uri(b"games/a b#1?.pgn"),
            ("games/a%20b%231%3F.pgn".into(), Some(BASE))
        );
        // A colon in the first segment would make it a scheme.
        assert_eq!(uri(b"c:a%.pgn"), ("c%3Aa%25.pgn".into(), Some(BASE)));
        assert_eq!(
            uri("/tmp/Müller.pgn".as_bytes()),
            ("file:///tmp/M%C3%BCller.pgn".into(), None)
        );
        assert_eq!(uri(b"M\xfcller"), ("M%FCller".into(), Some(BASE)));
    }
}
