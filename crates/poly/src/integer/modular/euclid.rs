//! Images of resultants modulo many primes.

use super::euclid_lanes::Euclid;
use crate::{Poly, PolyError, PolyRing};
use sunzi_field::{Field, Fp64};
use sunzi_integer::Integer;
use sunzi_machine::{
    simd::{Simd, SimdTask, dispatch},
    threads::{Threads, Work},
};
use sunzi_rns::{Digits, Image, MOST_LANES, PrimeLanes};

/// Two polynomials over Z, neither constant.
pub(super) struct SylvesterImages<'a> {
    f: &'a [Integer],
    g: &'a [Integer],
    digits: [Digits; 2],
}

impl<'a> SylvesterImages<'a> {
    pub(super) fn new(f: &'a [Integer], g: &'a [Integer]) -> Self {
        let digits = [Digits::new(f), Digits::new(g)];
        Self { f, g, digits }
    }

    /// The resultants modulo these primes, which it counts, none for one that divides both leading coefficients.
    pub(super) fn resultants(&self, primes: &[u64], work: &Work) -> Result<Vec<Image>, PolyError> {
        let threads = Threads::when(primes.len() > MOST_LANES);
        let images = threads.try_map(primes.chunks(MOST_LANES), |primes| {
            let in_lanes = dispatch(ResultantLanes {
                images: self,
                primes,
            });
            let or_alone = |(found, &prime): (Option<u64>, &u64)| match found {
                Some(residue) => Ok(Some(vec![residue])),
                None => Ok(self.resultant(prime)?.map(|residue| vec![residue])),
            };
            let images = in_lanes.into_iter().zip(primes).map(or_alone);
            let images = images.collect::<Result<Vec<Image>, PolyError>>();
            work.done(primes.len() as u64);
            images
        })?;
        Ok(images.into_iter().flatten().collect())
    }

    /// The resultant modulo one prime: the determinant of the Sylvester matrix of the degrees over Z.
    fn resultant(&self, prime: u64) -> Result<Option<u64>, PolyError> {
        let field = Fp64::new(prime)?;
        let image = |f: &[Integer]| Poly::new(f.iter().map(|x| field.from_integer(x)).collect());
        let (f, g) = (image(self.f), image(self.g));
        let lost = [self.f.len() - f.len(), self.g.len() - g.len()];
        if lost.iter().all(|&lost| lost > 0) {
            return Ok(None);
        }
        let ring = PolyRing::new(field.clone());
        let mut value = ring.resultant(&f, &g)?;
        // Columns that begin with zeros: each leaves the leading coefficient of the other polynomial.
        let [lost_f, lost_g] = lost;
        let leading = |f: &Poly<u64>| f.coefficients().last().copied().unwrap_or(0);
        value = field.mul(value, field.pow(leading(&g), lost_f as u64));
        value = field.mul(value, field.pow(leading(&f), lost_g as u64));
        // The rows of g, all but those of the lesser degree, come before those of f.
        if lost_f % 2 == 1 && (self.g.len() - 1) % 2 == 1 {
            value = field.neg(value);
        }
        Ok(Some(value))
    }
}

/// The resultants modulo a few primes; none for those whose remainders have other degrees.
struct ResultantLanes<'a> {
    images: &'a SylvesterImages<'a>,
    primes: &'a [u64],
}

impl<S: Simd> SimdTask<S> for ResultantLanes<'_> {
    type Output = Vec<Option<u64>>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<Option<u64>> {
        let mut found = Vec::with_capacity(self.primes.len());
        for primes in self.primes.chunks(S::LANES) {
            let (residues, live) = resultants(simd, self.images, primes);
            found.extend(
                (0..primes.len()).map(|lane| (live >> lane & 1 == 1).then_some(residues[lane])),
            );
        }
        found
    }
}

/// The resultants modulo one prime a lane, and the lanes where they are right.
///
/// With r = s·(a mod b), deg r = d, s a power of the leading coefficient l of b, deg a = m and deg b = n,
/// res(a, b) = (−1)^(mn)·l^(m − d)·s^(−n)·res(b, r). The powers s^n of all steps are one product: of how many factors it is at
/// each degree, from the highest down.
#[inline(always)]
fn resultants<S: Simd>(
    simd: S,
    images: &SylvesterImages<'_>,
    primes: &[u64],
) -> ([u64; MOST_LANES], u8) {
    let lanes = PrimeLanes::new(simd, primes);
    // One after the other, as closures may be compiled apart from the instruction set.
    let mut operands = [
        images.digits[0].residues_in_form(simd, lanes),
        images.digits[1].residues_in_form(simd, lanes),
    ];
    let (m, n) = (images.f.len() - 1, images.g.len() - 1);
    let mut negative = false;
    if m < n {
        operands.swap(0, 1);
        negative = m % 2 == 1 && n % 2 == 1;
    }
    let all = ((1u16 << primes.len()) - 1) as u8;
    let mut euclid = Euclid::new(simd, lanes, operands, all);
    if euclid.a.len() != m.max(n) + 1 || euclid.b.len() != m.min(n) + 1 {
        return ([0; MOST_LANES], 0);
    }
    let (mut over, mut factors, mut under) = (lanes.one(), lanes.one(), lanes.one());
    while euclid.b.len() > 1 {
        let Some(step) = euclid.step() else { break };
        let Some(degree) = euclid.b.len().checked_sub(1) else {
            break;
        };
        negative ^= step.degree_a % 2 == 1 && step.degree_b % 2 == 1;
        over = lanes.product(
            over,
            lanes.pow(step.leading, (step.degree_a - degree) as u64),
        );
        factors = lanes.product(factors, step.factor);
        for _ in degree..step.degree_b {
            under = lanes.product(under, factors);
        }
    }
    let constant = euclid.b.first().copied().unwrap_or(simd.splat64(0));
    let last = lanes.pow(lanes.canonical(constant), euclid.a.len() as u64 - 1);
    let value = lanes.product(lanes.product(over, last), lanes.inverse(under));
    let mut value = lanes.product(value, simd.splat64(1));
    if negative {
        value = lanes.sub(simd.splat64(0), value);
    }
    (lanes.words(value), euclid.live())
}
