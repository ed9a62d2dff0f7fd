//! A UCI engine as a child process that answers `go perft`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::chess::Setup;
use crate::commands::interrupt;
use crate::commands::perft::NoResult;
use crate::commands::perft::compare::divided_move;
use crate::error::{Error, sentence};

/// Interval in which a wait notices an interruption.
const TICK: Duration = Duration::from_millis(100);

/// Time for the last lines of an engine that has answered `isready`, and for its exit after `quit`.
const GRACE: Duration = Duration::from_millis(300);

/// Longest line in bytes; the rest is read as another line.
const MOST_BYTES: u64 = 1 << 16;

/// Moves of a list; a legal position has at most 218.
const MOST_MOVES: usize = 1 << 12;

/// Lines that are read ahead.
const MOST_LINES: usize = 1 << 10;

/// A running engine. It is ended on drop.
pub(crate) struct Engine {
    command: String,
    child: Child,
    /// Closed on drop.
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The position that it was given last, empty if none.
    position: String,
    /// Time limit of one answer.
    timeout: Duration,
    has_chess960: bool,
    is_chess960: bool,
    /// True if a list without a total has ended at `readyok`.
    ends_at_ready: bool,
    /// Label of its totals, once known.
    total: Option<String>,
    /// False once it gave no answer: it is then killed without a `quit`.
    answers: bool,
}

impl Engine {
    /// Starts an engine and waits until it is ready.
    pub(crate) fn start(command: &str, timeout: Duration) -> Result<Engine, NoResult> {
        let fail =
            |reason: String| NoResult::Failed(Error::invalid("engine", command, None, reason));
        // The path of a program may contain spaces and backslashes.
        let words = if Path::new(command).is_file() {
            Some(vec![command.to_owned()])
        } else {
            shlex::split(command)
        };
        let words = words.ok_or_else(|| fail("a quote is not closed".to_owned()))?;
        let Some((program, arguments)) = words.split_first() else {
            return Err(fail("it is empty".to_owned()));
        };
        let mut process = Command::new(program);
        process
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        // A group of its own, so that the engine of a script ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => fail(format!("`{program}` is not found")),
            _ => fail(format!(
                "`{program}` cannot be started: {}",
                sentence(error)
            )),
        })?;
        interrupt::set_child(child.id());
        let (sender, lines) = sync_channel(MOST_LINES);
        if let Some(stdout) = child.stdout.take() {
            let mut stdout = BufReader::new(stdout);
            thread::spawn(move || {
                let mut line = Vec::new();
                while let Ok(1..) = (&mut stdout).take(MOST_BYTES).read_until(b'\n', &mut line) {
                    if sender
                        .send(String::from_utf8_lossy(&line).into_owned())
                        .is_err()
                    {
                        break;
                    }
                    line.clear();
                }
            });
        }
        let mut engine = Engine {
            command: command.to_owned(),
            stdin: child.stdin.take(),
            child,
            lines,
            position: String::new(),
            timeout,
            has_chess960: false,
            is_chess960: false,
            ends_at_ready: false,
            total: None,
            answers: true,
        };
        engine.greet()?;
        Ok(engine)
    }

    fn greet(&mut self) -> Result<(), NoResult> {
        self.send("uci")?;
        let deadline = Instant::now() + self.timeout;
        loop {
            let line = self
                .next(deadline)
                .map_err(|silence| self.silent(silence, "uci", ""))?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("uciok") => return Ok(()),
                Some("option") => self.has_chess960 |= words.any(|word| word == "UCI_Chess960"),
                _ => {}
            }
        }
    }

    /// Moves that the engine counts after `moves` from a position, as it writes them, with the
    /// number of nodes after each.
    pub(crate) fn divide(
        &mut self,
        setup: &Setup,
        is_chess960: bool,
        moves: &[String],
        depth: u32,
    ) -> Result<Vec<(String, u64)>, NoResult> {
        let mut position = if is_chess960 {
            format!("position fen {setup:#}")
        } else {
            format!("position fen {setup}")
        };
        if !moves.is_empty() {
            position += " moves ";
            position += &moves.join(" ");
        }
        self.position.clone_from(&position);
        if is_chess960 != self.is_chess960 {
            if !self.has_chess960 {
                return Err(self.fail("it has no option `UCI_Chess960`, which Chess960 needs"));
            }
            self.send(&format!("setoption name UCI_Chess960 value {is_chess960}"))?;
            self.is_chess960 = is_chess960;
        }
        self.send(&position)?;
        let question = format!("go perft {depth}");
        self.send(&question)?;
        // If the question ended the engine, `list` says so.
        self.write("isready");
        self.list(&question)
    }

    /// The list of moves until the line of its total.
    ///
    /// An engine that counts on another thread answers `isready` before its first move. One that
    /// does not ends its list before it answers, and may leave out the total.
    fn list(&mut self, question: &str) -> Result<Vec<(String, u64)>, NoResult> {
        let deadline = Instant::now() + self.timeout;
        let (mut moves, mut last) = (Vec::new(), String::new());
        let (mut is_ready, mut is_complete) = (false, false);
        while !(is_ready && is_complete) {
            let limit = if is_ready && !moves.is_empty() && !self.ends_at_ready {
                deadline.min(Instant::now() + GRACE)
            } else {
                deadline
            };
            let line = match self.next(limit) {
                Ok(line) => line,
                Err(Silence::Over) if limit < deadline => {
                    self.ends_at_ready = true;
                    break;
                }
                Err(silence) => return Err(self.silent(silence, question, &last)),
            };
            let line = line.trim();
            if line == "readyok" {
                is_ready = true;
                is_complete |= self.ends_at_ready;
                continue;
            }
            if !line.is_empty() {
                line.clone_into(&mut last);
            }
            if line.starts_with("bestmove") {
                return Err(self.fail(&format!(
                    "it searches for a move instead of counting: it does not know `{question}`"
                )));
            } else if is_complete || line.starts_with("info") {
                continue;
            } else if let Some(divided) = divided_move(line) {
                moves.push(divided.map_err(|fault| self.fail(&fault))?);
                if moves.len() > MOST_MOVES {
                    return Err(self.fail(&format!(
                        "its list has more than {MOST_MOVES} moves, more than any position"
                    )));
                }
            } else if let Some(label) = total_label(line, moves.is_empty())
                && (!moves.is_empty() || self.total.as_ref().is_none_or(|known| *known == label))
            {
                self.total.get_or_insert(label);
                is_complete = true;
            }
        }
        Ok(moves)
    }

    fn send(&mut self, line: &str) -> Result<(), NoResult> {
        if self.write(line) {
            return Ok(());
        }
        Err(self.silent(Silence::Ended, line, ""))
    }

    /// Writes a line to the engine; returns whether it could be written.
    fn write(&mut self, line: &str) -> bool {
        self.stdin.as_mut().is_some_and(|stdin| {
            writeln!(stdin, "{line}")
                .and_then(|()| stdin.flush())
                .is_ok()
        })
    }

    fn next(&self, deadline: Instant) -> Result<String, Silence> {
        loop {
            let rest = deadline.saturating_duration_since(Instant::now());
            if interrupt::asked() {
                return Err(Silence::Over);
            }
            match self.lines.recv_timeout(rest.min(TICK)) {
                Ok(line) if !rest.is_zero() => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                _ if rest.is_zero() => return Err(Silence::Over),
                _ => {}
            }
        }
    }

    /// Error for a question without an answer, with the last line that the engine wrote.
    fn silent(&mut self, silence: Silence, question: &str, last: &str) -> NoResult {
        let last = match last {
            "" => String::new(),
            last => format!("; its last line is `{last}`"),
        };
        match silence {
            // The handler of a signal may have killed the engine.
            _ if interrupt::asked() => {
                self.answers = false;
                interrupt::say_done();
                NoResult::Reported
            }
            Silence::Over => self.fail(&format!(
                "`{question}` has no answer after {} s{last}",
                self.timeout.as_secs()
            )),
            Silence::Ended => {
                let status = match self.wait() {
                    Some(status) => format!("it ended ({status})"),
                    None => "it closed its output".to_owned(),
                };
                self.fail(&format!("{status} instead of answering `{question}`{last}"))
            }
        }
    }

    fn fail(&mut self, reason: &str) -> NoResult {
        self.answers = false;
        let reason = match &self.position[..] {
            "" => reason.to_owned(),
            position => format!("{reason}; it was given `{position}`"),
        };
        NoResult::Failed(Error::invalid("engine", &self.command, None, reason))
    }

    /// Exit status, if the process ends soon.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.answers {
            let _ = self.send("quit");
        }
        self.stdin = None;
        let has_ended = self.answers && self.wait().is_some();
        // The group has the number of its first process, which may have ended before others.
        interrupt::kill_group(self.child.id());
        if !has_ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        interrupt::set_child(0);
    }
}

