//! The solver of winnability against the crate `chasolver`, over files of questions with known
//! answers. See `README.md`.

mod question;
mod tally;
mod theirs;

use std::fmt::{self, Debug, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

use arbiter::chess::moves::Move;
use arbiter::chess::{Color, Position};
use arbiter::winnability::{SearchLimits, Solver, Winnability, Witness};
use question::Question;
use rustix::time::{ClockId, clock_gettime};
use tally::Tally;

/// Positions asked of one program before it is the turn of the other. One costs too little to be
/// measured alone.
const BLOCK: usize = 64;

struct Options {
    nodes: u64,
    is_alone: bool,
    is_forgetful: bool,
    step: usize,
    files: Vec<PathBuf>,
}

const USAGE: &str = "usage: duel [--nodes N] [--ours-only] [--fresh] [--step N] FILE...";

fn options() -> Option<Options> {
    let mut options = Options {
        nodes: SearchLimits::DEFAULT.nodes,
        is_alone: false,
        is_forgetful: false,
        step: 1,
        files: Vec::new(),
    };
    let mut words = env::args_os().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next()?.to_str()?.parse::<u64>().ok();
        match word.to_str() {
            Some("--nodes") => options.nodes = number()?,
            Some("--step") => options.step = number()?.max(1) as usize,
            Some("--ours-only") => options.is_alone = true,
            Some("--fresh") => options.is_forgetful = true,
            Some(word) if word.starts_with("--") => return None,
            _ => options.files.push(word.into()),
        }
    }
    (!options.files.is_empty()).then_some(options)
}

/// CPU time of the process.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn cpu_time_of<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = cpu_time();
    let value = work();
    (value, cpu_time() - begin)
}

/// Answer of one program to a question, and its time.
struct Answer<E> {
    evidence: E,
    time: Duration,
}

fn ask<E>(work: impl FnOnce() -> E) -> Answer<E> {
    let begin = Instant::now();
    let evidence = work();
    Answer {
        evidence,
        time: begin.elapsed(),
    }
}

/// Whether legal moves end with mate by `side`.
fn mates(position: &Position, side: Color, line: &[Move]) -> bool {
    let mut position = position.clone();
    line.iter().all(|&mv| position.play(mv).is_ok())
        && position.turn() != side
        && position.is_checkmate()
}

/// Name of the evidence: what the answer rests on, without its numbers and moves.
fn evidence(answer: &Winnability) -> String {
    match answer {
        Winnability::Winnable(witness) => variant(witness),
        Winnability::Unwinnable(proof) => format!("proof: {}", variant(proof)),
        Winnability::Unknown(_) => "unknown".to_owned(),
    }
}

/// Name of the variant of an enumeration, without its content, which may be long.
fn variant(value: &impl Debug) -> String {
    struct Name(String);
    impl Write for Name {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let end = text.find(|c: char| !c.is_alphanumeric());
            self.0.push_str(&text[..end.unwrap_or(text.len())]);
            end.map_or(Ok(()), |_| Err(fmt::Error))
        }
    }
    let mut name = Name(String::new());
    // An error is the end of the name.
    let _ = write!(name, "{value:?}");
    name.0
}

fn run(options: &Options, path: &Path) -> Result<Tally, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let questions = question::all(&text, options.step)?;
    let mut tally = Tally::default();
    let mut solver = Solver::new(options.nodes);
    for (nth, block) in questions.chunks(BLOCK).enumerate() {
        let mut ours = Vec::with_capacity(2 * BLOCK);
        let mut theirs = Vec::with_capacity(2 * BLOCK);
        for turn in 0..2 {
            if (nth + turn) % 2 == 0 {
                let ((), cpu) = cpu_time_of(|| {
                    for question in block {
                        if options.is_forgetful {
                            solver = Solver::new(options.nodes);
                        }
                        for side in Color::ALL {
                            ours.push(ask(|| solver.can_win(&question.position, side)));
                        }
                    }
                });
                tally.cpu[0] += cpu;
            } else if !options.is_alone {
                let ((), cpu) = cpu_time_of(|| {
                    for question in block {
                        for side in Color::ALL {
                            theirs.push(ask(|| {
                                let ask = AssertUnwindSafe(|| theirs::can_win(question, side));
                                panic::catch_unwind(ask).unwrap_or(theirs::Answer::Refused)
                            }));
                        }
                    }
                });
                tally.cpu[1] += cpu;
            }
        }
        for (nth, question) in block.iter().enumerate() {
            for side in Color::ALL {
                let nth = 2 * nth + side.index();
                judge(&mut tally, question, side, &ours[nth], theirs.get(nth));
            }
        }
    }
    Ok(tally)
}

fn judge(
    tally: &mut Tally,
    question: &Question,
    side: Color,
    ours: &Answer<Winnability>,
    theirs: Option<&Answer<theirs::Answer>>,
) {
    let expected = question.answers[side.index()];
    let name = if side == Color::White {
        "White"
    } else {
        "Black"
    };
    let text = format!("{} ({name})", question.fen);
    tally.questions += 1;
    tally.unsettled += u64::from(expected.is_none());
    tally.add_evidence(&evidence(&ours.evidence), ours.time);
    match &ours.evidence {
        Winnability::Winnable(Witness::Line(line)) if !mates(&question.position, side, line) => {
            let fault = format!("{text}: the line does not mate");
            tally.ours.wrong.push(fault);
        }
        Winnability::Winnable(_) => tally.ours.count(Some(true), expected, &text),
        Winnability::Unwinnable(_) => tally.ours.count(Some(false), expected, &text),
        Winnability::Unknown(_) => tally.ours.count(None, expected, &text),
    }
    if let Some(theirs) = theirs {
        match theirs.evidence {
            theirs::Answer::Refused => tally.refused += 1,
            theirs::Answer::Is(answer) => tally.theirs.count(answer, expected, &text),
        }
    }
    tally.add_time(ours.time, text, theirs.map(|theirs| theirs.time));
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut sum = Tally::default();
    for path in &options.files {
        match run(&options, path) {
            Ok(mut tally) => {
                tally.print(&path.display().to_string(), options.is_alone);
                sum.absorb(tally);
            }
            Err(fault) => {
                eprintln!("{}: {fault}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    if options.files.len() > 1 {
        sum.print("all files", options.is_alone);
    }
    ExitCode::from(u8::from(!sum.ours.wrong.is_empty()))
}
