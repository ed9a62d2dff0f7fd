//! A quick way to pass over tag pairs that nobody asks for.

/// A set of letters with which the names of tags begin, whatever their case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstLetters([bool; 256]);

impl Default for FirstLetters {
    fn default() -> FirstLetters {
        FirstLetters([false; 256])
    }
}

impl FirstLetters {
    /// Adds the first letter of a name.
    pub fn add(&mut self, name: &str) {
        if let Some(&first) = name.as_bytes().first() {
            self.0[usize::from(first.to_ascii_lowercase())] = true;
            self.0[usize::from(first.to_ascii_uppercase())] = true;
        }
    }

    /// Whether a name that begins with this byte may be asked for.
    #[inline]
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}
