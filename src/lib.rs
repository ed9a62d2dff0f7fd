//! START HERE. The library of the `arbiter` command: it reads, replays and judges chess games in
//! PGN and positions in FEN.
//!
//! # Flow
//!
//! ```text
//! Source ──split──▶ Chunk ──games──▶ GameText ──replay::Reader──▶ Game (+ faults)
//!                                       │                        └─replay──▶ Ply, Ply, … Stop
//!                           Origin{source, game, byte}                           │
//!          Finding (validate) · Row (replay) · Statistics · Adjudication ◀───────┘
//!                                       │
//!      pipeline: any number of threads, results in input order, bounded memory
//!                                       │
//!                         report: sink, formats, progress      Outcome ──▶ exit 0 / 1
//! FEN/EPD line ──▶ Setup ──▶ Position ──▶ perft · Finding      Error   ──▶ exit 2
//! ```
//!
//! # Modules
//!
//! Everything that needs no files is in the crate `chess_arbiter_core`, whose modules are those of
//! this crate as well: [`chess`], [`text`], [`winnability`], [`law`], [`notation`], [`pgn`],
//! [`replay`], [`adjudication`], [`findings`], [`boards`] and [`claim`]; its `split` is part of
//! [`input`]. Above them, in this order, each imports only from those before it; [`commands`]
//! imports from all.
//!
//! - [`error`]: what stops a run. A fault in a game is a value, never an [`error::Error`].
//! - [`input`]: bytes → whole games. Files, directories, archives, compression.
//! - [`pipeline`]: chunks in parallel, results in file order.
//! - [`report`]: sinks, rows, tables and progress. Only this module and the binary print; formats
//!   of the commands write to its buffers.
//! - [`commands`]: one folder for each command: its flags, its work, its formats, its manual.
//!
//! # Invariants
//!
//! Each names tests that hold it, below `tests/it`.
//!
//! 1. The core crate knows nothing of files, threads, clocks and terminals, and its `chess` nothing
//!    of bytes, PGN, servers or languages. Held by `tidy::folders_import_only_downwards` and
//!    `tidy::the_core_names_no_files_threads_or_clocks`.
//! 2. `pgn` and `replay` cannot fail: they return what they could do and what was wrong. One bad
//!    game never costs another. Held by
//!    `validate::mutations::damage_is_found_and_costs_no_other_game` and
//!    `validate::real_files::every_file_ends_without_a_panic`.
//! 3. Folders import downwards only, one file names `pgn_reader`, and only `report` and the binary
//!    print. Held by `tidy::folders_import_only_downwards`, `tidy::no_files_import_each_other`,
//!    `tidy::crates_are_named_where_they_may_be` and `tidy::only_report_and_the_binary_print`.
//! 4. Every byte of input belongs to a game, or an error names the byte after which nothing is
//!    read. Games seen = clean + with findings + unreadable, printed and enforced. Tables of games
//!    have a row for each. No game is an error, other than in a part. Held by
//!    `validate::real_files::every_byte_belongs_to_a_game_or_is_named`,
//!    `report::parquet::every_game_seen_has_a_row`,
//!    `validate::registry::only_commands_that_check_games_call_them_clean` and
//!    `input::bad_input::empty_file`.
//! 5. Output does not depend on the number of threads, chunk size, compression, parts, or stdin
//!    against file. Held by `commands::independence::any_number_of_threads_says_the_same`,
//!    `commands::independence::any_chunk_size_finds_the_same`,
//!    `commands::independence::compressed_text_says_the_same`,
//!    `input::parts::rows_of_the_parts_are_the_rows_of_the_whole` and
//!    `commands::independence::a_file_says_the_same_as_stdin_but_for_its_name`.
//! 6. Memory is bounded by threads × (chunk + results), whatever the size of the input; one
//!    gigantic game degrades only itself. Baselines, groups of games, hashes of the fingerprints
//!    and test names in reports for CI, and of games that are compared with each other (at most 1
//!    GiB) are held whole, and so is the text of `--follow`. Held by
//!    `input::compression::memory_does_not_grow_with_what_is_packed`,
//!    `input::bad_input::game_of_100_mb_beside_a_small_one` and
//!    `input::hostile::findings_of_one_game_are_bounded_and_the_others_counted`.
//! 7. "Cannot win" and "dead" are said only with a proof that an independent checker accepts. "Can
//!    win" carries a line that replays to mate, or says that it is a heuristic
//!    ([`winnability::Witness::Heuristic`]). Held by `winnability::known::known_positions`,
//!    `winnability::known::positions_that_people_have_asked_about` and
//!    `winnability::heuristic::what_only_seems_evident`.
//! 8. The recorded result is never changed, but `validate --fix` fills in one that is missing or
//!    unknown. Recorded result, recorded reason, board and rules are four things; a contradiction
//!    is reported. Held by `adjudicate::labels::added_tags_are_all_that_is_added`,
//!    `validate::fixes::results_come_from_the_terminator_or_the_board`,
//!    `replay::export::a_contradiction_of_results_stays_one` and
//!    `validate::results::the_board_against_the_record`.
//! 9. Every finding code has a fixture and an explanation; every console block in a guide is run.
//!    Held by `validate::registry::each_code_has_a_fixture_that_shows_it_and_nothing_else`,
//!    `validate::registry::each_code_is_explained` and
//!    `cli_cases::commands_print_and_return_what_is_written_down`.
//! 10. One law, one engine: `--claim` and the labels of many games never disagree on a game under
//!     the same rule set, nor do `validate` and `adjudicate`. Held by
//!     `adjudicate::labels::one_law::claims_and_labels_agree_on_real_games`,
//!     `adjudicate::labels::one_law::claims_and_labels_agree_on_the_fixtures` and
//!     `adjudicate::labels::agreement::validate_says_what_adjudicate_says_by_auto`.
//! 11. An option given is an option used, or a usage error. Held by
//!     `commands::modes::an_option_without_a_meaning_is_refused`.

#![warn(unreachable_pub)]

pub use chess_arbiter_core::{
    adjudication, boards, chess, claim, findings, law, notation, pgn, replay, text, winnability,
};

pub mod error;

pub mod input;

pub mod pipeline;

pub mod report;

pub mod commands;
