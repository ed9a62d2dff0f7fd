//! `--follow`: files that grow, are rewritten, or are new in a folder.
//!
//! Each pass reads one changed file as any run does, up to the last complete move, and prints the
//! items that no pass before has printed of this file. Events of the file system tell when to
//! search for changes; without them, and on network file systems, the search is timed.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::io::Read;
use std::mem;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::commands::held_file::read_whole;
use crate::commands::interrupt;
use crate::error::Error;
use crate::findings::registry::{
    Family, GAME_WITHOUT_MOVES, LONG_LINE, UNFINISHED_GAME, WRONG_PLY_COUNT,
};
use crate::findings::{Finding, GameStatus};
use crate::input::{GameNo, GameText, InputKind, Search, Source, expand, lock, split_games};
use crate::pgn::{Game, ResultMark, TokenKind};
use crate::replay::{Reader, of_text};
use crate::report::{FileState, Sink};

/// Time between two checks for events, and between two searches without them.
const POLL: Duration = Duration::from_millis(250);

/// Time between two searches without an event: network file systems report no changes by others.
const UNWATCHED: Duration = Duration::from_secs(2);

/// Searches after which an input that is missing is gone: some programs remove a file and write it
/// anew.
const GONE: u32 = 8;

/// Files that are followed.
pub(crate) struct Follow {
    inputs: Vec<PathBuf>,
    search: Search,
    files: BTreeMap<FileKey, FollowedFile>,
    /// Files that have changed since they were read.
    changed: VecDeque<FileKey>,
    /// Text of the file that a pass reads.
    text: Arc<Mutex<Arc<[u8]>>>,
    /// True if something has changed since the last search.
    touched: Arc<AtomicBool>,
    /// `None` if the file system reports no events.
    watcher: Option<RecommendedWatcher>,
    /// Beginning of the last search.
    searched: Instant,
    /// True if an input is a folder, in which files may appear.
    has_folder: bool,
    /// True if there has been a pass since the last summary.
    has_news: bool,
    /// True if no more passes are wanted.
    pub(crate) has_ended: bool,
}

/// Index of the input, and the path of a file there: the order of the files in a single run.
type FileKey = (usize, PathBuf);

struct FollowedFile {
    source: Source,
    /// True for an input of the command line.
    is_named: bool,
    /// State when it was last read, and now; `None` if the file is missing.
    read: Option<FileState>,
    found: Option<FileState>,
    /// Number of searches since the file was there and could be read.
    failures: u32,
    printed: Arc<Mutex<Printed>>,
}

/// How often the items of each hash have been met in this pass, and printed in all.
type Printed = HashMap<u64, [u64; 2]>;

/// Pass over a text of a file that is followed; by default, the only pass of another run.
#[derive(Clone, Default)]
pub(crate) struct FollowPass {
    printed: Option<Arc<Mutex<Printed>>>,
    /// The last game of the text.
    last: GameNo,
    file: FileKey,
    /// True for a pass without a file, after those over all that had changed.
    pub(crate) is_summary: bool,
}

/// Result of the last pass over each file; of the only pass of another run.
#[derive(Clone, Default)]
pub(crate) struct Latest<T>(BTreeMap<FileKey, T>);

impl<T: AddAssign + Clone + Default> Latest<T> {
    /// Replaces the result of the file that a pass has read.
    pub(crate) fn set(&mut self, pass: &FollowPass, result: T) {
        self.0.insert(pass.file.clone(), result);
    }

    /// Results of all files, added in their order.
    pub(crate) fn into_sum(self) -> T {
        let mut results = self.0.into_values();
        let mut sum = results.next().unwrap_or_default();
        results.for_each(|result| sum += result);
        sum
    }
}

impl Follow {
    /// Follows the inputs, unless none can be read, which has been reported as `errors`.
    pub(crate) fn new(
        inputs: &[PathBuf],
        search: Search,
        sources: &[Source],
        errors: &[Error],
    ) -> Result<Option<Follow>, Error> {
        let takes = |source: &Source| source.kind == InputKind::Pgn && source.size.is_some();
        if inputs.is_empty() || !sources.iter().all(takes) {
            let reason = "`--follow` reads PGN files and folders, and no other input";
            return Err(Error::usage(reason));
        }
        if sources.is_empty() && !errors.is_empty() {
            return Ok(None);
        }
        interrupt::is_usual_end();
        let touched = Arc::default();
        let mut follow = Follow {
            inputs: inputs.to_vec(),
            search,
            files: BTreeMap::new(),
            changed: VecDeque::new(),
            text: Arc::default(),
            watcher: watch(inputs, Arc::clone(&touched)).ok(),
            touched,
            searched: Instant::now(),
            has_folder: inputs.iter().any(|input| input.is_dir()),
            has_news: false,
            has_ended: false,
        };
        follow.find_changes();
        Ok(Some(follow))
    }

