//! Repairs: edits of a game's text after which a finding is gone.

use std::ops::Range;

use crate::pgn::Span;

/// Replacement of a part of a game's text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// The part; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    pub(crate) fn new(span: Span, text: impl Into<String>) -> Edit {
        Edit {
            span,
            text: text.into(),
        }
    }

    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit::new(Span::new(at, at), text)
    }

    pub(crate) fn delete(range: &Range<usize>) -> Edit {
        Edit::new(Span::new(range.start, range.end), "")
    }
}

/// Edits that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// The edits, in any order.
    pub edits: Vec<Edit>,
    /// Whether nothing else can be meant.
    pub is_certain: bool,
}

impl Repair {
    /// A repair, if there is any edit.
    pub(crate) fn new(edits: Vec<Edit>, is_certain: bool) -> Option<Box<Repair>> {
        let repair = Repair { edits, is_certain };
        (!repair.edits.is_empty()).then(|| Box::new(repair))
    }
}
