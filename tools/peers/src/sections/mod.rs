//! The cases, one file per kind of work.

mod batches;
mod big_primes;
mod determinants;
pub mod differential;
mod gfp_fft;
mod gfp_mul;
mod gfp_poly;
mod gfp_vs_crt;
mod integers;
mod matrices;
mod nmod;
mod ntt;
mod numbers;
mod orders;
mod plonky3;
mod poly;
mod solve;
mod sort;
mod threads;
mod zx;

use crate::contender::Case;
use crate::options::{Options, Section};

/// The cases of the sections asked for, in the table's order, less what `--only` leaves out.
pub fn cases(options: &Options) -> Vec<Case> {
    let wanted =
        |section| options.sections.contains(&section) || options.sections.contains(&Section::All);
    let mut cases = Vec::new();
    if wanted(Section::Ntt) {
        cases.extend(ntt::cases(options));
        cases.extend(plonky3::cases(options));
    }
    if wanted(Section::Products) {
        cases.extend(nmod::cases(options));
        cases.extend(zx::cases(options));
        cases.extend(integers::cases(options));
        cases.extend(batches::cases(options));
    }
    if wanted(Section::Numbers) {
        cases.extend(numbers::cases(options));
    }
    if wanted(Section::Poly) {
        cases.extend(poly::cases(options));
    }
    if wanted(Section::GfpMul) {
        cases.extend(gfp_mul::cases(options));
    }
    if wanted(Section::GfpFft) {
        cases.extend(gfp_fft::cases(options));
    }
    if wanted(Section::GfpPoly) {
        cases.extend(gfp_poly::cases(options));
    }
    if wanted(Section::GfpVsCrt) {
        cases.extend(gfp_vs_crt::cases(options));
    }
    if wanted(Section::Determinants) {
        cases.extend(determinants::cases(options));
    }
    if wanted(Section::Matrices) {
        cases.extend(matrices::cases(options));
    }
    if wanted(Section::Orders) {
        cases.extend(orders::cases());
    }
    if wanted(Section::Solve) {
        cases.extend(solve::cases(options));
    }
    if wanted(Section::Sort) {
        cases.extend(sort::cases(options));
    }
    if !options.peers_only {
        if wanted(Section::Threads) {
            cases.extend(threads::cases(options));
        } else if wanted(Section::GfpFft) && options.threads > 1 {
            cases.extend(threads::big_primes(options));
        }
    }
    cases.retain(|case| {
        let name = case.to_string();
        options.only.iter().all(|text| name.contains(text))
    });
    cases
}
