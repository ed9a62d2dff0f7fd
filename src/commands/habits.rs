//! Words that people type from the habit of other programs, and what they mean here.

/// Words that are no command, option or value, and what does the same: words of a command line, an
/// option, a value, or a sentence about an option.
const HABITS: &[(&str, &str)] = &[
    ("check lint verify", "validate"),
    ("diff", "validate --against OLD NEW"),
    ("fix fmt format repair", "validate --fix"),
    ("dedup dedupe duplicates uniq", "validate --duplicates"),
    ("merge", "validate --keep first --write-clean FILE"),
    ("filter grep", "replay --format pgn --where CONDITION"),
    ("split", "replay --format pgn --games 1-1000 --output FILE"),
    ("explain rule", "validate --explain CODE"),
    ("count summary", "stats"),
    ("merge", "stats --merge FILE..."),
    ("compare", "stats --compare A B"),
    ("elo sprt", "stats --pairs --sprt 0,2"),
    ("convert export", "replay --format FORMAT"),
    ("play show view", "replay --board unicode"),
    ("claim rules", "adjudicate --claim WHAT"),
    ("completion completions", "generate bash"),
    ("man", "generate man"),
    ("version", "--version"),
    ("-t --cpus --parallel --threads --workers", "--jobs"),
    ("-f -W --output-format", "--format"),
    ("--out --output-file", "--output"),
    ("-s --silent", "--quiet"),
    ("--colour --no-color", "--color never"),
    ("-e --filter --query --regexp --tag", "--where"),
    ("-i --ignore-case", "--where 'TAG~(?i)PATTERN'"),
    ("--invert-match", "--where 'TAG!=PATTERN'"),
    ("-n --first --head --limit", "--games 1-10"),
    ("-m --limit --max-count", "--max-findings"),
    ("-c --stats --summary", "--statistics"),
    ("--dedup --dedupe --unique", "--duplicates"),
    ("-D --noduplicates", "--keep first --write-clean FILE"),
    ("--dry-run --show-fixes", "--fix --diff"),
    ("--unsafe-fixes", "--fix-suggestions"),
    ("--exit-zero", "--fail-on never"),
    ("--add-noqa", "--write-baseline"),
    ("--group --group-by", "--by"),
    ("--elo --rating", "--ratings"),
    ("--elo --rating", "--by elo"),
    ("rating ratings", "elo"),
    ("w W", "white"),
    ("b B", "black"),
    ("--fields", "--columns"),
    ("--nocomments --nonags --novars", "--keep"),
    (
        "-v --verbose",
        "everything is reported by default; `--quiet` reports less",
    ),
    ("-f --file --input", "files are named without an option"),
    (
        "-R -r --recursive",
        "directories are searched with all below them",
    ),
    ("json jsonlines ndjson", "jsonl"),
    ("none off", "never"),
    ("plain table text", "human"),
    ("50 50-move 50-moves", "fifty"),
    ("75 75-move 75-moves", "seventyfive"),
    ("3 3fold 3-fold repetition", "threefold"),
    ("5 5fold 5-fold", "fivefold"),
    ("time timeout", "flag"),
    ("material", "insufficient"),
    ("resign resigns", "resignation"),
];

/// The meanings of a word.
pub(crate) fn meanings(word: &str) -> impl Iterator<Item = &str> {
    let known = HABITS
        .iter()
        .filter(move |(words, _)| words.split(' ').any(|it| it == word));
    known.map(|&(_, meaning)| meaning)
}
