//! `validate`.

mod against; // differences between databases
mod comments; // findings about times and evaluations in comments
mod duplicates; // games that occur twice
mod duplicates_reported; // their findings in formats, closing lines and selections
mod fix_edits; // repairs in JSON lines and SARIF are those of `--fix`
mod fix_files; // `--fix`: inputs and outputs
mod fix_real_files; // `--fix`: real files
pub mod fix_reports; // `--fix`: the diff and the closing line
mod fix_suggestions; // `--fix-suggestions`
pub mod fixes; // `--fix`: repairs
mod goldens; // findings in the test inputs of other PGN programs
mod keep; // `--keep`: which of several duplicates stays
mod movetext; // findings about movetext
mod mutations; // damage to one game is found and costs no other game
mod position_lists; // FEN and EPD files
pub mod real_files; // findings in real files; every byte belongs to a game
mod registry; // codes: fixtures, explanations, letters
mod results; // findings about results
mod shapes; // output formats and baselines
mod spellings; // N506
mod split; // `--write-clean` and `--write-rejected`
mod suggestions; // corrections of typing errors in real games
mod tags; // findings about tags
mod two_readers; // the scanner against pgn-reader
