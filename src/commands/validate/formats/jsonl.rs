//! One JSON object a finding, one line each.

use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::formats::Emitter;
use crate::commands::validate::formats::fields::Fields;
use crate::commands::validate::report::Report;
use crate::input::Source;
use crate::report::json;

/// Every field of a finding. Control characters are `\u` escapes, so that the text is exact and
/// does nothing to a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Jsonl;

impl Emitter for Jsonl {
    fn emit(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        _fingerprint: Option<&Fingerprint>,
    ) {
        out.push_str(&json::of(&Fields::of(source, report)));
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::validate::formats::fields::NAMES;
    use crate::commands::validate::formats::samples;

    #[test]
    fn the_fields_are_the_columns_of_the_table() {
        let mut line = String::new();
        samples::with_report("x", |source, report| {
            Jsonl.emit(&mut line, source, report, None);
        });
        let places = NAMES.map(|name| line.find(&format!("\"{name}\":")).expect(name));
        assert!(places.is_sorted(), "{line}");
        assert_eq!(line.matches("\":").count(), NAMES.len(), "{line}");
    }
}
