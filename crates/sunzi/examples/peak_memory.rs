//! How much memory products take: `cargo run --release -p sunzi --example peak_memory`.
//!
//! For each case, a process of its own computes one product and reads from `/proc/self/status`
//! (Linux) the most memory that it ever held. Prints the case, the bytes of operands and product
//! together, the peak, and its ratio to them; fails where that exceeds [`LIMIT`].

use std::error::Error;
use std::process::Command;
use sunzi::field::{Fp32, Fp64};
use sunzi::integer::Multiplier;
use sunzi::poly::{FlatPoly, IntegerPolyRing, Poly, PolyRing};

/// Times the bytes of operands and product.
const LIMIT: f64 = 8.0;
/// Memory of the process without a product: the program itself and its stacks.
const PROGRAM: usize = 8 << 20;

type Case = (
    &'static str,
    fn(usize, usize) -> Result<usize, Box<dyn Error>>,
);
const SQUARES: &str = "squares of integers";
const CASES: [Case; 6] = [
    ("integers", integers),
    (SQUARES, squares),
    ("modulo 469762049", modulo_transform_prime),
    ("modulo 2^31-19", modulo_short_prime),
    ("modulo 2^62-57", modulo_long_prime),
    ("Z[x], 64-bit coefficients", over_integers),
];
/// Limbs or coefficients of the operands: just above a power of two transforms are at their worst.
const SIZES: [(usize, usize); 6] = [
    (1 << 20, 1 << 20),
    ((1 << 20) + 1, (1 << 20) + 1),
    (3 << 19, 3 << 19),
    ((1 << 22) + 1, (1 << 22) + 1),
    ((1 << 22) + 1, 1 << 19),
    ((1 << 22) + 1, 1 << 12),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [case, long, short] = &arguments[..] {
        let (_, run) = CASES[case.parse::<usize>()?];
        let bytes = run(long.parse()?, short.parse()?)?;
        println!("{bytes} {}", peak()?);
        return Ok(());
    }
    let mut worst: f64 = 0.0;
    for (index, (name, _)) in CASES.iter().enumerate() {
        for (long, short) in SIZES {
            if *name == SQUARES && long != short {
                continue;
            }
            let output = Command::new(std::env::current_exe()?)
                .args([index, long, short].map(|number| number.to_string()))
                .output()?;
            let text = String::from_utf8(output.stdout)?;
            let mut figures = text.split_whitespace().map(str::parse::<usize>);
            let (Some(bytes), Some(peak)) = (figures.next(), figures.next()) else {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            };
            let (bytes, peak) = (bytes?, peak?);
            let ratio = peak.saturating_sub(PROGRAM) as f64 / bytes as f64;
            worst = worst.max(ratio);
            println!("{name}\t{long} × {short}\t{bytes}\t{peak}\t{ratio:.2}");
        }
    }
    println!("worst\t{worst:.2}");
    if worst > LIMIT {
        return Err(
            format!("a product took more than {LIMIT} times its operands and result").into(),
        );
    }
    Ok(())
}

/// The most bytes that this process ever held.
fn peak() -> Result<usize, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next());
    Ok(kibibytes
        .ok_or("no VmHWM in /proc/self/status")?
        .parse::<usize>()?
        << 10)
}

/// Numbers without a pattern.
fn words(count: usize, seed: u64) -> impl Iterator<Item = u64> {
    (0..count as u64).map(move |i| {
        (i + seed)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

fn integers(long: usize, short: usize) -> Result<usize, Box<dyn Error>> {
    let (a, b): (Vec<u64>, Vec<u64>) = (words(long, 1).collect(), words(short, 2).collect());
    let mut product = vec![0; long + short];
    Multiplier::new().mul(&mut product, &a, &b);
    Ok(8 * (a.len() + b.len() + product.len()))
}

fn squares(long: usize, _short: usize) -> Result<usize, Box<dyn Error>> {
    let a: Vec<u64> = words(long, 1).collect();
    let mut product = vec![0; 2 * long];
    Multiplier::new().sqr(&mut product, &a);
    Ok(8 * (a.len() + product.len()))
}

fn modulo_transform_prime(long: usize, short: usize) -> Result<usize, Box<dyn Error>> {
    modulo32(469_762_049, long, short)
}

fn modulo_short_prime(long: usize, short: usize) -> Result<usize, Box<dyn Error>> {
    modulo32((1 << 31) - 19, long, short)
}

fn modulo32(p: u32, long: usize, short: usize) -> Result<usize, Box<dyn Error>> {
    let ring = PolyRing::new(Fp32::new(p)?);
    let polynomial = |count, seed| {
        let residues = words(count, seed).map(|word| (word % u64::from(p)) as u32);
        Poly::new(residues.collect())
    };
    let (a, b) = (polynomial(long, 1), polynomial(short, 2));
    let product = ring.mul(&a, &b);
    Ok(4 * (long + short + product.coefficients().len()))
}

fn modulo_long_prime(long: usize, short: usize) -> Result<usize, Box<dyn Error>> {
    let p = (1 << 62) - 57;
    let ring = PolyRing::new(Fp64::new(p)?);
    let polynomial = |count, seed| Poly::new(words(count, seed).map(|word| word % p).collect());
    let (a, b) = (polynomial(long, 1), polynomial(short, 2));
    let product = ring.mul(&a, &b);
    Ok(8 * (long + short + product.coefficients().len()))
}

fn over_integers(long: usize, short: usize) -> Result<usize, Box<dyn Error>> {
    let (a, b) = (words(long, 1).collect(), words(short, 2).collect());
    let (a, b) = (FlatPoly::from_limbs(1, a)?, FlatPoly::from_limbs(1, b)?);
    let mut product = FlatPoly::default();
    IntegerPolyRing::new().mul_flat(&mut product, &a, &b)?;
    Ok(8 * (long + short + product.limbs().len()))
}
