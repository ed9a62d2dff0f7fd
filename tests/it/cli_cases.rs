//! Recorded runs: command lines with their output and exit code, in `tests/cmd` and in the console
//! blocks of the guides. `.ci/bless` records them anew.

#[test]
fn commands_print_and_return_what_is_written_down() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("README.md")
        .case("src/commands/README.md")
        .case("src/commands/*/README.md")
        .run();
}
