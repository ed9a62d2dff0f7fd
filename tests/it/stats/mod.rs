//! `arbiter stats`: groups, kinds of draws, merging and comparing.

mod compared;
mod counted;
mod merged;
mod pairs;
mod pictures;
mod ratings;
