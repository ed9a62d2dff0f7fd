//! Counts and times of the answers to the questions of one or more files.

use std::cmp::Reverse;
use std::time::Duration;

/// Questions of each kind that are printed.
const SHOWN: usize = 20;

/// Questions printed as the slowest.
const SLOWEST: usize = 10;

/// Results over one or more files.
#[derive(Default)]
pub struct Tally {
    pub questions: u64,
    pub unsettled: u64,
    pub cpu: [Duration; 2],
    pub ours: Outcomes,
    pub theirs: Outcomes,
    pub refused: u64,
    pub evidence: Vec<(String, u64, Duration)>,
    pub slowest: Vec<(Duration, String, Option<Duration>)>,
}

#[derive(Default)]
pub struct Outcomes {
    pub wrong: Vec<String>,
    pub unknown: Vec<String>,
    /// Answers to questions whose answer is unsettled.
    pub new: Vec<String>,
}

impl Outcomes {
    pub fn count(&mut self, answer: Option<bool>, expected: Option<bool>, text: &str) {
        match (answer, expected) {
            (None, _) => self.unknown.push(text.to_owned()),
            (Some(answer), Some(expected)) if answer != expected => {
                self.wrong.push(text.to_owned());
            }
            (Some(answer), None) => {
                let can = if answer { "can win" } else { "cannot win" };
                self.new.push(format!("{text}: {can}"));
            }
            _ => {}
        }
    }
}

impl Tally {
    pub fn add_evidence(&mut self, name: &str, time: Duration) {
        match self.evidence.iter_mut().find(|(other, ..)| other == name) {
            Some((_, count, total)) => {
                *count += 1;
                *total += time;
            }
            None => self.evidence.push((name.to_owned(), 1, time)),
        }
    }

    pub fn add_time(&mut self, time: Duration, text: String, theirs: Option<Duration>) {
        self.slowest.push((time, text, theirs));
        if self.slowest.len() > 1000 {
            self.keep_slowest();
        }
    }

    /// Sorts the questions, the slowest first, and drops all but some.
    fn keep_slowest(&mut self) {
        self.slowest.sort_by_key(|(time, ..)| Reverse(*time));
        self.slowest.truncate(SLOWEST);
    }

    /// Adds the results of another file.
    pub fn absorb(&mut self, other: Tally) {
        self.questions += other.questions;
        self.unsettled += other.unsettled;
        self.refused += other.refused;
        for (cpu, more) in self.cpu.iter_mut().zip(other.cpu) {
            *cpu += more;
        }
        for (mine, other) in [
            (&mut self.ours, other.ours),
            (&mut self.theirs, other.theirs),
        ] {
            mine.wrong.extend(other.wrong);
            mine.unknown.extend(other.unknown);
            mine.new.extend(other.new);
        }
        for (name, count, time) in other.evidence {
            match self.evidence.iter_mut().find(|(other, ..)| *other == name) {
                Some(entry) => {
                    entry.1 += count;
                    entry.2 += time;
                }
                None => self.evidence.push((name, count, time)),
            }
        }
        self.slowest.extend(other.slowest);
    }

    pub fn print(&mut self, name: &str, is_alone: bool) {
        let [ours, theirs] = self.cpu.map(|cpu| cpu.as_secs_f64());
        println!(
            "{name}: {} questions, {} of them unsettled",
            self.questions, self.unsettled
        );
        println!(
            "    arbiter    {ours:>9.3} CPU s, {:>9.2} µs a question: wrong {}, unknown {}",
            ours * 1e6 / self.questions as f64,
            self.ours.wrong.len(),
            self.ours.unknown.len()
        );
        if !is_alone {
            println!(
                "    chasolver  {theirs:>9.3} CPU s, {:>9.2} µs a question: wrong {}, unknown {}, \
                 not asked {}",
                theirs * 1e6 / self.questions as f64,
                self.theirs.wrong.len(),
                self.theirs.unknown.len(),
                self.refused
            );
            println!("    arbiter / chasolver: {:.3}", ours / theirs);
        }
        self.evidence.sort_by_key(|(_, count, _)| Reverse(*count));
        for (evidence, count, time) in &self.evidence {
            println!("    {count:>9} {evidence} ({:.3} s)", time.as_secs_f64());
        }
        show("wrong", &self.ours.wrong);
        show("unknown", &self.ours.unknown);
        show("unsettled, and answered", &self.ours.new);
        if !is_alone {
            show("chasolver wrong", &self.theirs.wrong);
        }
        self.keep_slowest();
        println!("    slowest:");
        for (time, text, theirs) in &self.slowest {
            let theirs = theirs.map_or(String::new(), |theirs| {
                format!(" (chasolver {:.3} ms)", theirs.as_secs_f64() * 1e3)
            });
            println!("    {:>9.3} ms{theirs} {text}", time.as_secs_f64() * 1e3);
        }
        println!();
    }
}

fn show(title: &str, lines: &[String]) {
    if !lines.is_empty() {
        println!("    {title}:");
    }
    for line in lines.iter().take(SHOWN) {
        println!("        {line}");
    }
    if lines.len() > SHOWN {
        println!("        and {} more", lines.len() - SHOWN);
    }
}
