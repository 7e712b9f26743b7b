//! What proves an answer right, without the program: known text, a sentence, or a property.

use crate::inputs::circle;
use rug::ops::Pow as _;
use rug::{Integer, Rational};

/// How an answer is known to be right.
#[derive(Clone, Copy, Debug)]
pub enum Right {
    /// All that is printed.
    Prints(&'static str),
    /// How it begins: the number of solutions.
    Begins(&'static str),
    /// Part of the sentence that says why it is refused, with an exit code of 1 or 2.
    Refused(&'static str),
    /// A property of all that is printed, and its name.
    Holds(&'static str, fn(&str) -> bool),
}

impl Right {
    /// What is said of it in a table.
    pub fn name(self) -> String {
        match self {
            Self::Prints(text) if text.len() <= 24 && text.trim().lines().count() == 1 => {
                format!("`{}`", text.trim())
            }
            Self::Prints(_) => "known text".into(),
            Self::Begins(text) => format!("`{}`", text.lines().next().unwrap_or_default()),
            Self::Refused(sentence) => format!("refused: “{sentence}”"),
            Self::Holds(name, _) => name.into(),
        }
    }

    /// What is wrong with an answer.
    pub fn judge(self, code: i32, stdout: &str, stderr: &str) -> Result<(), String> {
        let wrong = || {
            let start: String = stdout.chars().take(200).collect();
            Err(format!("exit {code}, `{start}`, `{}`", stderr.trim()))
        };
        let is_right = match self {
            Self::Refused(sentence) => matches!(code, 1 | 2) && stderr.contains(sentence),
            _ if code != 0 => false,
            Self::Prints(text) => stdout == text,
            Self::Begins(text) => stdout.starts_with(text),
            Self::Holds(_, holds) => holds(stdout),
        };
        if is_right { Ok(()) } else { wrong() }
    }
}

/// 2^61 − 1, modulo which long numbers are compared.
const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = times(result, base, modulus);
        }
        base = times(base, base, modulus);
        exponent /= 2;
    }
    result
}

/// One line of decimal digits, modulo 2^61 − 1; 2^61 − 1 itself if it is anything else.
fn residue(line: &str) -> u64 {
    let digits = line.strip_suffix('\n').unwrap_or(line).as_bytes();
    let mut sum = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return PRIME;
        }
        sum = times(sum, 10, PRIME) + u64::from(digit - b'0');
    }
    sum % PRIME
}

/// 16^n − 1.
fn ones(n: u64) -> u64 {
    (1 << (4 * n % 61)) - 1
}

pub fn seven_times_ones(text: &str) -> bool {
    residue(text) == times(7, ones(160_000_000), PRIME)
}

pub fn ones_by_ones(text: &str) -> bool {
    residue(text) == times(ones(10_000_000), ones(9_999_999), PRIME)
}

pub fn power_of_ten(text: &str) -> bool {
    text.strip_prefix('1').is_some_and(|zeros| {
        zeros.len() == 20_000_001 && zeros.trim_end_matches('\n').bytes().all(|b| b == b'0')
    })
}

pub fn forty_nines(text: &str) -> bool {
    text == "49\n".repeat(5_000_000)
}

/// c^20000 + 1 for c = 12345678901234567890.
pub fn value_of_a_binomial(text: &str) -> bool {
    residue(text) == power(12_345_678_901_234_567_890 % PRIME, 20_000, PRIME) + 1
}

/// 2^1000 − 1.
pub fn mersenne_number(text: &str) -> bool {
    text.trim() == (Integer::from(2).pow(1000) - 1_u32).to_string()
}

/// Lines that grow in number, as decimals without a sign.
fn ascend(text: &str, lines: usize) -> bool {
    let mut before = (0, "");
    text.lines().count() == lines
        && text.lines().all(|line| {
            let now = (line.len(), line);
            std::mem::replace(&mut before, now) <= now
        })
}

