//! Matrix Market files: what the library writes, read by a little reader of our own; and files that are written here,
//! read by the library.

use std::fmt::Write as _;

use rug::Integer;
use rug::integer::Order;
use sunzi_linalg::DenseMatrix;
use sunzi_sparse::matrix_market::{self, Integers, Reals, Symmetry};

use super::operation::Operation;
use super::sparse::{Places, matrix, places_of};
use super::trial::Trial;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::alone("matrix-market-write", "a reader of our own", written),
        Operation::alone("matrix-market-read", "what was written", read),
        Operation::alone(
            "matrix-market-dense",
            "a reader of our own, what was written",
            dense,
        ),
    ]
}

/// A value of a file, as exact as it is written.
trait Number: Copy + PartialEq + std::fmt::Debug {
    fn parse(text: &str) -> Option<Self>;
    fn negated(self) -> Self;
}

impl Number for f64 {
    fn parse(text: &str) -> Option<Self> {
        // By GMP: an exact fraction, and the double nearest to it.
        text.parse().ok()
    }

    fn negated(self) -> Self {
        -self
    }
}

impl Number for i64 {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn negated(self) -> Self {
        -self
    }
}

/// Rows, columns and entries of a `coordinate` file, with the mirrored ones; `None` if it is none.
type File<E> = (usize, usize, Vec<(u32, u32, E)>);

/// Reads by the letter of the format.
fn parse<E: Number>(text: &str) -> Option<File<E>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next()?.split(' ').collect();
    let ["%%MatrixMarket", "matrix", "coordinate", _, symmetry] = header[..] else {
        return None;
    };
    let mut data = lines.filter(|line| !line.starts_with('%'));
    let sizes: Vec<usize> = data
        .next()?
        .split(' ')
        .map_while(|n| n.parse().ok())
        .collect();
    let [rows, columns, count] = sizes[..] else {
        return None;
    };
    let (mut entries, mut lines) = (Vec::new(), 0);
    for line in data {
        let [i, j, value] = line.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        let (i, j) = (i.parse::<u32>().ok()? - 1, j.parse::<u32>().ok()? - 1);
        let value = E::parse(value)?;
        entries.push((i, j, value));
        match symmetry {
            "general" => {}
            "symmetric" if i == j => {}
            "symmetric" => entries.push((j, i, value)),
            "skew-symmetric" => entries.push((j, i, value.negated())),
            _ => return None,
        }
        lines += 1;
    }
    entries.sort_by_key(|&(i, j, _)| (i, j));
    (lines == count).then_some((rows, columns, entries))
}

/// Doubles of every magnitude, or short ones.
fn double(trial: &mut Trial) -> f64 {
    let word = trial.limbs(1)[0];
    let value = f64::from_bits(word);
    match trial.below(4) {
        0 => word as i32 as f64 / 1000.0,
        _ if value.is_finite() => value,
        _ => word as f64,
    }
}

fn symmetric(places: &mut Places, skew: bool) {
    let n = places.rows.min(places.columns);
    (places.rows, places.columns) = (n, n);
    places
        .all
        .retain(|&(i, j)| i < n && j < n && !(skew && i == j));
    let mirrored: Vec<_> = places.all.iter().map(|&(i, j)| (j, i)).collect();
    places.all.extend(mirrored);
    places.all.sort_unstable();
    places.all.dedup();
}

/// Values at the places that mirror each other where that is asked for.
fn values<E: Number>(places: &Places, symmetry: Symmetry, mut value: impl FnMut() -> E) -> Vec<E> {
    let mut entries: Vec<E> = places.all.iter().map(|_| value()).collect();
    if symmetry != Symmetry::General {
        for at in 0..entries.len() {
            let (i, j) = places.all[at];
            if j > i {
                let other = places.all.binary_search(&(j, i)).expect("a mirrored place");
                entries[other] = match symmetry {
                    Symmetry::SkewSymmetric => entries[at].negated(),
                    _ => entries[at],
                };
            }
        }
    }
    entries
}

fn some_symmetry(trial: &mut Trial) -> Symmetry {
    let all = [
        Symmetry::General,
        Symmetry::Symmetric,
        Symmetry::SkewSymmetric,
    ];
    *trial.pick(&all)
}

fn written(trial: &mut Trial) {
    match trial.below(2) {
        0 => written_as(trial, double),
        // The least has no negative.
        _ => written_as(trial, |trial| (trial.limbs(1)[0] as i64).max(-i64::MAX)),
    }
}

