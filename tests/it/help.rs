//! Help, hints, man pages and completions.

use std::fs;
use std::process::{Command, Stdio};

use crate::arbiter_command::{Scratch, binary, command, run};

const COMMANDS: [&str; 6] = [
    "validate",
    "stats",
    "replay",
    "perft",
    "adjudicate",
    "generate",
];

/// True if a program can be run; says so if it cannot.
fn is_installed(program: &str) -> bool {
    let mut asked = Command::new(program);
    let found = asked
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_err() {
        println!("skipped: {program} is not installed");
    }
    found.is_ok()
}

#[test]
#[cfg(unix)]
fn examples_of_the_help_work_when_pasted() {
    let folder = Scratch::new("examples");
    let famous = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/famous.pgn");
    fs::copy(famous, folder.path().join("famous.pgn")).unwrap();
    let binary = binary();
    let path = format!(
        "{}:{}",
        binary.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for name in COMMANDS {
        let help = run(&[name, "--help"]).stdout();
        let examples: Vec<&str> = help
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1)
            .take_while(|line| !line.is_empty())
            .collect();
        assert_eq!(examples.len(), 3, "{help}");
        assert!(help.lines().nth(2) == Some("Examples:"), "{help}");
        for example in examples {
            let ran = Command::new("sh")
                .args(["-c", example])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .unwrap();
            let code = ran.status.code();
            let stderr = String::from_utf8_lossy(&ran.stderr);
            assert!(matches!(code, Some(0 | 1)), "{example}: {code:?}\n{stderr}");
        }
    }
}

#[test]
fn short_help_fits_one_screen() {
    for name in COMMANDS {
        let mut help = command(&[name, "-h"]);
        let help = help.env("COLUMNS", "80").output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        assert!(help.lines().count() <= 24, "{help}");
        let wide = help.lines().filter(|line| line.chars().count() > 80);
        assert_eq!(wide.collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn completions_can_be_sourced() {
    let folder = Scratch::new("completions");
    for (shell, check) in [
        ("bash", "set -eu; source \"$0\"; complete -p arbiter"),
        (
            "zsh",
            "autoload -Uz compinit; compinit -D; source \"$0\"; echo $_comps[arbiter]",
        ),
        (
            "fish",
            "source $argv[1]; complete --do-complete 'arbiter val'",
        ),
    ] {
        let script = run(&["generate", shell]).stdout();
        assert!(script.contains("adjudicate"), "{shell}");
        let path = folder.path().join(shell);
        fs::write(&path, &script).unwrap();
        if is_installed(shell) {
            let ran = Command::new(shell)
                .arg("-c")
                .arg(check)
                .arg(&path)
                .output()
                .unwrap();
            assert!(ran.status.success(), "{shell}: {ran:?}");
            let named = String::from_utf8_lossy(&ran.stdout);
            assert!(
                named.contains("arbiter") || named.contains("validate"),
                "{shell}: {named}"
            );
        }
    }
    assert!(
        run(&["generate", "powershell"])
            .stdout()
            .contains("Register-ArgumentCompleter")
    );
}

#[test]
fn man_pages_are_rendered() {
    let folder = Scratch::new("man");
    let written = run(&[
        "generate",
        "man",
        "--output",
        &folder.path().to_string_lossy(),
    ]);
    assert_eq!((written.code, written.stdout()), (Some(0), String::new()));
    let mut all = run(&["generate", "man"]).stdout();
    for name in ["arbiter"]
        .into_iter()
        .map(str::to_owned)
        .chain(COMMANDS.map(|name| format!("arbiter-{name}")))
    {
        let path = folder.path().join(format!("{name}.1"));
        let page = fs::read_to_string(&path).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
        assert!(all.contains(&page), "{name}");
        assert!(!page.contains("machine:"), "{page}");
        let mut entries = page.split(".TP\n").skip(1);
        let without_text = entries.find(|entry| entry.lines().nth(1).is_none_or(str::is_empty));
        assert_eq!(without_text, None, "{name}");
        all = all.replacen(&page, "", 1);
        if is_installed("groff") {
            let ran = Command::new("groff")
                .args(["-man", "-Kutf8", "-Tutf8", "-ww"])
                .arg(&path)
                .output()
                .unwrap();
            assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{name}");
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(text.starts_with(&format!("{name}(1)")), "{text}");
        }
    }
    assert_eq!(all, "");
}
