//! Family 0: the file itself.

use crate::findings::registry::rules;

rules! { File;
    UNREADABLE_GAME = "E001": "text without a tag pair, move or result",
        "A game has a tag pair, or begins or ends as movetext and has no more unreadable words \
         than moves. Any other text counts as an unreadable game. If no game is found in a whole \
         file, this is its only finding, and says what the file looks like.\n\n\
         bad:  This file was exported on Monday.\n\
         good: [Event \"Club match\"] … 1. e4 e5 1/2-1/2\n\n\
         Source: PGN standard, section 8 (a game is a tag pair section and a movetext \
         section).";
    COMMENT_OUTSIDE_GAME = "N002": "comment between two games",
        "A comment stands alone before the tags of a game or after its result, separated by a \
         blank line. It is taken to belong to this game; other programs may count it as a \
         game of its own. Reported once per game.\n\n\
         bad:  ; exported on Monday (between two games)\n\
         good: 1. e4 {exported on Monday} e5 *\n\n\
         Source: PGN standard, sections 5 and 8.";
    FAULTS_LEFT_OUT = "N003": "more findings in one game than are listed",
        "At most a thousand findings are listed per game, and a hundred per position; the \
         others are only counted. The first finding of each code is always listed, so the \
         exit code is that of all findings.\n\n\
         bad:  } } } … (more than a thousand of them)\n\
         good: 1. e4 e5 *\n\n\
         Source: none; a bound on output and memory.";
    UTF_16 = "N004" [warn_if_strict(), once_per_file(), fixable()]: "file in UTF-16",
        "The file is converted to UTF-8 and read; byte offsets count bytes of the converted \
         text. PGN is written in a superset of ASCII. Reported once per file.\n\n\
         bad:  ff fe 5b 00 45 00 (`[E` in UTF-16)\n\
         good: 5b 45 (`[E` in UTF-8)\n\
         cure: iconv -f UTF-16 -t UTF-8 games.pgn\n\n\
         Source: PGN standard, section 4.1 (characters are those of ISO 8859-1).";
    NOT_UTF_8 = "N005" [once_per_file()]: "bytes that are not UTF-8",
        "A byte that is not part of a UTF-8 character is read as Latin-1, the character set \
         of the PGN standard, extended by Windows-1252. Other characters of the file may be \
         UTF-8. If the surrounding text is in a DOS code page, the message names it. Reported \
         once per file, at the first such byte.\n\n\
         bad:  [White \"M\\xfcller\"]\n\
         good: [White \"Müller\"]\n\n\
         Source: PGN standard, section 4.1 (ISO 8859-1), in whose place most programs write \
         UTF-8.";
    NUL_BYTE = "E006": "NUL byte",
        "Text has no NUL bytes. They appear in damaged files, and in files padded after a \
         crash, and text may be missing in their place. Between games they are ignored. \
         Reported once per game.\n\n\
         bad:  1. e4 \\0\\0 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 4.1 (of the control characters only tabs, line feed \
         and carriage return are permitted).";
    END_OF_FILE_MARK = "N007" [warn_if_strict()]: "end-of-file mark (Ctrl-Z)",
        "CP/M and DOS ended text files with Ctrl-Z (0x1a); concatenated files have it inside. \
         It is ignored. Reported once per game.\n\n\
         bad:  1-0 1a 0a (another file after the mark)\n\
         good: 1-0 0a\n\n\
         Source: PGN standard, section 4.1 (of the control characters only tabs, line feed \
         and carriage return are permitted).";
    BYTE_ORDER_MARK = "N008" [warn_if_strict()]: "byte order mark not at the beginning of the file",
        "Files that begin with a byte order mark have been concatenated. Before a tag pair it \
         is ignored. Reported once per game.\n\n\
         bad:  0a ef bb bf 5b (the mark before a later `[Event`)\n\
         good: 0a 5b\n\n\
         Source: Unicode standard, section 23.8 (U+FEFF is a signature only at the beginning \
         of a text).";
    LOST_CHARACTER = "N009" [once_per_file()]: "replacement character (U+FFFD)",
        "Programs write U+FFFD in place of a character they cannot read. The original \
         character is lost. Reported once per file, at the first one.\n\n\
         bad:  [White \"M\u{fffd}ller\"]\n\
         good: [White \"Müller\"]\n\n\
         Source: Unicode standard, section 23.8.";
    CARRIAGE_RETURNS = "N010" [warn_if_strict(), once_per_file(), fixable()]:
        "lines that end with a carriage return only",
        "Classic Mac OS ended lines with a carriage return. Each is read as a line feed; \
         otherwise the whole file would be one line. Reported once per file.\n\n\
         bad:  1. e4 e5 0d 2. Nf3\n\
         good: 1. e4 e5 0a 2. Nf3\n\
         cure: tr '\\r' '\\n\
         ' < games.pgn\n\n\
         Source: PGN standard, sections 3.2.2 (lines of the export format end with a line \
         feed) and 4.1.";
    GAME_ON_SAME_LINE = "N011" [once_per_file(), fixable()]:
        "game that begins on the last line of another",
        "A tag pair after a result mark, or an Event tag pair anywhere in the movetext, \
         begins the next game. Files concatenated without a line break look like this. Other \
         programs may read both games as one. Reported once per file, at the first such line.\n\n\
         bad:  1. e4 e5 1-0[Event \"b\"]\n\
         good: 1. e4 e5 1-0\n      \n      [Event \"b\"]\n\n\
         Source: PGN standard, section 8 (each tag pair of the export format begins a line).";
    CONTROL_CHARACTER = "N012" [warn_if_strict()]: "control character",
        "A character below U+0020 that is neither a tab nor ends a line, such as the escape \
         character, which terminals obey. In values and comments it is kept; outside them it is \
         part of a word. Reported once per game, without NUL (E006) and Ctrl-Z (N007).\n\n\
         bad:  1. e4 {best(U+001B)[0m} *\n\
         good: 1. e4 {best} *\n\n\
         Source: PGN standard, section 4.1 (of the control characters only tabs, line feed \
         and carriage return are permitted).";
    DOUBLE_UTF_8 = "N015" [once_per_file()]: "characters encoded in UTF-8 twice",
        "A program took UTF-8 for Windows-1252 and encoded it again. The text is read as \
         written, so names differ from those in other files. Reported once per file, at the \
         first such character.\n\n\
         bad:  [White \"MÃ¼ller\"]\n\
         good: [White \"Müller\"]\n\
         cure: iconv -f UTF-8 -t CP1252 games.pgn\n\n\
         Source: Unicode standard, section 3.9 (UTF-8).";
    GAME_TOO_LONG = "E020": "more moves, variations, words or tags in one game than are read",
        "A game is read up to 20000 plies, more than the 75-move rule allows, and 262144 other \
         words: moves of variations, parentheses, unreadable words, and text after the result; \
         as many glyphs, comments and blank lines; and as many tag pairs. This is far more than \
         real games have, and bounds memory for any input. The rest of the movetext, or the \
         other tag pairs, are left out; the games after it are read.\n\n\
         bad:  1. e4 (1. d4) (1. d4) (1. d4) … (a million of them)\n\
         good: 1. e4 (1. d4) 1... e5 *\n\n\
         Source: none; a bound on memory.";
}
