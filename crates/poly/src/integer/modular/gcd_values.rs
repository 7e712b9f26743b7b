//! Greatest common divisors by that of two values.
//!
//! **Algorithm** (B. Char, K. Geddes, G. Gonnet, *GCDHEU: heuristic polynomial GCD algorithm based on integer GCD computation*, 1989).
//! With ξ = 2^w above twice all coefficients, the values f(ξ) and g(ξ) are their coefficients side by side. γ = gcd(f(ξ), g(ξ)) is P(ξ) for
//! one polynomial P of coefficients of at most ξ/2; with c the content of P, h = P/c is the greatest common divisor
//! if it divides f and g: the common divisor is rarely h(ξ) times more than a few bits, and those are c.
//!
//! **Proof.** *It divides.* h(ξ) = γ/c divides f(ξ); the quotient is A(ξ) for an A as short. If no coefficient of h·A exceeds ξ/2,
//! h·A − f has coefficients below ξ and the zero ξ, so that it is 0: the lowest coefficient that is not 0 would be divisible by ξ. No
//! product is computed, but where the bound fails. *It is the greatest.* If not, it is h·q with deg q ≥ 1 times
//! an integer. (h·q)(ξ) divides γ = c·h(ξ), so q(ξ) divides c, which is at most ξ/2. But roots of q are roots of f, |z| < 1 + |f| (A. Cauchy,
//! 1829), |f| the largest coefficient; ξ ≥ 2·|f| + 2 leaves |q(ξ)| > ξ − 1 − |f| ≥ ξ/2. For contents of f and g this holds, too: the divisor is
//! h times the greatest common divisor of c and all coefficients of both.
//!
//! **Cost.** One greatest common divisor of integers of n·w bits and two quotients. If ξ proves nothing, as the coefficients of divisors are
//! longer than those of f or as the values share a long factor, a larger one is tried; then primes decide.

use super::cofactors::{GcdAndCofactors, divided, scaled};
use crate::bits::{WORD, bit_length};
use crate::integer::flat::{FlatPoly, widest};
use crate::integer::pack::{is_negative, pack, unpack};
use crate::{IntegerPolyRing, Poly};
use sunzi_integer::{Integer, Natural};
use sunzi_machine::threads::look;

/// How many powers of two are tried.
const TRIES: usize = 2;
/// Bits that coefficients have at least: more of them cost nothing in short operands.
const LEAST_WIDTH: usize = 20;
/// Bits of a coefficient up to which values win for operands of any length.
const SHORT_WIDTH: usize = 80;
/// Limbs of the shorter value up to which values win for longer coefficients.
const FEW_LIMBS: usize = 60;

/// Two polynomials that are not 0, and the power of two at which they are evaluated first.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub operands: [&'a Poly<Integer>; 2],
    /// The bits of a coefficient: more than those of any magnitude in f and g, for the sign.
    pub width: usize,
    /// How many powers are tried.
    pub tries: usize,
}

/// What values tell.
pub struct Divisor<'a> {
    operands: [&'a Poly<Integer>; 2],
    /// Primitive.
    gcd: Poly<Integer>,
    /// The greatest common divisor of the contents.
    content: Natural,
    /// The quotients of f and g by the primitive divisor, which may be longer by zeros; none if that is 1.
    cofactors: Option<[FlatPoly; 2]>,
}

impl<'a> Values<'a> {
    /// At a power of two with some bits more than coefficients need: for sums of products of cofactors, and for a factor that the values
    /// share.
    pub(super) fn new(f: &'a Poly<Integer>, g: &'a Poly<Integer>) -> Self {
        let bits = widest(f.coefficients()).max(widest(g.coefficients()));
        let terms = bit_length(f.len().min(g.len()) as u64);
        Self {
            operands: [f, g],
            width: (bits + terms / 2 + 4).max(LEAST_WIDTH),
            tries: TRIES,
        }
    }

    /// Whether they are quicker than primes. Measured where a greatest common divisor has half of the degree, and for coprime
    /// operands, for which a few primes are enough.
    pub(super) fn win(&self) -> bool {
        let terms = self.operands[0].len().min(self.operands[1].len());
        self.width <= SHORT_WIDTH || terms.saturating_mul(self.width) <= FEW_LIMBS * WORD
    }

