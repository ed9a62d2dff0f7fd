//! Decided claims: as a ruling that can be read out, as a page, and as a JSON object.

use crate::claim::{ClaimRuling, page};

use crate::commands::adjudicate::formats::RulingFormat;
use crate::error::Error;
use crate::report::json;

/// Writer of a ruling, for a terminal of this width if there is one.
pub(crate) type Writer = fn(&ClaimRuling, Option<usize>) -> String;

/// Writer of a ruling in a format.
pub(crate) fn in_format(format: RulingFormat) -> Result<Writer, Error> {
    match format {
        RulingFormat::Human => Ok(ClaimRuling::for_people),
        // One object, one line.
        RulingFormat::Jsonl => Ok(|ruling, _| json::of(ruling) + "\n"),
        RulingFormat::Html => Ok(|ruling, _| page::of(ruling)),
        _ => Err(Error::usage(
            "a claim is decided as `human`, `html` or `jsonl`",
        )),
    }
}
