//! Family 0: the file itself.

use crate::commands::validate::registry::rules;

rules! {
    UNREADABLE_GAME = "E001" "unreadable-game" Error: "text that holds no tag pair, no move and no result",
        "The text stands where a game should be, but nothing in it can be read. The game counts as unreadable.\n\n\
         bad:  This file was exported on Monday.\n\
         good: [Event \"Club match\"] … 1. e4 e5 1/2-1/2\n\n\
         Source: PGN standard, section 8 (a game is a tag pair section and a movetext section).";
    COMMENT_OUTSIDE_GAME = "N002" "comment-outside-game" Note: "a comment between two games",
        "The comment stands alone before the tag pairs of a game or after its result, with a blank line between. It is no \
         game, and is taken to belong to this one; other programs may count it as a game. Told once for each game.\n\n\
         bad:  ; exported on Monday (between two games)\n\
         good: 1. e4 {exported on Monday} e5 *\n\n\
         Source: PGN standard, sections 5 and 8.";
    FAULTS_LEFT_OUT = "N003" "faults-left-out" Note: "more faults in one game than are listed",
        "Beyond a thousand findings in one game, or a hundred in one position, the rest is counted only; the first of each \
         kind is listed in any case, so that the exit code is that of all.\n\n\
         bad:  } } } … (more than a thousand of them)\n\
         good: 1. e4 e5 *\n\n\
         Source: none; a bound on output and memory.";
    UTF_16 = "N004" "utf-16" Note WarnIfStrict: "a file in UTF-16",
        "The file is read all the same: what is in it is rewritten in UTF-8, and byte offsets are places in that. PGN is \
         written in bytes that mean what they mean in ASCII. Told once for each file.\n\n\
         bad:  ff fe 5b 00 45 00 (`[E` in UTF-16)\n\
         good: 5b 45 (`[E` in UTF-8)\n\
         cure: iconv -f UTF-16 -t UTF-8 games.pgn\n\n\
         Source: PGN standard, section 4.1 (characters are those of ISO 8859-1).";
    NOT_UTF_8 = "N005" "not-utf-8" Note: "bytes that are not UTF-8",
        "Each byte that is no part of a character in UTF-8 is read as the character it is in Latin-1, the character set of \
         the PGN standard, or in Windows-1252, which has more of them. Other characters of the same file may be in \
         UTF-8. If the text around the byte is in a code page of DOS, the message names it. Told once for each file, at the first such byte.\n\n\
         bad:  [White \"M\\xfcller\"]\n\
         good: [White \"Müller\"]\n\n\
         Source: PGN standard, section 4.1 (ISO 8859-1), in whose place most programs write UTF-8.";
    NUL_BYTE = "E006" "nul-byte" Error: "a NUL byte",
        "No text has NUL bytes. They stand where a file was damaged, or was filled up after the computer had stopped, and \
         something may be missing in their place. Between games they are passed over. Told once for each game.\n\n\
         bad:  1. e4 \\0\\0 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 4.1 (of the control characters only tabs, line feed and carriage return are permitted).";
    END_OF_FILE_MARK = "N007" "end-of-file-mark" Note WarnIfStrict: "the end-of-file mark of old systems",
        "CP/M and DOS ended text files with Ctrl-Z (0x1a); files that were joined have it inside. It is passed over. Told \
         once for each game.\n\n\
         bad:  1-0 1a 0a (the mark, and another file behind it)\n\
         good: 1-0 0a\n\n\
         Source: PGN standard, section 4.1 (of the control characters only tabs, line feed and carriage return are permitted).";
    BYTE_ORDER_MARK = "N008" "byte-order-mark" Note WarnIfStrict: "a byte order mark that is not at the beginning of the file",
        "Files that begin with a byte order mark have been joined. Before a tag pair it is passed over. Told once for each \
         game.\n\n\
         bad:  0a ef bb bf 5b (the mark before a later `[Event`)\n\
         good: 0a 5b\n\n\
         Source: Unicode standard, section 23.8 (U+FEFF is a signature only at the beginning of a text).";
    LOST_CHARACTER = "N009" "lost-character" Note: "a replacement character",
        "Programs put U+FFFD where they could not read a character. Which it was is lost. Told once for each file, at the \
         first one.\n\n\
         bad:  [White \"M\u{fffd}ller\"]\n\
         good: [White \"Müller\"]\n\n\
         Source: Unicode standard, section 23.8.";
    CARRIAGE_RETURNS = "N010" "carriage-returns" Note WarnIfStrict: "lines that end with a carriage return alone",
        "The first Macintoshes wrote lines so. Each carriage return is read as a line feed, without which the whole file would \
         be one line. Told once for each file.\n\n\
         bad:  1. e4 e5 0d 2. Nf3\n\
         good: 1. e4 e5 0a 2. Nf3\n\
         cure: tr '\\r' '\\n' < games.pgn\n\n\
         Source: PGN standard, sections 3.2.2 (lines of the export format end with a line feed) and 4.1.";
    GAME_ON_SAME_LINE = "N011" "game-on-same-line" Note: "a game that begins on the line on which another ends",
        "A tag pair after a result mark, or an Event tag pair anywhere in movetext, begins the next game. Files that were \
         joined without a line break look so. Other programs may read both games as one. Told once for each file, at the \
         first such line.\n\n\
         bad:  1. e4 e5 1-0[Event \"b\"]\n\
         good: 1. e4 e5 1-0\n      \n      [Event \"b\"]\n\n\
         Source: PGN standard, section 8 (each tag pair of the export format begins a line).";
    DOUBLE_UTF_8 = "N015" "double-utf-8" Note: "characters that were encoded in UTF-8 twice",
        "A program took UTF-8 for Windows-1252 and encoded it again. The text is read as it stands, so that the names differ from \
         those of other files. Reported once for each file, at the first such character.\n\n\
         bad:  [White \"MÃ¼ller\"]\n\
         good: [White \"Müller\"]\n\
         cure: iconv -f UTF-8 -t CP1252 games.pgn\n\n\
         Source: Unicode standard, section 3.9 (UTF-8).";
    GAME_TOO_LONG = "E020" "game-too-long" Error: "more variations, words or tags in one game than are read",
        "Beside the moves of the main line 2097152 words of one game are read: moves of variations, parentheses, words that are \
         no moves, and what follows the result; and as many tag pairs. That is many times as many as games have, so \
         that no input takes memory without bound. The rest of the movetext, or the other tag pairs, are left out; the games \
         after it are read. `adjudicate` judges the first 20000 plies of a game.\n\n\
         bad:  1. e4 (1. d4) (1. d4) (1. d4) … (a million of them)\n\
         good: 1. e4 (1. d4) 1... e5 *\n\n\
         Source: none; a bound on memory.";
}
