//! `arbiter generate`: man pages and shell completions, from the definition of the command line.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::commands::{Outcome, Output, command_line};
use crate::error::Error;
use crate::report::{Bar, OutputFile, is_stdout};

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

pub(crate) fn run(args: &GenerateArgs) -> Result<Outcome, Error> {
    let mut command = command_line();
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
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let mut page = Vec::new();
        // Options hidden from the short help would have no text. The long version names the
        // processor of the machine that writes the pages.
        let command = command
            .clone()
            .mut_args(|arg| arg.hide_short_help(false))
            .version(VERSION)
            .long_version(VERSION);
        // Writing to memory does not fail.
        let _ = Man::new(command)
            .title(name)
            .source(format!("arbiter {VERSION}"))
            .render(&mut page);
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

fn save(path: &Path, text: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .map_err(|cause| Error::io(folder.display().to_string(), "write", cause))?;
    OutputFile::create(path)?.commit_all(text)
}

fn print(path: Option<&Path>, text: &[u8]) -> Result<Outcome, Error> {
    Output::with(path, Bar::default(), true)?.print(text)?;
    Ok(Outcome::Done)
}
