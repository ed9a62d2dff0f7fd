//! `arbiter stats`: groups, kinds of draws, adding up and comparing.

mod compared;
mod counted;
mod merged;
mod pictures;
