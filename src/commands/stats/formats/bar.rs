//! A bar of blocks: a row's results at a glance.

use crate::commands::stats::tally::Counts;

/// How many blocks a bar has.
const BLOCKS: u64 = 30;

/// Games won, drawn and lost as blocks: full and white, half and grey, light and dark. The blocks differ without colours
/// too.
pub(crate) fn bar(counts: &Counts) -> String {
    let parts = shares(counts.record(), BLOCKS);
    let looks = [('█', "97"), ('▒', "37"), ('░', "90")];
    let mut bar = String::new();
    for (count, (block, color)) in parts.into_iter().zip(looks).filter(|&(count, _)| count > 0) {
        bar.push_str(&format!("\u{1b}[{color}m"));
        bar.extend(std::iter::repeat_n(block, count as usize));
    }
    if !bar.is_empty() {
        bar.push_str("\u{1b}[0m");
    }
    bar
}

/// Shares of a whole in whole numbers that add up to it: what is left over goes to the largest remainders, the first of
/// equals. Nothing of nothing.
pub(crate) fn shares<const N: usize>(parts: [u64; N], whole: u64) -> [u64; N] {
    let sum: u128 = parts.iter().map(|&part| u128::from(part)).sum();
    if sum == 0 {
        return [0; N];
    }
    let exact = parts.map(|part| u128::from(part) * u128::from(whole));
    let mut shares = exact.map(|exact| (exact / sum) as u64);
    let mut order: [usize; N] = std::array::from_fn(|nth| nth);
    order.sort_by_key(|&nth| std::cmp::Reverse(exact[nth] % sum));
    let left = whole - shares.iter().sum::<u64>();
    for &nth in order.iter().take(left as usize) {
        shares[nth] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        assert_eq!(shares([1, 1, 1], 10), [4, 3, 3]);
        assert_eq!(shares([2, 1, 0], 30), [20, 10, 0]);
        assert_eq!(shares([999, 1, 0], 30), [30, 0, 0]);
        assert_eq!(shares([0, 0, 0], 30), [0, 0, 0]);
        assert_eq!(shares([u64::MAX / 4; 3], 30), [10, 10, 10]);
    }
}
