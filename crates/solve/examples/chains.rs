//! Times of common factors and regular chains for dense systems of two equations, the best of several runs:
//! `cargo run --release -p sunzi-solve --example chains`.

use std::time::Instant;
use sunzi_field::AnyField;
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, ChainOptions, Poly, bivariate_gcd, subresultant_y};
use sunzi_solve::{regular_chains, regular_chains_modulo};

const PRIME: u64 = 469_762_049;
const RUNS: usize = 3;

/// All terms of a total degree up to `degree`, with coefficients below 2^10 from the stream of `state`.
fn dense(degree: usize, state: &mut u64) -> BivariatePoly<Integer> {
    let mut coefficient = || {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        Integer::from((*state >> 53) as i64 - 1024)
    };
    let row = |j| Poly::new((0..=degree - j).map(|_| coefficient()).collect());
    BivariatePoly::new((0..=degree).map(row).collect())
}

fn best<E>(mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let field = AnyField::modulo_word(PRIME)?;
    println!(
        "milliseconds; degree: gcd = 1, chains modulo {PRIME}, S_0 and S_1 over Z, chains over Q"
    );
    for degree in [8, 12, 16, 20, 30] {
        let mut state = degree as u64;
        let [f, g] = [dense(degree, &mut state), dense(degree, &mut state)];
        let gcd = best(|| bivariate_gcd(&f, &g).map(drop))?;
        let modulo = best(|| regular_chains_modulo(&field, &f, &g).map(drop))?;
        let how = ChainOptions::new();
        let subresultants = best(|| subresultant_y(&f, &g, &[0, 1], how).map(drop))?;
        let rational = best(|| regular_chains(&f, &g, how).map(drop))?;
        println!("{degree}: {gcd:.3} {modulo:.3} {subresultants:.2} {rational:.2}");
    }
    Ok(())
}
