//! Operands of traps: a few words say how each is made.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use sunzi_testkit::Random;

/// How a file is made.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// One line.
    Line(&'static str),
    /// A text so many times.
    Repeated(&'static str, usize),
    /// The same, compressed by gzip in members of 64 MiB, up to so many bytes.
    Compressed(&'static str, usize),
    Made(fn() -> String),
}

impl Input {
    pub fn write(self, path: &Path) {
        let bytes = match self {
            Self::Line(text) => format!("{text}\n").into_bytes(),
            Self::Repeated(text, times) => text.repeat(times).into_bytes(),
            Self::Compressed(text, bytes) => compressed(text, bytes),
            Self::Made(make) => make().into_bytes(),
        };
        fs::write(path, bytes).unwrap();
    }
}

/// Bytes of a member before it is compressed.
const MEMBER: usize = 64 << 20;

fn compressed(text: &str, bytes: usize) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::fast());
    let piece = text.repeat((1 << 20) / text.len());
    for _ in 0..MEMBER / piece.len() {
        member.write_all(piece.as_bytes()).unwrap();
    }
    member.finish().unwrap().repeat(bytes / MEMBER)
}

/// Numbers from `first` on, one a line.
pub fn counted(first: u64, count: u64) -> String {
    (first..first + count).map(|i| format!("{i}\n")).collect()
}

/// (x − 1)·(x − 2) … (x − n), coefficient by coefficient.
pub fn wilkinson(n: u32) -> String {
    let mut f = vec![rug::Integer::from(1)];
    for root in 1..=n {
        f.insert(0, rug::Integer::new());
        for k in 0..f.len() - 1 {
            let term = rug::Integer::from(&f[k + 1] * root);
            f[k] -= term;
        }
    }
    line(&f)
}

/// Chebyshev's polynomial of degree n.
pub fn chebyshev(n: u32) -> String {
    let (mut before, mut f) = (vec![rug::Integer::from(1)], vec![0.into(), 1.into()]);
    for _ in 1..n {
        let mut next = vec![rug::Integer::new()];
        next.extend(f.iter().map(|c| rug::Integer::from(c * 2)));
        for (c, d) in next.iter_mut().zip(&before) {
            *c -= d;
        }
        before = std::mem::replace(&mut f, next);
    }
    line(&f)
}

fn line(numbers: &[rug::Integer]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(" ") + "\n"
}

/// A polynomial of so many coefficients of so many random hexadecimal digits.
pub fn random_coefficients(count: usize, digits: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut number = || -> String {
        let digit = |_| format!("{:x}", 1 + random.word() % 15);
        (0..digits).map(digit).collect()
    };
    let words: Vec<String> = (0..count).map(|_| format!("0x{}", number())).collect();
    words.join(" ") + "\n"
}

/// A square matrix, row by row.
pub fn matrix(n: usize, mut entry: impl FnMut(usize, usize) -> String) -> String {
    rectangle(n, n, &mut entry)
}

/// A matrix, row by row.
pub fn rectangle(
    rows: usize,
    columns: usize,
    mut entry: impl FnMut(usize, usize) -> String,
) -> String {
    let mut row = |i| -> String {
        let words: Vec<String> = (0..columns).map(|j| entry(i, j)).collect();
        words.join(" ") + "\n"
    };
    (0..rows).map(&mut row).collect()
}

/// L·U with ones on both diagonals and small random entries beside: of determinant 1, with a long inverse.
pub fn unimodular(n: usize) -> String {
    let mut random = Random::new(41);
    let mut triangle = || -> Vec<Vec<i64>> {
        let mut row = |i| {
            let mut entry = |j: usize| match j.cmp(&i) {
                std::cmp::Ordering::Less => (random.word() % 7) as i64 - 3,
                order => i64::from(order.is_eq()),
            };
            (0..n).map(&mut entry).collect()
        };
        (0..n).map(&mut row).collect()
    };
    // The second one stands for its transpose.
    let (lower, upper) = (triangle(), triangle());
    matrix(n, |i, j| {
        let sum: i64 = lower[i].iter().zip(&upper[j]).map(|(a, b)| a * b).sum();
        sum.to_string()
    })
}

/// A pattern in Matrix Market's format, from places counted from 1.
pub fn pattern(rows: usize, columns: usize, places: &[(usize, usize)]) -> String {
    let count = places.len();
    let head =
        format!("%%MatrixMarket matrix coordinate pattern general\n{rows} {columns} {count}\n");
    let lines = places.iter().map(|(i, j)| format!("{i} {j}\n"));
    head + &lines.collect::<String>()
}

/// Both places of each edge.
pub fn graph(n: usize, edges: impl Iterator<Item = (usize, usize)>) -> String {
    let places: Vec<(usize, usize)> = edges.flat_map(|(i, j)| [(i, j), (j, i)]).collect();
    pattern(n, n, &places)
}

/// A path through all n nodes, whose names are mixed up.
pub fn shuffled_path(n: usize) -> String {
    let mut random = Random::new(43);
    let mut names: Vec<usize> = (1..=n).collect();
    for i in (1..n).rev() {
        names.swap(i, (random.word() % (i as u64 + 1)) as usize);
    }
    graph(n, names.windows(2).map(|pair| (pair[0], pair[1])))
}

/// Centre and squared radius of a circle, with integers all.
pub fn circle(i: i64, shift: i64) -> [i64; 3] {
    [2 * i * shift, (i * i + shift) % 7, i + 2 + shift]
}

/// A product of ten circles.
pub fn circles(shift: i64) -> String {
    let factor = |i| {
        let [x, y, square] = circle(i, shift);
        format!("((x-{x})^2+(y-{y})^2-{square})")
    };
    let factors: Vec<String> = (0..10).map(factor).collect();
    factors.join("*") + "\n"
}

/// A sum of all terms of degree at most `degree`, with random coefficients of a byte.
pub fn dense_curve(degree: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut terms = String::new();
    for i in 0..=degree {
        for j in 0..=degree - i {
            let sign = if random.word().is_multiple_of(2) {
                '+'
            } else {
                '-'
            };
            let coefficient = 1 + random.word() % 255;
            terms.push_str(&format!("{sign}{coefficient}*x^{i}*y^{j}"));
        }
    }
    terms + "\n"
}