    /// Waits for a new text, and takes it without what may be incomplete, with its source; a file
    /// that is no longer in its folder has none. `None` after a signal, at the end of a closed
    /// pipe, and if all inputs are gone or cannot be read, which is reported to `fail`.
    pub(crate) fn next_pass(
        &mut self,
        sink: &mut Sink,
        mut fail: impl FnMut(Error),
    ) -> Result<Option<(FollowPass, Vec<Source>)>, Error> {
        // Frees the text of the pass before.
        *lock(&self.text) = Arc::default();
        sink.flush()?;
        while !interrupt::asked() && !sink.is_closed() && !self.has_ended {
            while let Some(key) = self.changed.pop_front() {
                match self.begin_pass(key) {
                    Ok(Some(pass)) => {
                        self.has_news = true;
                        return Ok(Some(pass));
                    }
                    Ok(None) => {}
                    Err(error) => fail(error),
                }
            }
            if mem::take(&mut self.has_news) {
                let pass = FollowPass {
                    printed: Some(Arc::default()),
                    is_summary: true,
                    ..FollowPass::default()
                };
                return Ok(Some((pass, Vec::new())));
            }
            let can_change = |file: &FollowedFile| !file.is_named || file.failures <= GONE;
            if !self.has_folder && !self.files.values().any(can_change) {
                break;
            }
            self.wait(sink)?;
            self.find_changes();
        }
        Ok(None)
    }

    /// Waits until a search is due. Passes and searches take at most half of the time.
    fn wait(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let rests_until = Instant::now() + self.searched.elapsed();
        while !interrupt::asked() && !sink.is_closed() {
            thread::sleep(POLL);
            sink.flush()?;
            let is_due = self.watcher.is_none()
                || self.touched.load(Ordering::Relaxed)
                || self.searched.elapsed() > UNWATCHED;
            if is_due && Instant::now() >= rests_until {
                break;
            }
        }
        Ok(())
    }

    /// Searches the inputs for files that are new, changed or missing.
    fn find_changes(&mut self) {
        self.searched = Instant::now();
        self.touched.store(false, Ordering::Relaxed);
        self.files.values_mut().for_each(|file| file.found = None);
        // Errors have been reported, or a file is missing.
        let (sources, _) = expand(&self.inputs, &self.search);
        // Another kind of file may block.
        for source in sources.into_iter().filter(|source| source.size.is_some()) {
            self.enter(source);
        }
        let files = self.files.iter();
        let changed = files.filter(|(_, file)| file.found != file.read);
        self.changed = changed.map(|(key, _)| key.clone()).collect();
    }

    /// Enters a file that a search has found.
    fn enter(&mut self, mut source: Source) {
        let nth = source.path_index;
        let path = source.path().unwrap_or("".as_ref()).to_owned();
        let is_named = path == self.inputs[nth];
        if !is_named || self.inputs.len() > 1 {
            // Files to come may share less of their paths.
            source.folder = 0;
        }
        let found = FileState::of(&path);
        let file = self.files.entry((nth, path));
        let file = file.or_insert_with(|| FollowedFile {
            source,
            is_named,
            read: None,
            found: None,
            failures: 0,
            printed: Arc::default(),
        });
        file.found = found;
    }

    /// Reads a file that has changed; `None` if there is nothing to read yet.
    fn begin_pass(&mut self, key: FileKey) -> Result<Option<(FollowPass, Vec<Source>)>, Error> {
        let file = self.files.get_mut(&key).expect("files stay known");
        let mut pass = FollowPass {
            printed: Some(Arc::clone(&file.printed)),
            ..FollowPass::default()
        };
        let mut sources = Vec::new();
        if file.found.is_some() || file.is_named {
            let text = match file.found {
                Some(_) => read(&key.1),
                None => Err(Error::unsupported(file.source.name(), "the file is gone")),
            };
            file.failures = if text.is_ok() { 0 } else { file.failures + 1 };
            // A file that changes meanwhile is read again, and so is one that is no text yet.
            let is_whole = file.failures == 0 || file.failures > GONE;
            let has_changed = file.found.is_some() && FileState::of(&key.1) != file.found;
            if !is_whole || has_changed {
                self.touched.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            file.read.clone_from(&file.found);
            let mut text = text?;
            let (end, last) = complete(&text);
            text.truncate(end);
            if text.is_empty() {
                return Ok(None);
            }
            *lock(&self.text) = text.into();
            pass.last = last;
            sources.push(file.source.snapshot(Arc::clone(&self.text)));
        }
        file.read.clone_from(&file.found);
        for [met, _] in lock(&file.printed).values_mut() {
            *met = 0;
        }
        pass.file = key;
        Ok(Some((pass, sources)))
    }
}

/// Watches the folders of the inputs. Events set `touched`.
fn watch(inputs: &[PathBuf], touched: Arc<AtomicBool>) -> notify::Result<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let reads_only = event.is_ok_and(|event| event.kind.is_access());
        touched.fetch_or(!reads_only, Ordering::Relaxed);
    })?;
    for input in inputs {
        match input.parent() {
            _ if input.is_dir() => watcher.watch(input, RecursiveMode::Recursive)?,
            Some(folder) if folder != "" => watcher.watch(folder, RecursiveMode::NonRecursive)?,
            _ => watcher.watch(".".as_ref(), RecursiveMode::NonRecursive)?,
        }
    }
    Ok(watcher)
}

