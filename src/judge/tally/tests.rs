use super::*;
use crate::pgn::Reader;

#[test]
fn tag_before_mark_and_mark_where_the_tag_says_nothing() {
    let check = |text: &str, expected: Tally| {
        let plan = Plan::default();
        let mut group = plan.nothing();
        Counter::new(&plan, Reader::new()).add(&mut group, "", text.as_bytes(), None);
        assert_eq!(group.counts.tally, expected, "{text}");
    };
    let tally = Tally::default();
    check(
        "[Result \"1-0\"]\n\n1. e4 0-1\n",
        Tally { white: 1, ..tally },
    );
    check("[Result \"?\"]\n\n1. e4 0-1\n", Tally { black: 1, ..tally });
    check("1. e4 1/2-1/2\n", Tally { draws: 1, ..tally });
    check("[Result \"0-0\"]\n\n1. e4\n", Tally { other: 1, ..tally });
    check(
        "[White \"x\"]\n\n1. e4\n",
        Tally {
            unfinished: 1,
            ..tally
        },
    );
    check(
        "[Result \"*\"]\n\n1. e4 *\n",
        Tally {
            unfinished: 1,
            ..tally
        },
    );
    check(
        "hello there\n",
        Tally {
            unreadable: 1,
            ..tally
        },
    );
}
