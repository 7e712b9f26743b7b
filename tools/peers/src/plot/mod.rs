//! Plots of time against size, drawn from saved timings.

mod series;

use std::path::Path;

use crate::report;
use crate::saved::{SUNZI, Saved};
use series::Series;
use sunzi_measure::{Chart, Curve, Record, Scale, svg};

/// What a plot shows, and which timings.
struct Picture {
    file: &'static str,
    title: &'static str,
    /// What the sizes count.
    unit: &'static str,
    shows: fn(&Record) -> bool,
    /// Whether runs on several threads are shown beside those on one.
    every_thread_count: bool,
}

const PICTURES: [Picture; 19] = [
    Picture {
        file: "integers.svg",
        title: "Product of two integers of n limbs",
        unit: "n, limbs of 64 bits",
        shows: |row| row.group.starts_with("integers") && !row.case.contains(" by "),
        every_thread_count: false,
    },
    Picture {
        file: "polynomials-mod-469762049.svg",
        title: "Product of two polynomials of n coefficients mod 469762049",
        unit: "n, coefficients",
        shows: |row| row.group == "product mod 469762049",
        every_thread_count: false,
    },
    Picture {
        file: "polynomials-mod-2-62-57.svg",
        title: "Product of two polynomials of n coefficients mod 2^62-57",
        unit: "n, coefficients",
        shows: |row| row.group == "product mod 2^62-57",
        every_thread_count: false,
    },
    Picture {
        file: "transforms-31-bit.svg",
        title: "Forward transform of n residues mod 2013265921",
        unit: "n, points",
        shows: |row| row.group == "NTT 31-bit prime" && row.case.starts_with("forward"),
        every_thread_count: false,
    },
    Picture {
        file: "transforms-62-bit.svg",
        title: "Forward transform of n residues mod 2^62-51·2^26+1",
        unit: "n, points",
        shows: |row| {
            row.group == "NTT 62-bit prime below 2^62-2^31" && row.case.starts_with("forward")
        },
        every_thread_count: false,
    },
    Picture {
        file: "transforms-p8.svg",
        title: "Forward transform of n elements mod P8",
        unit: "n, points",
        shows: |row| of_big_prime(row, "P8"),
        every_thread_count: false,
    },
    Picture {
        file: "transforms-p16.svg",
        title: "Forward transform of n elements mod P16",
        unit: "n, points",
        shows: |row| of_big_prime(row, "P16"),
        every_thread_count: false,
    },
    Picture {
        file: "transforms-p32.svg",
        title: "Forward transform of n elements mod P32",
        unit: "n, points",
        shows: |row| of_big_prime(row, "P32"),
        every_thread_count: false,
    },
    Picture {
        file: "division-mod-469762049.svg",
        title: "Division of 2m by m coefficients mod 469762049",
        unit: "m, coefficients of the divisor",
        shows: |row| of_poly(row, "division", "469762049"),
        every_thread_count: true,
    },
    Picture {
        file: "gcd-mod-469762049.svg",
        title: "Greatest common divisor of two polynomials of degree n mod 469762049",
        unit: "n, degree",
        shows: |row| of_poly(row, "gcd", "469762049"),
        every_thread_count: true,
    },
    Picture {
        file: "gcd-mod-2-60.svg",
        title: "Greatest common divisor of two polynomials of degree n mod 2^60-2^18+1",
        unit: "n, degree",
        shows: |row| of_poly(row, "gcd", "2^60-2^18+1"),
        every_thread_count: true,
    },
    Picture {
        file: "evaluation-mod-469762049.svg",
        title: "Evaluation at n = 2^i points mod 469762049",
        unit: "n, points",
        shows: |row| of_poly(row, "evaluation", "469762049") && has_power_of_two(row),
        every_thread_count: true,
    },
    Picture {
        file: "evaluation-mod-2-31-1.svg",
        title: "Evaluation at n = 2^i points mod 2^31-1",
        unit: "n, points",
        shows: |row| of_poly(row, "evaluation", "2^31-1") && has_power_of_two(row),
        every_thread_count: true,
    },
    Picture {
        file: "interpolation-mod-469762049.svg",
        title: "Interpolation at n = 2^i points mod 469762049",
        unit: "n, points",
        shows: |row| of_poly(row, "interpolation", "469762049") && has_power_of_two(row),
        every_thread_count: true,
    },
    Picture {
        file: "determinants-mod-469762049.svg",
        title: "Determinant of order n mod 469762049",
        unit: "n, order",
        shows: |row| row.group == "determinants mod 469762049",
        every_thread_count: true,
    },
    Picture {
        file: "determinants-mod-2-60.svg",
        title: "Determinant of order n mod 2^60-2^18+1",
        unit: "n, order",
        shows: |row| row.group == "determinants mod 2^60-2^18+1",
        every_thread_count: true,
    },
    Picture {
        file: "determinants-z-32-bits.svg",
        title: "Determinant of order n over Z, entries of 32 bits",
        unit: "n, order",
        shows: |row| row.group == "determinants over Z, 32 bits",
        every_thread_count: true,
    },
    Picture {
        file: "determinants-z-200-bits.svg",
        title: "Determinant of order n over Z, entries of 200 bits",
        unit: "n, order",
        shows: |row| row.group == "determinants over Z, 200 bits",
        every_thread_count: true,
    },
    Picture {
        file: "sort-keys.svg",
        title: "Sort of n random keys of 32 bits below n",
        unit: "n, keys",
        shows: of_keys,
        every_thread_count: false,
    },
];