impl FollowPass {
    /// Whether a file is followed.
    pub(crate) fn follows(&self) -> bool {
        self.printed.is_some()
    }

    /// Whether an item has not been printed. Equal items of one pass are different ones.
    pub(crate) fn is_new<T: Debug>(&self, item: impl FnOnce() -> T) -> bool {
        let Some(printed) = &self.printed else {
            return true;
        };
        let hash = of_text(format!("{:?}", item()).as_bytes());
        let mut printed = lock(printed);
        let [met, all] = printed.entry(hash).or_default();
        *met += 1;
        let is_new = *met > *all;
        *all = (*all).max(*met);
        is_new
    }

    /// Whether a game goes on: its result is `*`, or it is the last and has none.
    pub(crate) fn is_running(&self, text: &GameText<'_>, game: &Game) -> bool {
        let goes_on = match game.result {
            Some((mark, _)) => mark == ResultMark::Unknown,
            None => game.other_result.is_none() && text.origin.game == self.last,
        };
        self.follows() && goes_on
    }

    /// Removes the findings about a running game that more text may take back.
    pub(crate) fn keep_final(
        &self,
        text: &GameText<'_>,
        game: &Game,
        findings: &mut Vec<Finding>,
        status: GameStatus,
    ) -> GameStatus {
        if !self.is_running(text, game) {
            return status;
        }
        findings.retain(is_final);
        match status {
            GameStatus::WithFindings if findings.is_empty() => GameStatus::Clean,
            status => status,
        }
    }
}

/// Whether a finding about a running game stays, whatever follows.
pub(crate) fn is_final(finding: &Finding) -> bool {
    let of_the_end = [
        &GAME_WITHOUT_MOVES,
        &LONG_LINE,
        &UNFINISHED_GAME,
        &WRONG_PLY_COUNT,
    ];
    finding.rule.family != Family::Results && !of_the_end.contains(&finding.rule)
}

/// Reads a file of plain text.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let source = Source::named(path);
    let stream = source.open(Arc::default())?;
    let is_plain = source.is_read_as_stored();
    let (most, size) = match source.opened() {
        Some(found) if is_plain => (u64::MAX, found.len()),
        _ => (1, 0),
    };
    let text = read_whole(source.name(), stream.take(most), size as usize)?;
    match text.is_empty() || is_plain {
        true => Ok(text),
        false => Err(Error::unsupported(
            source.name(),
            "`--follow` reads plain text only",
        )),
    }
}

/// End of the last complete move or result of a text, outside of comments and variations, and the
/// number of the last game. No later text changes what is before.
fn complete(text: &[u8]) -> (usize, GameNo) {
    let games = split_games(text);
    let last = games.last().copied().unwrap_or(text);
    let mut reader = Reader::new();
    let (mut depth, mut end) = (0_usize, 0);
    for token in &reader.read(last, None).tokens {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let after = token.span.end as usize;
        let is_whole = match last.get(after) {
            Some(next) => next.is_ascii_whitespace() || b"{(;$)".contains(next),
            None => matches!(token.kind, TokenKind::Result(_)),
        };
        if depth == 0 && is_whole {
            end = after;
        }
    }
    let start = text.len() - last.len();
    (start + end, GameNo(games.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_incomplete_is_left_out() {
        for (text, expected) in [
            ("1. e4 e", "1. e4"),
            ("1. e4 e5", "1. e4"),
            ("1. e4 e5 ", "1. e4 e5"),
            ("1. e4 e8=", "1. e4"),
            ("1. e4 {a", "1. e4"),
            ("1. e4 {a} e5 (1... c5 2. Nf3 ", "1. e4 {a} e5"),
            ("1. e4 {a} e5 (1... c5) 2. ", "1. e4 {a} e5 (1... c5)"),
            ("1. e4 e5 {(", "1. e4 e5"),
            ("1. e4 0-0", "1. e4"),
            ("1. e4 1/2", "1. e4"),
            ("1. e4 *", "1. e4 *"),
            ("1. e4 1-0\n\n", "1. e4 1-0"),
            ("1. e4 1/2-1/2 ", "1. e4 1/2-1/2"),
            ("{a", ""),
            ("", ""),
        ] {
            let head = "[White \"A\"]\n\n";
            let text = format!("{head}{text}");
            let expected = match expected.len() {
                0 => 0,
                moves => head.len() + moves,
            };
            let found = complete(text.as_bytes());
            assert_eq!(found, (expected, GameNo(1)), "{text}");
        }
        let two = b"1. e4 *\n\n[White \"B\"]\n\n1. d4 d";
        assert_eq!(complete(two), (two.len() - 2, GameNo(2)));
        assert_eq!(complete(&two[..12]), (8, GameNo(2)));
        assert_eq!(complete(b"\n"), (0, GameNo(0)));
    }
}
