//! What numbers were measured on, and when.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;

/// The processor's name, as far as the system tells it, and how many threads compute.
pub fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| {
        let (field, value) = line.split_once(':')?;
        (field.trim() == "model name").then(|| value.trim())
    });
    let threads = match sunzi_machine::threads::count() {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    format!("{}, {threads}", name.unwrap_or(std::env::consts::ARCH))
}

/// Today in Greenwich.
pub fn date() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    day(now.map_or(0, |now| now.as_secs() / DAY))
}

/// The date of a day since the beginning of 1970.
fn day(mut days: u64) -> String {
    let mut year = 1970;
    loop {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let months = [
            31,
            28 + u64::from(leap),
            31,
            30,
            31,
            30,
            31,
            31,
            30,
            31,
            30,
            31,
        ];
        for (month, length) in (1..).zip(months) {
            if days < length {
                return format!("{year}-{month:02}-{:02}", days + 1);
            }
            days -= length;
        }
        year += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let dates = [0, 58, 59, 789, 11_016, 20_786].map(day);
        assert_eq!(
            dates,
            [
                "1970-01-01",
                "1970-02-28",
                "1970-03-01",
                "1972-02-29",
                "2000-02-29",
                "2026-11-29"
            ]
        );
    }
}
