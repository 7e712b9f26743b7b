//! Images of greatest common divisors modulo many primes.
//!
//! **Algorithm.** Euclid's, a prime a lane. The quotients by the monic image follow from its leading coefficients and those of the
//! operands alone: q_k = f_(k + d) − Σ h_(d − j)·q_(k + j), sums of products with one reduction for many.

use super::euclid_lanes::Euclid;
use sunzi_integer::Integer;
use sunzi_machine::simd::{Simd, SimdTask, dispatch};
use sunzi_machine::threads::Threads;
use sunzi_rns::{Digits, MOST_LANES, PrimeLanes};

/// Products that are summed before a reduction: sums of products of canonical residues are then below 7p, and p more.
const SUMMED: usize = 28;

/// Two polynomials over Z that are not 0, and the greatest common divisor γ of their leading coefficients.
pub(super) struct GcdImages {
    f: Digits,
    g: Digits,
    common: Digits,
}

/// A greatest common divisor modulo one prime, and the quotients by it.
pub(super) struct GcdImage {
    pub(super) prime: u64,
    /// γ times the monic one.
    pub(super) gcd: Vec<u64>,
    /// The operands by the monic one, of as many coefficients as over Z; nothing if that is 1.
    pub(super) cofactors: [Vec<u64>; 2],
}

impl GcdImages {
    pub(super) fn new(f: &[Integer], g: &[Integer], common: &Integer) -> Self {
        Self {
            f: Digits::new(f),
            g: Digits::new(g),
            common: Digits::new([common]),
        }
    }

    /// The images modulo these primes; none where one divides γ, and where remainders have lesser degrees than modulo a prime
    /// nearby.
    pub(super) fn of(&self, primes: &[u64]) -> Vec<Option<GcdImage>> {
        let threads = Threads::when(primes.len() > MOST_LANES);
        let images = threads.map(primes.chunks(MOST_LANES), |primes| {
            dispatch(GcdLanes {
                images: self,
                primes,
            })
        });
        images.into_iter().flatten().collect()
    }
}

struct GcdLanes<'a> {
    images: &'a GcdImages,
    primes: &'a [u64],
}

impl<S: Simd> SimdTask<S> for GcdLanes<'_> {
    type Output = Vec<Option<GcdImage>>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<Option<GcdImage>> {
        let mut found = Vec::with_capacity(self.primes.len());
        for primes in self.primes.chunks(S::LANES) {
            let lanes = PrimeLanes::new(simd, primes);
            // One after the other, as closures may be compiled apart from the instruction set.
            let f = self.images.f.residues_in_form(simd, lanes);
            let g = self.images.g.residues_in_form(simd, lanes);
            let common = self.images.common.residues_in_form(simd, lanes)[0];
            let all = ((1u16 << primes.len()) - 1) as u8;
            let usable = all & simd.top_bits64(simd.less64(simd.splat64(0), common));
            let mut euclid = Euclid::new(simd, lanes, [f.clone(), g.clone()], usable);
            while euclid.step().is_some() {}
            let live = euclid.live();
            let mut gcd = euclid.a;
            let leading = gcd.last().copied().unwrap_or(common);
            let inverse = lanes.inverse(leading);
            for x in &mut gcd {
                *x = lanes.product(*x, inverse);
            }
            let cofactors = if gcd.len() > 1 {
                [
                    quotient(simd, lanes, &f, &gcd),
                    quotient(simd, lanes, &g, &gcd),
                ]
            } else {
                [Vec::new(), Vec::new()]
            };
            for x in &mut gcd {
                *x = lanes.product(*x, common);
            }
            let gcd = plain(simd, lanes, &gcd);
            let cofactors = [
                plain(simd, lanes, &cofactors[0]),
                plain(simd, lanes, &cofactors[1]),
            ];
            for (lane, &prime) in primes.iter().enumerate() {
                let column =
                    |rows: &[u64]| rows.iter().skip(lane).step_by(S::LANES).copied().collect();
                found.push((live >> lane & 1 == 1).then(|| GcdImage {
                    prime,
                    gcd: column(&gcd),
                    cofactors: [column(&cofactors[0]), column(&cofactors[1])],
                }));
            }
        }
        found
    }
}

/// The quotient of `f` by a monic divisor of degree 1 at least, all canonical in the form of products.
#[inline(always)]
fn quotient<S: Simd>(
    simd: S,
    lanes: PrimeLanes<S>,
    f: &[S::Vector],
    divisor: &[S::Vector],
) -> Vec<S::Vector> {
    let degree = divisor.len() - 1;
    let len = f.len() - degree;
    let mut quotient = vec![simd.splat64(0); len];
    for k in (0..len).rev() {
        let terms = degree.min(len - 1 - k);
        let mut coefficient = f[k + degree];
        // h_(d − 1), h_(d − 2), … meet q_(k + 1), q_(k + 2), …
        let above = quotient[k + 1..k + 1 + terms].chunks(SUMMED);
        for (above, below) in above.zip(divisor[degree - terms..degree].rchunks(SUMMED)) {
            let mut sum = lanes.sum();
            for (&q, &h) in above.iter().zip(below.iter().rev()) {
                sum = lanes.add_product(sum, q, h);
            }
            coefficient = lanes.sub(coefficient, lanes.canonical(lanes.reduce(sum)));
        }
        quotient[k] = coefficient;
    }
    quotient
}

/// Plain residues, a row of lanes each, of residues in the form of products.
#[inline(always)]
fn plain<S: Simd>(simd: S, lanes: PrimeLanes<S>, x: &[S::Vector]) -> Vec<u64> {
    let mut rows = vec![0; x.len() * S::LANES];
    for (row, &x) in rows.chunks_exact_mut(S::LANES).zip(x) {
        simd.store(row, lanes.product(x, simd.splat64(1)));
    }
    rows
}
