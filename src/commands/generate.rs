//! `arbiter generate`: man pages and shell completions, from the definition of the command line.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::builder::Resettable;
use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::commands::output::{Outcome, Output};
use crate::error::Error;
use crate::report::{OutputFile, is_stdout};

/// Print man pages, or completions for a shell
///
/// Examples:
///   arbiter generate bash --output arbiter.bash
///   arbiter generate zsh > _arbiter
///   arbiter generate man --output man/
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, next_help_heading = "Output")]
pub(crate) struct GenerateArgs {
    /// Man pages, or the shell
    #[arg(value_enum, value_name = "KIND", help_heading = None)]
    kind: Kind,

    /// Write to a file; man pages, to one file a command in this folder
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    Man,
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
}

/// Prints pages or completions of a command line.
pub(crate) fn run(args: &GenerateArgs, mut command: Command) -> Result<Outcome, Error> {
    let folder = args.output.as_deref().filter(|path| !is_stdout(path));
    let shell = match args.kind {
        Kind::Man => return man_pages(command, folder),
        Kind::Bash => Shell::Bash,
        Kind::Zsh => Shell::Zsh,
        Kind::Fish => Shell::Fish,
        Kind::PowerShell => Shell::PowerShell,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "arbiter", &mut script);
    print(args.output.as_deref(), &script)
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes a page for the program and for each command.
fn man_pages(program: Command, folder: Option<&Path>) -> Result<Outcome, Error> {
    let mut all = Vec::new();
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let commands: Vec<&Command> = std::iter::once(&program)
        .chain(program.get_subcommands())
        .collect();
    let names: Vec<&str> = commands.iter().map(|command| name_of(command)).collect();
    for (command, &name) in commands.iter().zip(&names) {
        let mut page = Vec::new();
        // Writing to memory does not fail.
        let _ = write_page(&mut page, command, &names);
        match folder {
            Some(folder) => save(&folder.join(format!("{name}.1")), &page)?,
            None => all.extend(page),
        }
    }
    match folder {
        Some(_) => Ok(Outcome::Done),
        None => print(None, &all),
    }
}

fn name_of(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Codes, variables and files of all commands, from the list of exit codes on.
const COMMON: &[u8] = include_bytes!("man.roff");

/// Writes the page of a command, which refers to those of the other names.
fn write_page(page: &mut Vec<u8>, command: &Command, names: &[&str]) -> io::Result<()> {
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let (about, exit) = about.split_once("Exit code 1: ").unwrap_or((&about, ""));
    let (examples, text): (Vec<&str>, Vec<&str>) = about
        .lines()
        .filter(|line| *line != "Examples:")
        .partition(|line| line.starts_with("  "));
    let name = name_of(command);
    // Options hidden from the short help would have no text. The footer names the version.
    let command = command
        .clone()
        .mut_args(|arg| arg.hide_short_help(false))
        .long_about(text.join("\n"))
        .after_help(Resettable::Reset)
        .version(Resettable::Reset)
        .long_version(Resettable::Reset);
    Man::new(command)
        .title(name)
        .source(format!("arbiter {VERSION}"))
        .render(page)?;
    let mut end = Roff::new();
    end.control("SH", ["EXIT STATUS"]);
    if !exit.is_empty() {
        end.text([roman(format!("Exit code 1: {}", exit.replace('\n', " ")))]);
    }
    end.to_writer(page)?;
    page.extend(COMMON);
    let mut end = Roff::new();
    if !examples.is_empty() {
        end.control("SH", ["EXAMPLES"]).control("nf", []);
        for example in examples {
            end.text([roman(example.trim_start())]);
        }
        end.control("fi", []);
    }
    let others = names.iter().filter(|other| **other != name);
    let others: Vec<String> = others.map(|other| format!("{other}(1)")).collect();
    // Names are not hyphenated.
    end.control("SH", ["SEE ALSO"]).control("nh", []);
    end.text([roman(others.join(", "))]);
    end.to_writer(page)
}

fn save(path: &Path, text: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .map_err(|cause| Error::io(folder.display().to_string(), "write", cause))?;
    OutputFile::create(path)?.commit_all(text)
}

fn print(path: Option<&Path>, text: &[u8]) -> Result<Outcome, Error> {
    Output::quiet(path)?.print(text)?;
    Ok(Outcome::Done)
}