/// The default of each library, on operands of equal degrees without a common factor.
fn of_poly(row: &Record, group: &str, prime: &str) -> bool {
    let plain = !["degrees", "common"]
        .iter()
        .any(|word| row.case.contains(word));
    let default = !["_iter", "_basecase"]
        .iter()
        .any(|end| row.contender.ends_with(end));
    let modulus = row.case.ends_with(&format!("mod {prime}"));
    row.section == "poly" && row.group == group && modulus && plain && default
}

/// Whether the number of points is a power of two. Just above one, trees cost more: a line through both kinds would jump.
fn has_power_of_two(row: &Record) -> bool {
    row.size.is_power_of_two()
}

/// The transforms modulo a prime r^k + 1, and those modulo several word-size primes that do as much: their
/// steps, and Sunzi once more beside them, are left out.
fn of_big_prime(row: &Record, name: &str) -> bool {
    let other = row.section == "gfp-vs-crt" && row.counts && row.contender != SUNZI;
    (row.section == "gfp-fft" || other) && row.group.split(' ').next_back() == Some(name)
}

/// Sorts of keys alone. Sunzi is measured beside rdst and beside the classical sort; it is shown once.
fn of_keys(row: &Record) -> bool {
    let classical = row.group.ends_with("keys, against classical counting sort");
    row.section == "sort"
        && (row.group == "keys, against rdst" || classical && row.contender != SUNZI)
}

/// The times; and below them the ratios to Sunzi, which the wide range of times hides.
fn charts(picture: &Picture, series: &[Series]) -> Vec<Chart> {
    // A contender has one colour; more threads are dashes.
    let mut contenders: Vec<&str> = Vec::new();
    for one in series {
        if !contenders.contains(&one.contender.as_str()) {
            contenders.push(&one.contender);
        }
    }
    let fewest = series.iter().map(|one| one.threads).min();
    let curves = |of: &dyn Fn(u64, f64) -> Option<f64>| -> Vec<Curve> {
        let curve = |(index, one): (usize, &Series)| Curve {
            name: one.name(),
            points: one
                .points
                .iter()
                .filter_map(|&(size, seconds)| Some((size as f64, of(size, seconds)?)))
                .collect(),
            colour: contenders
                .iter()
                .position(|name| *name == one.contender)
                .unwrap_or(0),
            dashes: usize::from(Some(one.threads) != fewest),
            // Sunzi comes first.
            bold: index == 0,
        };
        series.iter().enumerate().map(curve).collect()
    };
    let sizes = (picture.unit, Scale::PowersOfTwo);
    let times = Chart {
        title: picture.title.to_owned(),
        x: sizes,
        y: ("time", Scale::Time),
        curves: curves(&|_, seconds| Some(seconds)),
    };
    let Some((own, _)) = series.split_first() else {
        return vec![times];
    };
    let ratios = Chart {
        title: String::new(),
        x: sizes,
        y: ("time / Sunzi's time", Scale::Ratio),
        curves: curves(&|size, seconds| Some(seconds / own.at(size)?)),
    };
    vec![times, ratios]
}

/// Draws every plot for which there are timings, and says which.
pub fn draw_all(saved: &Saved, folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for picture in PICTURES {
        let path = folder.join(picture.file);
        let rows = saved.rows.iter().filter(|row| (picture.shows)(row));
        let series = series::of_rows(rows, picture.every_thread_count);
        if series.iter().all(|one| one.points.len() < 2) {
            eprintln!("peers: {}: fewer than two sizes, not drawn", path.display());
            continue;
        }
        let located = |error: String| format!("{}: {error}", path.display());
        let svg = svg(&charts(&picture, &series)).map_err(|error| located(error.to_string()))?;
        report::save(&path, &svg).map_err(|error| located(error.to_string()))?;
        println!("{}", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_of_sorts_shows_each_contender_once() {
        let row = |group: &str, contender: &str| Record {
            section: "sort".into(),
            group: group.into(),
            case: "n = r = 10^8".into(),
            size: 100_000_000,
            threads: 1,
            contender: contender.into(),
            median_s: 1.0,
            quartile1_s: 1.0,
            quartile3_s: 1.0,
            counts: true,
            run: 0,
        };
        let groups = [
            ("10^8 keys, against classical counting sort", "classical"),
            ("keys, against rdst", "rdst"),
            ("keys and values, against classical counting sort", "pairs"),
            ("keys and values, against rdst", "pairs"),
        ];
        let rows = groups.map(|(group, peer)| [row(group, SUNZI), row(group, peer)]);
        let shown = rows.as_flattened().iter().filter(|row| of_keys(row));
        let series = series::of_rows(shown, false);
        let lines = series
            .iter()
            .map(|one| (one.contender.as_str(), one.points.len()));
        let lines: Vec<_> = lines.collect();
        assert_eq!(lines, [(SUNZI, 1), ("classical", 1), ("rdst", 1)]);
    }

    #[test]
    fn a_plot_names_its_contenders() {
        let series = ["Sunzi", "FLINT"].map(|name| Series {
            contender: name.into(),
            threads: 1,
            points: vec![(4, 1e-7), (1024, 2.5e-5), (1 << 20, 0.1)],
        });
        let svg = svg(&charts(&PICTURES[0], &series)).expect("it can be drawn");
        for part in [
            "<svg",
            "Sunzi, 1 thread",
            "FLINT, 1 thread",
            "1 ms",
            "2¹⁰",
            "</svg>",
        ] {
            assert!(svg.contains(part), "{part} is missing");
        }
    }
}
