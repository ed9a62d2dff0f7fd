//! What the benchmarks share: facts about the machine, medians, rounds.

use std::fs;
use std::hint::black_box;
use std::thread;
use std::time::Instant;

/// Prints what the numbers depend on: processor, cores, and the instructions the binary was built for.
pub fn print_machine() {
    let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = cpu_info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let cores = thread::available_parallelism().map_or(0, usize::from);
    println!("processor: {processor}, {cores} cores");
    println!(
        "built for: popcnt {}, bmi2 {}",
        yes(cfg!(target_feature = "popcnt")),
        yes(cfg!(target_feature = "bmi2"))
    );
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// The answer of some work and the seconds it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let answer = black_box(work());
    (answer, begin.elapsed().as_secs_f64())
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}