fn written_as<E: Number + matrix_market::WriteValue + Send + Sync>(
    trial: &mut Trial,
    value: fn(&mut Trial) -> E,
) {
    let symmetry = some_symmetry(trial);
    let mut places = places_of(trial, (30, 200));
    if symmetry != Symmetry::General {
        symmetric(&mut places, symmetry == Symmetry::SkewSymmetric);
    }
    let entries = values(&places, symmetry, || value(trial));
    let Some(matrix) = trial.expect("matrix", matrix(&places, &entries)) else {
        return;
    };
    let mut file = Vec::new();
    let comment = if trial.below(2) == 0 {
        ""
    } else {
        "a comment\n1 1 1"
    };
    let done = matrix_market::write(&mut file, &matrix, symmetry, comment);
    if trial.expect("file", done).is_none() {
        return;
    }
    let text = String::from_utf8(file).unwrap_or_default();
    let Some((rows, columns, found)) = parse::<E>(&text) else {
        return trial.fail(format!(
            "no Matrix Market file: {}",
            text.lines().next().unwrap_or("")
        ));
    };
    trial.check("shape", (rows, columns) == (places.rows, places.columns));
    let given = places.all.iter().zip(&entries);
    let given: Vec<_> = given.map(|(&(i, j), &x)| (i as u32, j as u32, x)).collect();
    trial.compare(&format!("{symmetry} entries"), &found, &given);
}

/// The number of a text by GMP's fractions: whole digits, a fraction, an exponent.
fn decimal(trial: &mut Trial) -> (String, f64) {
    let digits = 1 + trial.below(20);
    let limbs = trial.limbs(2);
    let whole = Integer::from_digits(&limbs, Order::Lsf)
        % Integer::from(Integer::u_pow_u(10, digits as u32));
    let places = trial.below(12) as u32;
    let exponent = trial.below(30) as i32 - 15;
    let negative = trial.below(2) == 0;
    let mut text = format!("{whole:0>width$}", width = places as usize + 1);
    text.insert(text.len() - places as usize, '.');
    let power = exponent - places as i32;
    let ten = Integer::from(Integer::u_pow_u(10, power.unsigned_abs()));
    let value = match power < 0 {
        true => rug::Rational::from((whole, ten)),
        false => rug::Rational::from(whole * ten),
    };
    if negative {
        text.insert(0, '-');
    }
    let _ = write!(
        text,
        "{}{exponent}",
        if trial.below(2) == 0 { 'e' } else { 'E' }
    );
    // The nearest double: the correction of what truncation gives.
    let value = nearest(&value);
    (text, if negative { -value } else { value })
}

/// The double nearest to a fraction that is not negative, ties to even.
fn nearest(value: &rug::Rational) -> f64 {
    let low = value.to_f64();
    let high = low.next_up();
    let exact = |x: f64| rug::Rational::from_f64(x).unwrap_or_default();
    let (below, above) = (value.clone() - exact(low), exact(high) - value.clone());
    match below.cmp(&above) {
        std::cmp::Ordering::Less => low,
        std::cmp::Ordering::Greater => high,
        std::cmp::Ordering::Equal if low.to_bits().is_multiple_of(2) => low,
        std::cmp::Ordering::Equal => high,
    }
}