pub fn million_and_one_ascend(text: &str) -> bool {
    ascend(text, 1_000_001)
}

pub fn twenty_thousand_ascend(text: &str) -> bool {
    ascend(text, 20_000)
}

/// Lines of positions of ones, ascending by value.
pub fn positions_ascend(text: &str) -> bool {
    let mut before: Vec<u64> = Vec::new();
    text.lines().count() == 300_000
        && text.lines().all(|line| {
            let mut now: Vec<u64> = line
                .split(' ')
                .map_while(|word| word.parse().ok())
                .collect();
            now.sort_unstable_by(|a, b| b.cmp(a));
            let ascends = before <= now;
            before = now;
            ascends
        })
}

/// x^20000000 − 1, modulo 469762049.
pub fn binomial_of_twenty_million(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    words.next() == Some("469762048")
        && words.by_ref().take(19_999_999).all(|word| word == "0")
        && words.next() == Some("1")
        && words.next().is_none()
}

/// x^27 − x, modulo 3.
pub fn field_of_27(text: &str) -> bool {
    text == format!("0 2{} 1\n", " 0".repeat(25))
}

pub fn integers_to_500(text: &str) -> bool {
    let mut lines = text.lines();
    let head = lines.next() == Some("# 500 real roots");
    head && lines.eq((1..=500).map(|i| format!("{i} 1")))
}

/// cos((2k + 1)·π/1000), to doubles.
pub fn cosines(text: &str) -> bool {
    let mut lines = text.lines();
    let head = lines.next() == Some("# 500 real roots");
    let roots: Vec<f64> = lines
        .filter_map(|line| line.split(' ').next()?.parse().ok())
        .collect();
    let expected = |k: usize| -(std::f64::consts::PI * (2 * k + 1) as f64 / 1000.0).cos();
    let near = |(k, root): (usize, &f64)| (root - expected(k)).abs() < 1e-14;
    head && roots.len() == 500 && roots.iter().enumerate().all(near)
}

/// √2 and its negative, to 20,000 digits.
pub fn root_of_two(text: &str) -> bool {
    let root = Integer::from(2) * Integer::from(10).pow(2 * 19_999);
    let root = root.sqrt();
    let digits = |line: &str| -> Option<Integer> {
        let number = line.strip_suffix(" 1")?.replace(['.', '-'], "");
        number.parse().ok()
    };
    let near = |line: &str| digits(line).is_some_and(|found| (found - &root).abs() <= 1);
    text.lines().count() == 3 && text.lines().skip(1).all(near)
}

/// Σ 7^i over i < 300000, modulo 469762049, as often.
pub fn equal_values(text: &str) -> bool {
    let p = 469_762_049;
    let value = times(power(7, 300_000, p) + p - 1, power(6, p - 2, p), p);
    text == format!("{value}\n").repeat(300_000)
}

/// Of x_i = i: X_0 = N·(N − 1)/2, and N/X_j + 1 are the powers of the root.
pub fn powers_of_a_root(text: &str) -> bool {
    let (p, n) = (1_000_919, 500_459);
    let values: Vec<u64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    let power_of = |x: u64| (times(n, power(x, p - 2, p), p) + 1) % p;
    let Some(&[sum, first, ..]) = values.first_chunk::<2>().map(|pair| &pair[..]) else {
        return false;
    };
    let root = power_of(first);
    let mut expected = 1;
    let holds = values[1..].iter().all(|&x| {
        expected = times(expected, root, p);
        power_of(x) == expected
    });
    values.len() as u64 == n && sum == n * (n - 1) / 2 % p && expected != 1 && holds
}

/// c_n^4/c_2n for n = 150, c_n = ∏ i! over i < n.
pub fn hilbert_determinant(text: &str) -> bool {
    let product = |n: u32| -> Integer {
        let mut factorial = Integer::from(1);
        let mut product = Integer::from(1);
        for i in 1..n {
            factorial *= i;
            product *= &factorial;
        }
        product
    };
    let expected = Rational::from((product(150).pow(4), product(300)));
    text.trim() == expected.to_string()
}

