//! Resultants and subresultants over Z, as solving needs them.

use sunzi_integer::Integer;

use sunzi_poly::{BivariatePoly, ChainOptions, Poly, PolyError, resultant_y, subresultant_y};
use sunzi_rns::Known;

/// How many primes were used for everything so far, and whether all of it is proved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) primes: usize,
    pub(super) dropped: usize,
    pub(super) proved: bool,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            primes: 0,
            dropped: 0,
            proved: true,
        }
    }

    /// What is known, counted.
    pub(super) fn count<T>(&mut self, known: Known<T>) -> T {
        self.primes += known.primes;
        self.dropped += known.dropped;
        self.proved &= known.proved;
        known.value
    }
}

/// The resultant of two polynomials in u, and some of their subresultants.
pub(super) struct Chain {
    pub(super) resultant: Poly<Integer>,
    /// S_k by k, ascending.
    pub(super) subresultants: Vec<(usize, BivariatePoly<Integer>)>,
}

/// The resultant and the subresultants S_k for the k that are less than both degrees in u.
pub(super) fn chain(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    needed: &[usize],
    how: ChainOptions,
) -> Result<Known<Chain>, PolyError> {
    let degree = f.degree_y().min(g.degree_y()).unwrap_or(0);
    let mut wanted = vec![0];
    wanted.extend(needed.iter().filter(|&&k| k < degree));
    let known = subresultant_y(f, g, &wanted, how)?;
    Ok(known.map(|found| {
        let mut found = found.into_iter();
        let resultant = found.next().and_then(|s| s.into_rows().into_iter().next());
        Chain {
            resultant: resultant.unwrap_or_default(),
            subresultants: wanted[1..].iter().copied().zip(found).collect(),
        }
    }))
}

/// A polynomial in the first variable that vanishes at the first coordinates of all common zeros, and is not 0 if there is no common
/// factor: the resultant, or one of the polynomials that has only this variable.
pub(super) fn eliminant(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    how: ChainOptions,
) -> Result<Known<Poly<Integer>>, PolyError> {
    let alone = [f, g].into_iter().find(|f| f.degree_y() == Some(0));
    if let Some(row) = alone.and_then(BivariatePoly::leading_row) {
        return Ok(Known::exactly(row.clone()));
    }
    resultant_y(f, g, how)
}
