//! `arbiter stats`: groups, kinds of draws, merging and comparing.

mod compared;
mod counted;
mod merged;
mod names;
mod pairs;
mod pictures;
mod ratings;
