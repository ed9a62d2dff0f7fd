//! Texts of a source: the source itself, or the members of an archive.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use crate::error::Error;
use crate::input::background::BlockReader;
use crate::input::source::{Begun, Source};
use crate::input::stream::Stream;
use crate::input::sync::lock;

/// Iterator over the texts of a source, each with the source that names it. Made by
/// [`Source::members`].
///
/// Read each text before the next is requested, since the rest of it is skipped.
#[derive(Debug)]
pub struct Members {
    source: Source,
    /// Number of members by hash of their names, since an archive may hold a name twice.
    names: HashMap<u64, u32>,
    left: Left,
}

#[derive(Debug)]
enum Left {
    One(Option<Box<Result<Stream, Error>>>),
    Members(Arc<Mutex<BlockReader>>),
}

impl Members {
    pub(crate) fn new(source: Source, begun: Result<Begun, Error>) -> Members {
        let left = match begun {
            Ok(Begun::Archive(blocks)) => Left::Members(Arc::new(Mutex::new(blocks))),
            Ok(Begun::Text(stream)) => Left::One(Some(Box::new(Ok(stream)))),
            Err(error) => Left::One(Some(Box::new(Err(error)))),
        };
        Members {
            source,
            names: HashMap::new(),
            left,
        }
    }
}

impl Iterator for Members {
    type Item = (Source, Result<Stream, Error>);

    fn next(&mut self) -> Option<Self::Item> {
        let blocks = match &mut self.left {
            Left::One(one) => return Some((self.source.clone(), *one.take()?)),
            Left::Members(blocks) => blocks,
        };
        let member = lock(blocks).next_member()?;
        Some(match member {
            Ok(name) => {
                let mut hasher = DefaultHasher::new();
                name.hash(&mut hasher);
                let repeated = self.names.entry(hasher.finish()).or_default();
                let member = self.source.member(&name, *repeated);
                *repeated += 1;
                let stream = Stream::of_packed(member.name().into(), Arc::clone(blocks));
                (member, stream)
            }
            Err(error) => (self.source.clone(), Err(error)),
        })
    }
}
