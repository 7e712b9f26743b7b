//! Division, GCD, resultant, evaluation and interpolation of polynomials over word-size primes, against
//! FLINT.

mod division;
mod gcd;
mod points;

use crate::contender::{Case, Entrants, Group, Setup};
use crate::options::Options;

/// A modulus of the section.
#[derive(Clone, Copy)]
struct Prime {
    p: u64,
    name: &'static str,
}

/// One with room for transforms of every size here, one without, and one of nearly a whole word.
const PRIMES: [Prime; 3] = [
    Prime {
        p: 469_762_049,
        name: "469762049",
    },
    Prime {
        p: (1 << 31) - 1,
        name: "2^31-1",
    },
    Prime {
        p: (1 << 60) - (1 << 18) + 1,
        name: "2^60-2^18+1",
    },
];

/// The lengths of divisors, and the degrees of operands of a GCD.
const DECADES: [usize; 9] = [
    100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000,
];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = division::cases(options);
    cases.extend(gcd::cases(options));
    cases.extend(gcd::resultants(options));
    cases.extend(points::cases(options));
    cases
}

impl Prime {
    fn case(
        self,
        group: Group,
        name: &str,
        size: usize,
        entrants: impl Fn(Setup, u64) -> Entrants + Send + Sync + 'static,
    ) -> Case {
        Case {
            section: "poly",
            group,
            name: format!("{name}, mod {}", self.name),
            size: size as u64,
            build: Box::new(move |setup| entrants(setup, self.p)),
        }
    }
}

/// Those of the sizes that are no larger than was asked for.
fn up_to_largest(options: &Options, sizes: &[usize]) -> impl Iterator<Item = usize> {
    let largest = 1_usize.checked_shl(options.max_log).unwrap_or(usize::MAX);
    sizes.iter().copied().filter(move |&size| size <= largest)
}
