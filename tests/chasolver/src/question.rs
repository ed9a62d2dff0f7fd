//! Files of questions: in each line whether White and Black can win, and a FEN.

use arbiter::chess::Position;

use crate::theirs;

pub struct Question {
    pub position: Position,
    /// Without clocks.
    pub fen: String,
    /// Whether White and Black can win; `None` if that is unsettled.
    pub answers: [Option<bool>; 2],
    /// The position for `chasolver`, if it can be asked about it.
    pub board: Option<chess::Board>,
}

/// Every `step`th question of a text. Lines beginning with `#` are comments, and so is what follows
/// a `#` after the FEN.
pub fn all(text: &str, step: usize) -> Result<Vec<Question>, String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .step_by(step)
        .map(|(nth, line)| question(line).map_err(|fault| format!("line {}: {fault}", nth + 1)))
        .collect()
}

fn question(line: &str) -> Result<Question, String> {
    let (answers, fen) = line.split_once(' ').ok_or("no FEN")?;
    let fen = fen.split('#').next().unwrap_or_default();
    let words: Vec<_> = fen.split_whitespace().take(4).collect();
    let fen = words.join(" ");
    let position: Position = fen.parse().map_err(|fault| format!("{fault}"))?;
    let answers = match answers.as_bytes() {
        [white, black] => [answer(*white, b'W')?, answer(*black, b'B')?],
        _ => return Err(format!("`{answers}` is no answer")),
    };
    let board = theirs::board(&position, &fen);
    Ok(Question {
        position,
        fen,
        answers,
        board,
    })
}

fn answer(byte: u8, yes: u8) -> Result<Option<bool>, String> {
    match byte {
        b'-' => Ok(Some(false)),
        b'?' => Ok(None),
        byte if byte == yes => Ok(Some(true)),
        _ => Err(format!("`{}` is no answer", char::from(byte))),
    }
}
