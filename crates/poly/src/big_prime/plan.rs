//! Which algorithm runs for a product over a field modulo r^K + 1, and why.

use sunzi_dft::internals::{Cover, Lengths};
use sunzi_field::GeneralizedFermat;

use crate::error::PolyError;
use crate::karatsuba;
use crate::plan::{Algorithm, Plan, Reason};
use crate::scalar::integer_bytes;
use crate::thresholds::Thresholds;

/// Built-in thresholds for fields with this number of digits, with or without vectors of elements: where the lines of the
/// times of all methods against the length cross, which `sunzi-figures big-prime-crossover` prints.
pub(super) const fn built_in(digits: usize, vectors: bool) -> Thresholds {
    // Transforms of two digits have no vectors either.
    let (ntt, ntt_long, over_integers) = match digits {
        _ if !vectors => (28, 28, 48),
        2 => (28, 28, 112),
        4 => (10, 5, 64),
        8 => (12, 5, 64),
        _ => (14, 5, 64),
    };
    Thresholds {
        ntt,
        ntt_long,
        karatsuba: 24,
        over_integers,
        leaf_log: 4,
    }
}

/// What decides which algorithm runs over a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Planner {
    lengths: Lengths,
    thresholds: Thresholds,
}

impl Planner {
    pub(super) fn new<const K: usize>(
        field: &GeneralizedFermat<K>,
        thresholds: Thresholds,
    ) -> Self {
        Self {
            lengths: Lengths::of(field),
            thresholds,
        }
    }

    /// The plan of the fastest algorithm.
    pub(super) fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        let (algorithm, reason) = self.choose(len_a, len_b);
        self.with(algorithm, reason, len_a, len_b)
    }

    /// The plan of the named algorithm.
    pub(super) fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, PolyError> {
        let available = match algorithm {
            Algorithm::Schoolbook | Algorithm::Karatsuba | Algorithm::Kronecker => true,
            Algorithm::Ntt => len_a.min(len_b) == 0 || self.cover(len_a, len_b).is_some(),
            Algorithm::CrtNtt => false,
        };
        match available {
            true => Ok(self.with(algorithm, Reason::Asked, len_a, len_b)),
            false => Err(self.unavailable(algorithm, len_a, len_b)),
        }
    }

    fn with(&self, algorithm: Algorithm, reason: Reason, len_a: usize, len_b: usize) -> Plan {
        Plan {
            len_a,
            len_b,
            algorithm,
            reason,
            scratch_bytes: self.scratch_bytes(algorithm, len_a, len_b),
        }
    }

    fn choose(&self, len_a: usize, len_b: usize) -> (Algorithm, Reason) {
        let (short, long) = (len_a.min(len_b), len_a.max(len_b));
        if short == 0 {
            return (Algorithm::Schoolbook, Reason::NoTerms);
        }
        let from = |threshold| Reason::From { threshold };
        let below = |threshold| Reason::Below { threshold };
        let ntt = self.thresholds.ntt_for(long);
        let (karatsuba, kronecker) = (self.thresholds.karatsuba, self.thresholds.over_integers);
        let vectors = self.lengths.vectors;
        if self.cover(len_a, len_b).is_some() && (vectors || short < kronecker) {
            return match short < ntt {
                true => (Algorithm::Schoolbook, below(ntt)),
                false => (Algorithm::Ntt, from(ntt)),
            };
        }
        if short < karatsuba.min(kronecker) {
            (Algorithm::Schoolbook, below(karatsuba.min(kronecker)))
        } else if short < kronecker {
            (Algorithm::Karatsuba, from(karatsuba))
        } else {
            (Algorithm::Kronecker, from(kronecker))
        }
    }

    /// Memory that an algorithm takes beside operands and product, in bytes.
    fn scratch_bytes(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> u64 {
        let (short, digits) = (len_a.min(len_b), self.lengths.digits);
        match algorithm {
            _ if short == 0 => 0,
            Algorithm::Schoolbook | Algorithm::CrtNtt => 0,
            Algorithm::Karatsuba => {
                karatsuba::scratch_bytes(short, self.karatsuba_base(), 8 * digits)
            }
            Algorithm::Ntt => self
                .cover(len_a, len_b)
                .map_or(0, |cover| cover.scratch_bytes(digits)),
            Algorithm::Kronecker => integer_bytes(digits, len_a, len_b),
        }
    }

    /// The lengths that transforms have.
    pub(super) const fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// The transforms that give a product, if the field has long enough ones.
    pub(super) fn cover(&self, len_a: usize, len_b: usize) -> Option<Cover> {
        self.lengths.cover(len_a, len_b)
    }

    /// The transforms that win at the end of Karatsuba's recursion.
    pub(super) fn base_cover(&self, len: usize) -> Option<Cover> {
        self.cover(len, len).filter(|_| len >= self.thresholds.ntt)
    }

    /// The longest operands with which Karatsuba's recursion ends: those below its threshold, or as long
    /// as transforms reach.
    pub(super) fn karatsuba_base(&self) -> usize {
        let transform = self.lengths.max_points / 2;
        let schoolbook = self.thresholds.karatsuba.saturating_sub(1).max(1);
        match transform >= self.thresholds.ntt {
            true => transform.max(schoolbook),
            false => schoolbook,
        }
    }

    /// Why an algorithm cannot do a product.
    pub(super) fn unavailable(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> PolyError {
        PolyError::Unavailable {
            algorithm,
            len_a,
            len_b,
            reason: match algorithm {
                Algorithm::Ntt => format!(
                    "the longest transform modulo p has 2^{} points, which does for up to {} coefficients of \
                     the shorter operand: name karatsuba or kronecker, or choose a prime with a greater \
                     power of two in p − 1",
                    self.lengths.max_points.ilog2(),
                    self.lengths.max_points / 2
                )
                .into(),
                _ => "it is for word-size primes: name plain, karatsuba, ntt or kronecker".into(),
            },
        }
    }
}
