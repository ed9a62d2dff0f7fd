//! Whether a side can still win.

mod heuristic; // positions called winnable have a mating line
mod known; // winnability of positions
