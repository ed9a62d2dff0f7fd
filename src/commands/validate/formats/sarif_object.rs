//! JSON objects of SARIF logs, member by member.

use std::fmt::Write;

use serde::Serialize;

use crate::report::{Buffer, json};

/// A JSON object in the making. Its members keep the order in which they are added.
pub(crate) struct Object<'a> {
    out: &'a mut Buffer,
    /// Written before the next member.
    separator: &'static str,
}

impl Object<'_> {
    fn name(&mut self, name: &str) {
        self.out.push_str(self.separator);
        self.separator = ",";
        let _ = write!(self.out, "\"{name}\":");
    }

    pub(crate) fn value(&mut self, name: &str, value: &(impl Serialize + ?Sized)) {
        self.name(name);
        json::push(self.out, &value);
    }

    pub(crate) fn object(&mut self, name: &str, members: impl FnOnce(&mut Object<'_>)) {
        self.name(name);
        object(self.out, members);
    }

    pub(crate) fn array<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        members: impl FnMut(&mut Object<'_>, T),
    ) {
        self.name(name);
        array(self.out, items, members);
    }

    /// Adds a text of 3.11 or 3.12.
    pub(crate) fn message(&mut self, name: &str, text: &str) {
        self.object(name, |it| it.value("text", &plain(text)));
    }
}

/// A text without placeholders and links. Braces are doubled, as they stand for placeholders
/// otherwise (3.11.5), and `](`, which would make a link (3.11.6), gets a backslash.
pub(crate) fn plain(text: &str) -> String {
    let plain = text.replace('{', "{{").replace('}', "}}");
    plain.replace("](", "\\](")
}

/// Appends an object.
pub(crate) fn object(out: &mut Buffer, members: impl FnOnce(&mut Object<'_>)) {
    out.push(b'{');
    members(&mut Object { out, separator: "" });
    out.push(b'}');
}

/// Appends an array of objects.
pub(crate) fn array<T>(
    out: &mut Buffer,
    items: impl IntoIterator<Item = T>,
    mut members: impl FnMut(&mut Object<'_>, T),
) {
    out.push(b'[');
    for (nth, item) in items.into_iter().enumerate() {
        out.push_str(if nth > 0 { "," } else { "" });
        object(out, |it| members(it, item));
    }
    out.push(b']');
}
