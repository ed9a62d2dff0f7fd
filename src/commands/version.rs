//! The output of `-V` and `--version`.

/// Version, and the commit if the build knew it.
pub(crate) fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("ARBITER_COMMIT") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}
