//! Lists of ranges, as in `3,10-20,500-`: the values of `--games` and `--at`.

/// Reads points and ranges separated by commas. A range may be open (`20-`, `-20`): then it begins
/// at the first point, or ends at the last. `check` refuses a range, whose text it is given.
pub(crate) fn ranges<T: Copy>(
    text: &str,
    read: impl Fn(&str) -> Result<T, String>,
    [first, last]: [T; 2],
    check: impl Fn(T, T, &str) -> Result<(), String>,
) -> Result<Vec<(T, T)>, String> {
    let range = |item: &str| {
        let (from, to) = match item.split_once('-') {
            None => {
                let only = read(item)?;
                return Ok((only, only));
            }
            Some(("", "")) => return Err("`-` is not a range".to_owned()),
            Some((from, "")) => (read(from)?, last),
            Some(("", to)) => (first, read(to)?),
            Some((from, to)) => (read(from)?, read(to)?),
        };
        check(from, to, item)?;
        Ok((from, to))
    };
    text.split(',').map(str::trim).map(range).collect()
}
