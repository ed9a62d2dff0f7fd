//! Command lines with what they print and return: the files of `tests/cmd`, and the console blocks of the README.
//! `TRYCMD=overwrite cargo test --release cli_cases` writes down what is printed now.

#[test]
fn commands_print_and_return_what_is_written_down() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("README.md")
        .run();
}
