//! One line a finding, for editors and scripts.

use crate::commands::validate::formats::FindingItem;
use crate::findings::concise;
use crate::report::{Buffer, Format};

/// `path:line:column: severity[CODE] message (game N, 12...Nf6)`
pub(crate) struct Concise;

impl Format<FindingItem<'_>> for Concise {
    fn item(&self, out: &mut Buffer, item: FindingItem<'_>) {
        concise(out, item.source.name(), item.report);
    }
}
