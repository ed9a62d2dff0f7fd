//! Rule sets.

mod rulesets; // the list of rule sets
