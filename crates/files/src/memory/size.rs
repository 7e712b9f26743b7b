//! Sizes of memory as people read and write them.

pub use sunzi_machine::memory::Shown;

/// The same as a text.
pub fn shown(bytes: u64) -> String {
    Shown(bytes).to_string()
}

/// Reads a size such as `4G`, `512MiB` or `1000000`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let shift = match unit
        .trim()
        .to_ascii_lowercase()
        .trim_end_matches("ib")
        .trim_end_matches('b')
    {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => {
            return Err(format!(
                "unknown unit `{unit}`: write K, M, G or T after the number"
            ));
        }
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "write a size such as 4G or 512M".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "the size is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        assert_eq!(parse_size("1000"), Ok(1000));
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("512 MiB"), Ok(512 << 20));
        assert_eq!(parse_size("1kb"), Ok(1024));
        assert!(parse_size("").is_err() && parse_size("4X").is_err() && parse_size("-1").is_err());
        assert!(parse_size("99999999999T").is_err());
        assert_eq!((shown(0), shown(1)), ("0 bytes".into(), "1 byte".into()));
        assert_eq!(
            (shown(12), shown(3 << 29)),
            ("12 bytes".to_owned(), "1.5 GiB".to_owned())
        );
    }
}
