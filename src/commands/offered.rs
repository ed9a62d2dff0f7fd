//! Values that completions offer, whatever their parser accepts beside them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::adjudication::RuleChoice;

/// Parser of an option, with the values that completions offer.
#[derive(Clone)]
pub(crate) struct Offered<T> {
    values: fn() -> Vec<PossibleValue>,
    parse: fn(&str) -> Result<T, String>,
}

/// A parser with the values that completions offer.
pub(crate) fn offered<T>(
    values: fn() -> Vec<PossibleValue>,
    parse: fn(&str) -> Result<T, String>,
) -> Offered<T> {
    Offered { values, parse }
}

/// Parser of the name of a rule set.
pub(crate) fn rule_sets(parse: fn(&str) -> Result<RuleChoice, String>) -> Offered<RuleChoice> {
    offered(
        || RuleChoice::names().map(PossibleValue::new).collect(),
        parse,
    )
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Offered<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.values)().into_iter()))
    }
}
