//! Options of the format `pgn`.

use clap::{Args, ValueEnum};

use crate::commands::args::number;
use crate::commands::replay::formats::{Added, KeepContent, LINE_WIDTH, TagEdits};
use crate::commands::split::SplitByArgs;

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct ExportArgs {
    /// Keep these with the format pgn
    ///
    /// Without it only the moves of the main line are kept.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    keep: Vec<Kept>,

    #[command(flatten)]
    pub(crate) edits: TagEdits,

    /// Length of the lines of moves with the format pgn, 0 for one line a game [default: 79]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = number::<usize>(0..))]
    width: Option<usize>,

    /// Write at most N plies of each game with the format pgn, from the first of --at
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = number::<u32>(1..))]
    pub(crate) max_plies: Option<u32>,

    /// Add to each game with the format pgn: facts in comments at the end, or in tags
    #[arg(long, value_enum, value_name = "FACTS")]
    #[arg(value_delimiter = ',', hide_short_help = true)]
    pub(crate) add: Vec<Added>,

    #[command(flatten)]
    pub(crate) by: SplitByArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kept {
    /// {Comments}, but for their clocks and evals
    Comments,
    /// Clocks in comments: [%clk 0:03:00]
    Clocks,
    /// Evaluations in comments: [%eval 0.17]
    Evals,
    /// NAGs such as $1; suffixes such as ! become NAGs
    #[value(alias = "glyphs")]
    Nags,
    /// (Variations)
    Variations,
    /// All of them
    All,
}

impl ExportArgs {
    /// The first of these options that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--keep", !self.keep.is_empty()),
            ("--set-tag", !self.edits.set_tag.is_empty()),
            ("--drop-tag", !self.edits.drop_tag.is_empty()),
            ("--width", self.width.is_some()),
            ("--max-plies", self.max_plies.is_some()),
            ("--add", !self.add.is_empty()),
            ("--split-by", self.by.split_by.is_some()),
        ];
        let first = given.into_iter().find(|(_, is_given)| *is_given);
        first.map(|(option, _)| option)
    }

    /// Whether a fact is added as a comment.
    pub(crate) fn adds_comments(&self) -> bool {
        self.add.iter().any(|added| added.tags().is_empty())
    }

    /// Content that is kept, with variations if they are asked for by another option.
    pub(crate) fn content(&self, variations: bool) -> KeepContent {
        let keeps = |what| self.keep.contains(&what) || self.keep.contains(&Kept::All);
        KeepContent {
            comments: keeps(Kept::Comments),
            clocks: keeps(Kept::Clocks),
            evals: keeps(Kept::Evals),
            nags: keeps(Kept::Nags),
            variations: keeps(Kept::Variations) || variations,
        }
    }

    /// Maximum number of characters on a line.
    pub(crate) fn width(&self) -> usize {
        let width = self.width.unwrap_or(LINE_WIDTH);
        if width == 0 { usize::MAX } else { width }
    }
}