    /// The bits of the longer value.
    pub(super) fn bits(&self) -> u64 {
        let terms = self.operands[0].len().max(self.operands[1].len());
        (terms as u64).saturating_mul(self.width as u64)
    }

    /// The greatest common divisor, unless all powers prove nothing.
    pub fn divisor(mut self) -> Option<Divisor<'a>> {
        let rows = self.operands.map(FlatPoly::from_poly);
        for _ in 0..self.tries {
            if let Some(found) = self.at_power(&rows) {
                return Some(found);
            }
            self.width += self.width.div_ceil(2);
        }
        None
    }

    fn at_power(&self, rows: &[FlatPoly; 2]) -> Option<Divisor<'a>> {
        look();
        let values = [0, 1].map(|i| Natural::from_limbs(pack(&rows[i], self.width)));
        let mut common = values[0].gcd(&values[1]);
        look();
        let mut gcd = digits(&common, self.width, false).to_poly();
        let mut content = IntegerPolyRing::shared().content(&gcd).into_magnitude();
        let mut cofactors = None;
        if gcd.len() == 1 {
            gcd = Poly::new(vec![Integer::ONE]);
        } else {
            if !content.is_one() {
                let factor = Integer::from(&content);
                gcd = divided(&gcd, &factor);
                common /= &content;
            }
            let quotient = |i: usize| {
                let value = &values[i] / &common;
                let quotient = digits(&value, self.width, is_negative(&rows[i]));
                self.is_product(self.operands[i], &gcd, &quotient)
                    .then_some(quotient)
            };
            cofactors = Some([quotient(0)?, quotient(1)?]);
        }
        // What all coefficients have in common divides c.
        let mut all = self.operands.iter().flat_map(|of| of.coefficients());
        while !content.is_one()
            && let Some(coefficient) = all.next()
        {
            content = (coefficient.magnitude() % &content).gcd(&content);
        }
        Some(Divisor {
            operands: self.operands,
            gcd,
            content,
            cofactors,
        })
    }

    /// Whether `f` is the product of these, whose values have f's as their product.
    fn is_product(&self, f: &Poly<Integer>, a: &Poly<Integer>, b: &FlatPoly) -> bool {
        let terms = bit_length(a.len().min(b.len()) as u64);
        let bits = widest(a.coefficients()) + b.magnitude_bits() + terms;
        bits < self.width || {
            let b = b.to_poly();
            a.len() + b.len() == f.len() + 1 && IntegerPolyRing::shared().mul(a, &b) == *f
        }
    }
}

impl Divisor<'_> {
    /// The greatest common divisor alone.
    pub fn gcd(self) -> Poly<Integer> {
        multiplied(self.gcd, self.content)
    }

    /// With its cofactors.
    pub fn with_cofactors(self) -> GcdAndCofactors {
        let content = Integer::from(&self.content);
        let [first, second] = match self.cofactors {
            None => self.operands.map(|of| divided(of, &content)),
            Some(rows) if content.is_one() => rows.map(|rows| rows.to_poly()),
            Some(rows) => rows.map(|rows| divided(&rows.to_poly(), &content)),
        };
        GcdAndCofactors {
            gcd: multiplied(self.gcd, self.content),
            first,
            second,
        }
    }
}

fn multiplied(gcd: Poly<Integer>, content: Natural) -> Poly<Integer> {
    if content.is_one() {
        return gcd;
    }
    scaled(&gcd, &content.into())
}

/// The polynomial with coefficients of at most 2^(width − 1) whose value at 2^width is this one, or its negative.
fn digits(value: &Natural, width: usize, negative: bool) -> FlatPoly {
    // One digit more if the last one were negative.
    let len = value.bit_len() / width + 1;
    // A digit with what it lends may be 2^(width − 1).
    let limbs = width / WORD + 1;
    let mut rows = vec![0; len * limbs];
    unpack(&mut rows, limbs, value.as_limbs(), width, negative);
    FlatPoly::of_rows(limbs, rows)
}