/// Entries in any order, some places twice, on either side of the diagonal of a symmetric matrix or on both, comments and
/// blank lines between them, and texts of several forms.
fn read(trial: &mut Trial) {
    let symmetry = some_symmetry(trial);
    let integers = trial.below(2) == 0;
    let mut places = places_of(trial, (30, 100));
    if symmetry != Symmetry::General {
        symmetric(&mut places, symmetry == Symmetry::SkewSymmetric);
        places.all.retain(|&(i, j)| i >= j);
    }
    let kind = if integers { "integer" } else { "real" };
    let mut body = String::new();
    let mut exact: Vec<(u32, u32, Integer)> = Vec::new();
    let mut near: Vec<(u32, u32, f64)> = Vec::new();
    let mut count = 0;
    let mut order = places.all.clone();
    for last in (1..order.len()).rev() {
        order.swap(last, trial.below(last + 1));
    }
    for (i, j) in order {
        let times = if integers && trial.below(8) == 0 {
            2
        } else {
            1
        };
        let mut sum = Integer::new();
        let sides: &[bool] = match symmetry != Symmetry::General && i != j {
            true => trial.pick::<&[bool]>(&[&[false], &[true], &[false, true]]),
            false => &[false],
        };
        let turned = |text: &str| match (text.strip_prefix('-'), symmetry) {
            (Some(rest), Symmetry::SkewSymmetric) => rest.to_owned(),
            (None, Symmetry::SkewSymmetric) => format!("-{text}"),
            _ => text.to_owned(),
        };
        for _ in 0..times {
            let gap = *trial.pick(&[" ", "\t", "  "]);
            let text = if integers {
                let limbs = trial.length(2, 6);
                let value = Integer::from_digits(&trial.limbs(limbs), Order::Lsf);
                let value = if trial.below(2) == 0 { -value } else { value };
                let text = value.to_string();
                sum += value;
                text
            } else {
                let (text, value) = decimal(trial);
                near.push((i as u32, j as u32, value));
                text
            };
            for &is_above in sides {
                let _ = match is_above {
                    false => writeln!(body, "{}{gap}{}{gap}{text}", i + 1, j + 1),
                    true => writeln!(body, "{}{gap}{}{gap}{}", j + 1, i + 1, turned(&text)),
                };
                count += 1;
            }
        }
        exact.push((i as u32, j as u32, sum));
        match trial.below(16) {
            0 => body.push_str("% a comment\n"),
            1 => body.push('\n'),
            _ => {}
        }
    }
    let text = format!(
        "%%MatrixMarket matrix coordinate {kind} {symmetry}\n% written by hand\n{} {} {count}\n{body}",
        places.rows, places.columns
    );
    let mirrored = |i: u32, j: u32| symmetry != Symmetry::General && i != j;
    let skew = symmetry == Symmetry::SkewSymmetric;
    if integers {
        // Dense: the library's integers have no sparse matrices.
        let found = matrix_market::read_dense(text.as_bytes(), &Integers);
        let Some(found) = trial.expect("file", found) else {
            return;
        };
        let mut theirs = vec![Integer::new(); places.rows * places.columns];
        for (i, j, value) in exact {
            if mirrored(i, j) {
                let value = if skew { -value.clone() } else { value.clone() };
                theirs[j as usize * places.columns + i as usize] = value;
            }
            theirs[i as usize * places.columns + j as usize] = value;
        }
        let ours: Vec<Integer> = found.entries().iter().map(Integer::from).collect();
        trial.compare(&format!("{symmetry} integers"), &ours, &theirs);
    } else if let Some(found) = trial.expect("file", matrix_market::read(text.as_bytes(), &Reals)) {
        let mirrors = near.iter().filter(|&&(i, j, _)| mirrored(i, j));
        let mirrors = mirrors.map(|&(i, j, x)| (j, i, if skew { -x } else { x }));
        let mirrors: Vec<_> = mirrors.collect();
        near.extend(mirrors);
        near.sort_by_key(|&(i, j, _)| (i, j));
        trial.check(
            "shape",
            (found.rows(), found.columns()) == (places.rows, places.columns),
        );
        trial.compare(
            &format!("{symmetry} numbers"),
            &found.iter().collect::<Vec<_>>(),
            &near,
        );
    }
}

/// Arrays, column by column.
fn dense(trial: &mut Trial) {
    let [rows, columns] = [(); 2].map(|()| trial.length(8, 30));
    let entries: Vec<Integer> = (0..rows * columns)
        .map(|_| {
            let limbs = trial.length(2, 6);
            let value = Integer::from_digits(&trial.limbs(limbs), Order::Lsf);
            if trial.below(2) == 0 { -value } else { value }
        })
        .collect();
    let mut text = format!("%%MatrixMarket matrix array integer general\n{rows} {columns}\n");
    for j in 0..columns {
        for i in 0..rows {
            let _ = writeln!(text, "{}", entries[i * columns + j]);
        }
    }
    let found = matrix_market::read_dense(text.as_bytes(), &Integers);
    if let Some(found) = trial.expect("file", found) {
        trial.check("shape", (found.rows(), found.columns()) == (rows, columns));
        let ours: Vec<Integer> = found.entries().iter().map(Integer::from).collect();
        trial.compare("array", &ours, &entries);
    }
    let integers = entries.iter().map(sunzi_integer::Integer::from).collect();
    let Some(matrix) = trial.expect("matrix", DenseMatrix::new(rows, columns, integers)) else {
        return;
    };
    let mut file = Vec::new();
    let done = matrix_market::write_dense(&mut file, &matrix, Symmetry::General, "");
    if trial.expect("file", done).is_some() {
        // But for blanks at their beginnings, the lines are those that were written here.
        let found = String::from_utf8(file).unwrap_or_default();
        let lines = |text: &str| -> Vec<String> {
            text.lines()
                .map(|line| line.trim_start().to_owned())
                .collect()
        };
        trial.compare("lines", &lines(&found), &lines(&text));
    }
}
