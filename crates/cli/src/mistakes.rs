//! What the parser of arguments says of mistakes, in the words of this program.

/// A mistake as all others are told: it begins alike, ranges are in words, and tips that don't help are left out.
pub fn told(answer: &str) -> String {
    let mut told = match answer.strip_prefix("error: ") {
        Some(mistake) => format!("sunzi: {mistake}"),
        None => answer.to_owned(),
    };
    told = ranges_in_words(&told);
    // Hardly anybody means a value that begins like an option.
    let mut lines: Vec<&str> = told.lines().collect();
    lines.retain(|line| !line.trim_start().starts_with("tip: to pass '"));
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    lines.join("\n") + "\n"
}

/// `7 is not in 1..=5` is `7 is not from 1 to 5`.
fn ranges_in_words(text: &str) -> String {
    const BEFORE: &str = " is not in ";
    let Some((value, range)) = text.split_once(BEFORE) else {
        return text.to_owned();
    };
    let (range, rest) = range.split_once('\n').unwrap_or((range, ""));
    let words = match range.split_once("..") {
        Some((least, "")) => format!("at least {least}"),
        Some((least, most)) if most.starts_with('=') => format!("from {least} to {}", &most[1..]),
        _ => return text.to_owned(),
    };
    format!("{value} is not {words}\n{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_words_and_tips_are_left_out() {
        for (said, told_as) in [
            (
                "error: invalid value '0' for '--digits <N>': 0 is not in 1..=1000000\n\nFor more information, try '--help'.\n",
                "sunzi: invalid value '0' for '--digits <N>': 0 is not from 1 to 1000000\n\nFor more information, try '--help'.\n",
            ),
            ("error: 0 is not in 1..\n", "sunzi: 0 is not at least 1\n"),
            (
                "error: unexpected argument '--mdo' found\n\n  tip: to pass '--mdo' as a value, use '-- --mdo'\n\nUsage: x\n",
                "sunzi: unexpected argument '--mdo' found\n\nUsage: x\n",
            ),
            ("Help\n", "Help\n"),
        ] {
            assert_eq!(told(said), told_as);
        }
    }
}
