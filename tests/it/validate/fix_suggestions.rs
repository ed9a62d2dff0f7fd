//! `validate --fix-suggestions`: what is applied, and what is not.

use crate::found::game;
use crate::validate::fixes::{check, codes_of, fixed};

#[test]
fn moves_are_inserted_deleted_and_exchanged() {
    for (before, after, codes) in [
        (
            "1. e4 e5 2. Bb5 Nc6 3. O-O a6 4. Nf3 Nf6 5. Ba4 Be7 6. Re1 b5 *",
            "1. e4 e5 2. Bb5 Nc6 3. Nf3 a6 4. O-O Nf6 5. Ba4 Be7 6. Re1 b5 *",
            "1 E201",
        ),
        (
            "1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *",
            "1 E201",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6\n3. Nf3 Nc6\n4. Bb5 a6 5. Ba4 Nf6 *",
            "1. e4 e5 2. Nf3 Nc6\n3. Bb5 a6 4. Ba4 Nf6 *",
            "1 E201",
        ),
        (
            "1. e4 e5 2. Nf3 hello Nc6 3. Bb5 a6 4. Ba4 Nf6 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *",
            "1 E203",
        ),
        (
            "1. e4 e5 2. Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Nxe5 Nxe5 7. d4 Ng6 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Nxe5 Nxe5 7. d4 Ng6 *",
            "1 E201",
        ),
        (
            "1. e4 e5 Nc6 3. Bb5 a6 4. Ba4 Nf6\n5. O-O Be7 6. Nxe5 Nxe5 7. d4 Ng6 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6\n5. O-O Be7 6. Nxe5 Nxe5 7. d4 Ng6 *",
            "1 E201",
        ),
        (
            "1. e4 e5 2. Nf3\n3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Nxe5 Nxe5 7. d4 Ng6 *",
            "1. e4 e5 2. Nf3\nNc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Nxe5 Nxe5 7. d4 Ng6 *",
            "1 E201, 1 W215",
        ),
    ] {
        let ran = fixed(&game(&[], before), &["--fix-suggestions"]);
        assert_eq!(ran.stdout(), game(&[], after), "{}", ran.stderr);
        assert!(codes_of(&ran).starts_with(codes), "{}", ran.stderr);
        assert_eq!(ran.code, Some(0));
        check(before, before, "nothing");
    }
    // A gap that several moves fill, and comments that would stay with another move.
    for text in [
        "1. e4 e5 2. Nf3 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *",
        "1. e4 e5 2. Bb5 Nc6 3. O-O {castles} a6 4. Nf3 Nf6 5. Ba4 Be7 6. Re1 b5 *",
        "1. e4 e5 2. Nf3 Nf3! Nc6 3. Bb5 a6 4. Ba4 Nf6 *",
    ] {
        let ran = fixed(&game(&[], text), &["--fix-suggestions"]);
        assert_eq!(ran.stdout(), game(&[], text));
        let said = "not fixed, as no repair is certain: 1 E201";
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn suggestions_are_applied_if_there_is_one() {
    let slip = "1. e4 e5 2. Nf4 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. 0-0 Nxe4 *";
    check(slip, slip, "nothing");
    let ran = fixed(&game(&[], slip), &["--fix-suggestions"]);
    let right = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 *";
    assert_eq!(ran.stdout(), game(&[], right));
    assert_eq!(
        (codes_of(&ran), ran.code),
        ("1 E201, 1 N246".to_owned(), Some(0))
    );
    // Two moves fit.
    let two = game(&[], "1. e4 e5 2. Nf4 *");
    assert_eq!(fixed(&two, &["--fix-suggestions"]).stdout(), two);
    let other = game(&[], "1. e4 e5 *").replace("White", "Whtie");
    assert_eq!(
        fixed(&other, &["--fix-suggestions"]).stdout(),
        game(&[], "1. e4 e5 *")
    );
}

#[test]
fn a_repair_that_brings_another_finding_is_not_applied() {
    let text = game(&[], "1. e4 e5 2. 0-0 *").replace("[White", "[Whtie \"x\"]\n[White");
    let ran = fixed(&text, &["--fix-suggestions"]);
    assert_eq!(ran.stdout(), text);
    let said = "not fixed, as other findings would appear: 1 W130\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("left: 1 error, 1 warning, 0 note\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(1));
}

#[test]
fn a_suggestion_among_many_is_not_applied() {
    let before = "1. Nf3 Nf6 2. Nc3 Nc6 3. Nd4 Nxd4 4. e3 Nc6 5. N1e2 *";
    let ran = fixed(&game(&[], before), &["--fix-suggestions"]);
    assert_eq!(ran.stdout(), game(&[], before));
}