/// Reason why no line came.
enum Silence {
    /// The time is over, or a signal arrived.
    Over,
    /// The engine closed its output.
    Ended,
}

/// Label of the line after the last move: `nodes searched` of `Nodes searched: 400`. Without moves
/// only a total of 0 ends the list, as the line may belong to an earlier one.
fn total_label(line: &str, has_no_moves: bool) -> Option<String> {
    let line = line.to_ascii_lowercase();
    let words: Vec<&str> = line
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let name = words
        .iter()
        .position(|word| matches!(*word, "nodes" | "total"))?;
    let has_number = words
        .iter()
        .any(|word| is_number(word) && (!has_no_moves || *word == "0"));
    let after = words[name..].iter().position(|word| is_number(word));
    let end = after.map_or(words.len(), |after| name + after);
    let mut label = words[..end].to_vec();
    label.retain(|word| !is_number(word));
    has_number.then(|| label.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_of_engines_are_recognised() {
        for line in [
            "Nodes searched: 400",
            "nodes: 400",
            "Total: 400",
            "400 nodes",
            "total nodes = 4,865",
        ] {
            assert!(total_label(line, false).is_some(), "{line}");
            assert!(total_label(line, true).is_none(), "{line}");
        }
        for (line, label) in [
            ("Nodes searched: 0", "nodes searched"),
            ("Depth 3 nodes: 0 in 0 ms", "depth nodes"),
            ("0 nodes", "nodes"),
            ("Total time (ms): 0", "total time ms"),
        ] {
            assert_eq!(total_label(line, true).as_deref(), Some(label));
        }
        for line in ["", "perft to depth 3", "Nodes searched:", "time 400 ms"] {
            assert!(total_label(line, false).is_none(), "{line}");
        }
    }
}
