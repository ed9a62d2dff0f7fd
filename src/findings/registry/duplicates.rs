//! Family 5: games and positions against each other.

use crate::findings::registry::rules;

rules! { Duplicates;
    REPEATED_GAME = "W501" [optional()]: "game that occurs twice",
        "An earlier game of the run has the same players, start and moves, and nothing known of \
         its date and round contradicts. Names are compared without case, accents, titles and \
         all of the given name but its initial, moves without their notation. A game of less \
         than 20 plies is the same only if Event, Site, Date and Round are equal too. Games with \
         two addresses in Site or Link are not the same, unless only the scheme, `www.`, the \
         fragment or the side at the end differs. Reported with `--duplicates`.\n\n\
         bad:  [White \"Anderssen, Adolf\"] … [White \"A. Anderssen\"] … (with the same moves)\n\
         good: [White \"Anderssen, Adolf\"] …\n\n\
         Source: none; a database has each game once.";
    BEGINNING_OF_GAME = "W502" [optional()]: "game that is the beginning of another",
        "Two games have the same players, nothing known of date and round contradicts, and the \
         moves of one, at least 20 plies, are the first moves of the other. The later game is \
         reported, whether it is the longer or the shorter one. Reported with `--duplicates`.\n\n\
         bad:  1. e4 … 30. Qh5 * … 1. e4 … 30. Qh5 Rg8 31. Qxg6+ 1-0\n\
         good: 1. e4 … 30. Qh5 Rg8 31. Qxg6+ 1-0\n\n\
         Source: none; a database has each game once, and whole.";
    REPEATED_MOVES = "N503" [optional()]: "moves of an earlier game",
        "An earlier game of the run has the same start and moves, at least 20 plies, but other \
         players, or the same players on another date, in another round or at another address. \
         One of them may have wrong tags; or players followed the same theory. Reported with \
         `--duplicates`.\n\n\
         bad:  [White \"Anderssen\"] … [White \"Morphy\"] … (with the same moves)\n\
         good: [White \"Anderssen\"] …\n\n\
         Source: none; a database has each game once.";
    REPEATED_POSITION = "W504" [optional()]: "position that occurs twice",
        "An earlier line of the run has the same position and counters. Operations of EPD other \
         than `hmvc` and `fmvn` do not count, nor does an en passant square that no pawn can use. \
         Reported with `--duplicates`.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - bm O-O; … 4k3/8/8/8/8/8/8/4K2R w K - bm Rf1;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\n\
         Source: none; a list has each position once.";
    OTHER_COUNTERS = "N505" [optional()]: "position of an earlier line with other counters",
        "An earlier line of the run has the same position, but another halfmove clock or move \
         number, or only one of the two lines has them. Reported with `--duplicates`.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - 0 1 … 4k3/8/8/8/8/8/8/4K2R w K - 3 9\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\n\
         Source: none; a list has each position once.";
}
