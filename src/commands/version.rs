//! The output of `-V` and `--version`: the commit, the instructions of the build, and those of the
//! machine.

use std::sync::LazyLock;

/// Version, and the commit if the build knew it.
pub(crate) fn short() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("ARBITER_COMMIT") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}

/// Version, and the instructions beyond the baseline that the build requires and the machine has.
pub(crate) fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{}\nbuild: {}-{}; {}\nmachine: {}",
            short(),
            std::env::consts::ARCH,
            std::env::consts::OS,
            listed(&of_build()),
            listed(&of_machine()),
        )
    });
    &TEXT
}

fn listed(features: &[(&str, bool)]) -> String {
    let present: Vec<_> = features
        .iter()
        .filter_map(|&(name, is_present)| is_present.then_some(name))
        .collect();
    match present.is_empty() {
        true => "baseline".to_owned(),
        false => present.join(" "),
    }
}

/// Functions for the extensions that speed depends on, each with whether it is present.
macro_rules! features {
    ($detected:ident: $($name:tt)*) => {
        fn of_build() -> Vec<(&'static str, bool)> {
            vec![$(($name, cfg!(target_feature = $name))),*]
        }

        fn of_machine() -> Vec<(&'static str, bool)> {
            vec![$(($name, std::arch::$detected!($name))),*]
        }
    };
}

#[cfg(target_arch = "x86_64")]
features!(is_x86_feature_detected: "ssse3" "popcnt" "lzcnt" "bmi1" "bmi2" "avx2");
#[cfg(not(target_arch = "x86_64"))]
features!(no_feature:);
