//! Lines broken between words.

use std::fmt::Write;

use crate::text::escape::{is_plain, width};

/// Appends a text in lines of at most `columns` columns, broken between words. The first line
/// begins with the first indent, all others with the second; a longer word has its own line.
pub fn wrap(out: &mut impl Write, text: &str, indents: [&str; 2], columns: usize) {
    let [mut between, indent] = indents;
    let mut used = 0;
    let plain = is_plain(text);
    // Writing to memory does not fail.
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let wide = if plain { word.len() } else { width(word) };
        if used > 0 && used + 1 + wide > columns {
            let _ = out.write_char('\n');
            (used, between) = (0, indent);
        }
        let _ = out.write_str(between);
        let _ = out.write_str(word);
        used += between.len() + wide;
        between = " ";
    }
    let _ = out.write_char('\n');
}

/// Appends a text as [`wrap`] does, or as one line if it is not for a terminal.
pub fn wrap_if(out: &mut impl Write, text: &str, indents: [&str; 2], columns: Option<usize>) {
    match columns {
        Some(columns) => wrap(out, text, indents, columns),
        None => {
            // Writing to memory does not fail.
            let _ = writeln!(out, "{}{text}", indents[0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_only() {
        let check = |text: &str, columns, expected: &str| {
            let mut out = String::new();
            wrap(&mut out, text, ["  "; 2], columns);
            assert_eq!(out, expected);
        };
        check("a game of chess", 80, "  a game of chess\n");
        check("a game of chess", 10, "  a game\n  of chess\n");
        check("a game of chess", 8, "  a game\n  of\n  chess\n");
        check("resignation", 4, "  resignation\n");
        // Wide characters take two columns.
        check("棋 棋 棋", 7, "  棋 棋\n  棋\n");
        let mut out = String::new();
        wrap(&mut out, "a game of chess", ["", "   "], 10);
        assert_eq!(out, "a game of\n   chess\n");
    }
}
