//! What is said of numbers that have more digits than were wanted.

/// What a line says where more digits tell some numbers apart.
pub fn remark<S>(written: &[(S, usize)], wanted: usize) -> String {
    match written.iter().map(|one| one.1).max() {
        Some(most) if most > wanted => format!(", with up to {most} digits, which tell them apart"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_more_digits_than_wanted_are_told() {
        let all = [("0.5", 2), ("0.1234569", 16)];
        let told = ", with up to 16 digits, which tell them apart";
        assert_eq!(remark(&all, 2), told);
        assert_eq!(remark(&all, 16), "");
    }
}