/// 100·10^10000 + 101: that of −1, 2, −1 of order 100, with another corner.
pub fn corner_determinant(text: &str) -> bool {
    text.trim() == (Integer::from(10).pow(10_002) + 101_u32).to_string()
}

/// The first row of the inverse of ones with twos above: 1, −2, 2, −2 …
pub fn alternating_twos(text: &str) -> bool {
    let expected = |j: usize| match j {
        0 => "1",
        j if j % 2 == 1 => "-2",
        _ => "2",
    };
    let first = text.lines().next().unwrap_or_default();
    text.lines().count() == 200 && first.split(' ').eq((0..200).map(expected))
}

/// Two circles have two real points in common if their centres' squared distance d and squared radii r, s have
/// (d − r − s)² < 4rs; finite points are two of any pair. Where several pairs meet in one point, that counts as often.
pub fn circles_meet(text: &str) -> bool {
    let of = |shift| (0..10).map(move |i| circle(i, shift));
    let pairs = of(1).flat_map(|one| of(2).map(move |other| (one, other)));
    let meet = |&([x, y, r], [u, v, s]): &([i64; 3], [i64; 3])| {
        let d = (x - u).pow(2) + (y - v).pow(2);
        (d - r - s).pow(2) < 4 * r * s
    };
    let points = 2 * pairs.filter(meet).count();
    let mut lines = text.lines();
    let head = lines.next();
    let multiplicities: Vec<usize> = lines
        .filter_map(|line| line.rsplit(' ').next()?.parse().ok())
        .collect();
    let told = format!(
        "# {} real solutions of 200 (complex, with multiplicity)",
        multiplicities.len()
    );
    head == Some(&told) && multiplicities.iter().sum::<usize>() == points
}

pub fn four_hundred_points(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|head| head.ends_with(" of 400 (complex, with multiplicity)"))
}

/// Of (x − 1)(x − 2)(x − 3)(y² − x) and (x − 1)(x − 2)(x + y).
pub fn points_beside_lines(text: &str) -> bool {
    text.lines().eq([
        "# common curve: x^2 - 3*x + 2",
        "# of the system without it: 3 real solutions of 3 (complex, with multiplicity)",
        "0 0 1",
        "1 -1 1 # on the common curve",
        "3 -3 1",
    ])
}

pub fn two_points_near_one(text: &str) -> bool {
    let mut lines = text.lines();
    let near = |line: &str| {
        let words: Vec<f64> = line
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        matches!(words[..], [x, y, 1.0] if (x - 1.0).abs() < 1e-15 && (y - 1.0).abs() < 1e-15)
    };
    let head = "# 2 real solutions of 2 (complex, with multiplicity), with up to 40 digits, which tell them apart";
    lines.next() == Some(head) && lines.clone().count() == 2 && lines.all(near)
}

/// The entries of a Matrix Market file that was written.
fn places(text: &str) -> impl Iterator<Item = [i64; 2]> {
    let data = text.lines().filter(|line| !line.starts_with('%')).skip(1);
    data.filter_map(|line| {
        let mut words = line.split(' ').map(str::parse);
        Some([words.next()?.ok()?, words.next()?.ok()?])
    })
}

/// A path in order: beside the diagonal.
pub fn path_in_order(text: &str) -> bool {
    places(text).count() == 2 * 199_999 && places(text).all(|[i, j]| (i - j).abs() == 1)
}

/// Each node of two beside the other one.
pub fn pairs_in_order(text: &str) -> bool {
    places(text).count() == 400_000 && places(text).all(|[i, j]| (i - j).abs() == 1)
}

pub fn star_kept(text: &str) -> bool {
    places(text).count() == 2 * 199_999
}

pub fn two_entries_kept(text: &str) -> bool {
    places(text).count() == 2
}
