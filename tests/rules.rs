//! The rules, the text notation and the bots, against cases of an independent engine and the
//! sentences of the rulebook.

#[path = "rules/absence.rs"]
mod absence;
#[path = "rules/bots.rs"]
mod bots;
#[path = "rules/cases.rs"]
mod cases;
#[path = "rules/digest.rs"]
mod digest;
#[path = "rules/easy_to_get_wrong.rs"]
mod easy_to_get_wrong;
#[path = "rules/hidden.rs"]
mod hidden;
#[path = "rules/knowers.rs"]
mod knowers;
#[path = "rules/listed.rs"]
mod listed;
#[path = "rules/parser.rs"]
mod parser;
#[path = "rules/refusals.rs"]
mod refusals;
#[path = "rules/support.rs"]
mod support;
#[path = "rules/values.rs"]
mod values;
