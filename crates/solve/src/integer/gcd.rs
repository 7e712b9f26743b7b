//! Greatest common divisors over the integers.

use super::method::Method;
use crate::error::SolveError;
use crate::images::{Reconstruction, WordPrimes, residues};
use crate::known::Known;
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use sunzi_field::{Field, Fp64};
use sunzi_poly::{IntegerPolyRing, Poly, PolyRing};
use sunzi_threads::Threads;

/// Primes taken at a time.
const BATCH: usize = 8;

/// A greatest common divisor, and what the operands are divided by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcdAndCofactors {
    /// The greatest common divisor: that of the contents times a primitive one of positive leading coefficient; 0 if both operands
    /// are.
    pub gcd: Poly<IBig>,
    /// The first operand divided by it; 0 if that is.
    pub first: Poly<IBig>,
    /// The second operand divided by it; 0 if that is.
    pub second: Poly<IBig>,
}

/// How greatest common divisors over the integers are to be computed.
///
/// ```
/// use dashu_int::IBig;
/// use sunzi_poly::Poly;
/// use sunzi_solve::IntegerGcd;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| IBig::from(c)).collect());
/// let (f, g) = (poly(&[-2, 0, 2]), poly(&[4, 8, 4])); // 2(x − 1)(x + 1), 4(x + 1)²
/// let known = IntegerGcd::new().with_cofactors(&f, &g)?;
/// assert!(known.proved);
/// assert_eq!(known.value.gcd, poly(&[2, 2]));
/// assert_eq!((known.value.first, known.value.second), (poly(&[-1, 1]), poly(&[2, 2])));
/// # Ok::<(), sunzi_solve::SolveError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntegerGcd {
    method: Method,
}

impl IntegerGcd {
    /// By the quickest method.
    pub fn new() -> Self {
        Self::default()
    }

    /// By this method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method }
    }

    /// The greatest common divisor, always proved.
    ///
    /// # Errors
    /// [`SolveError::Poly`] or [`SolveError::OutOfMemory`] if there is too little memory.
    pub fn compute(&self, f: &Poly<IBig>, g: &Poly<IBig>) -> Result<Known<Poly<IBig>>, SolveError> {
        Ok(self.with_cofactors(f, g)?.map(|found| found.gcd))
    }

    /// The greatest common divisor and both cofactors, always proved.
    ///
    /// # Errors
    /// As [`IntegerGcd::compute`].
    pub fn with_cofactors(
        &self,
        f: &Poly<IBig>,
        g: &Poly<IBig>,
    ) -> Result<Known<GcdAndCofactors>, SolveError> {
        let ring = IntegerPolyRing::new();
        let (content_f, content_g) = (ring.content(f), ring.content(g));
        let content = IBig::from((&content_f).gcd(&content_g));
        if f.is_zero() || g.is_zero() {
            return Ok(Known::exactly(of_one(f, g)));
        }
        let (first, second) = (divided(f, &content_f), divided(g, &content_g));
        let known = primitive_gcd(&first, &second)?;
        Ok(known.map(|found| GcdAndCofactors {
            gcd: scaled(&found.gcd, &content),
            first: scaled(&found.first, &(content_f / &content)),
            second: scaled(&found.second, &(content_g / &content)),
        }))
    }
}

/// The greatest common divisor of `f` and `g`: that of their contents times the primitive one, whose leading coefficient is
/// positive; 0 if both are 0.
///
/// ```
/// use dashu_int::IBig;
/// use sunzi_poly::Poly;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| IBig::from(c)).collect());
/// let (f, g) = (poly(&[-6, 0, 6]), poly(&[0, -4, -4])); // 6(x − 1)(x + 1), −4x(x + 1)
/// assert_eq!(sunzi_solve::gcd(&f, &g)?, poly(&[2, 2]));
/// # Ok::<(), sunzi_solve::SolveError>(())
/// ```
///
/// # Errors
/// As [`IntegerGcd::compute`].
pub fn gcd(f: &Poly<IBig>, g: &Poly<IBig>) -> Result<Poly<IBig>, SolveError> {
    Ok(IntegerGcd::new().compute(f, g)?.value)
}

/// Where at least one operand is 0.
fn of_one(f: &Poly<IBig>, g: &Poly<IBig>) -> GcdAndCofactors {
    let other = if f.is_zero() { g } else { f };
    let negative = other.coefficients().last().is_some_and(|x| *x < IBig::ZERO);
    let sign = if negative { -IBig::ONE } else { IBig::ONE };
    let cofactor = |of: &Poly<IBig>| {
        Poly::new(if of.is_zero() {
            Vec::new()
        } else {
            vec![sign.clone()]
        })
    };
    GcdAndCofactors {
        gcd: scaled(other, &sign),
        first: cofactor(f),
        second: cofactor(g),
    }
}

fn scaled(f: &Poly<IBig>, factor: &IBig) -> Poly<IBig> {
    if factor.is_one() {
        return f.clone();
    }
    Poly::new(f.coefficients().iter().map(|x| x * factor).collect())
}

/// `f` by a divisor of all its coefficients.
fn divided(f: &Poly<IBig>, divisor: &IBig) -> Poly<IBig> {
    if divisor.is_one() {
        return f.clone();
    }
    Poly::new(f.coefficients().iter().map(|x| x / divisor).collect())
}

/// What the primes tell of a greatest common divisor.
struct Image {
    prime: u64,
    gcd: Vec<u64>,
    first: Vec<u64>,
    second: Vec<u64>,
}

fn leading(f: &Poly<IBig>) -> IBig {
    f.coefficients().last().cloned().unwrap_or_default()
}

/// Of primitive polynomials that are not zero.
fn primitive_gcd(f: &Poly<IBig>, g: &Poly<IBig>) -> Result<Known<GcdAndCofactors>, SolveError> {
    let common = IBig::from(leading(f).gcd(leading(g)));
    let mut primes = WordPrimes::new();
    let mut kept: Vec<Image> = Vec::new();
    let mut dropped = 0;
    let mut degree = usize::MAX;
    loop {
        let batch: Vec<u64> = primes.by_ref().take(BATCH).collect();
        for image in images(f, g, &common, &batch)? {
            let Some(image) = image else {
                dropped += 1;
                continue;
            };
            let of = image.gcd.len();
            if of > degree {
                dropped += 1;
                continue;
            }
            if of < degree {
                dropped += kept.len();
                kept.clear();
                degree = of;
            }
            kept.push(image);
        }
        if kept.is_empty() {
            continue;
        }
        let value = if degree == 1 {
            let sign = IBig::ONE;
            Some(GcdAndCofactors {
                gcd: Poly::new(vec![sign]),
                first: f.clone(),
                second: g.clone(),
            })
        } else {
            reconstruct(f, g, &common, &kept)
        };
        if let Some(value) = value {
            return Ok(Known {
                value,
                proved: true,
                primes: kept.len(),
                dropped,
            });
        }
    }
}

/// The images modulo these primes; none where a prime divides both leading coefficients.
fn images(
    f: &Poly<IBig>,
    g: &Poly<IBig>,
    common: &IBig,
    primes: &[u64],
) -> Result<Vec<Option<Image>>, SolveError> {
    let lengths = (f.len(), g.len());
    let of_f = residues(f.coefficients(), primes);
    let of_g = residues(g.coefficients(), primes);
    let items = primes.iter().zip(of_f.into_iter().zip(of_g));
    Threads::all().try_map(items, |(&prime, (f, g))| {
        let field = Fp64::new(prime)?;
        let common = field.from_integer(common);
        if common == 0 {
            return Ok(None);
        }
        let ring = PolyRing::new(field.clone());
        let (f, g) = (Poly::new(f), Poly::new(g));
        let gcd = ring.gcd(&f, &g)?;
        let mut first = ring.divrem(&f, &gcd)?.0.into_coefficients();
        let mut second = ring.divrem(&g, &gcd)?.0.into_coefficients();
        first.resize(lengths.0 + 1 - gcd.len(), 0);
        second.resize(lengths.1 + 1 - gcd.len(), 0);
        let mut gcd = gcd.into_coefficients();
        field.scale_slice(&mut gcd, common);
        Ok(Some(Image {
            prime,
            gcd,
            first,
            second,
        }))
    })
}

/// The greatest common divisor from these images, if that is proved: of polynomials H, A and B of these images, H·A ≡ γ·f and
/// H·B ≡ γ·g modulo the product of the primes, and no coefficient on either side exceeds half of that.
fn reconstruct(
    f: &Poly<IBig>,
    g: &Poly<IBig>,
    common: &IBig,
    images: &[Image],
) -> Option<GcdAndCofactors> {
    let primes: Vec<u64> = images.iter().map(|image| image.prime).collect();
    let reconstruction = Reconstruction::new(&primes);
    let all = |of: fn(&Image) -> &Vec<u64>| {
        let images: Vec<&Vec<u64>> = images.iter().map(of).collect();
        reconstruction.signed_all(&images)
    };
    let (gcd, first, second) = (
        all(|image| &image.gcd),
        all(|image| &image.first),
        all(|image| &image.second),
    );
    let holds = |of: &Poly<IBig>, cofactor: &[IBig]| {
        let terms = UBig::from(gcd.len().min(cofactor.len()));
        let product = height(&gcd) * height(cofactor) * terms;
        let left = height(of.coefficients()) * common.unsigned_abs();
        product + left < *reconstruction.modulus()
    };
    if !holds(f, &first) || !holds(g, &second) {
        return None;
    }
    let ring = IntegerPolyRing::new();
    let multiple = Poly::new(gcd);
    let mut content = ring.content(&multiple);
    if leading(&multiple) < IBig::ZERO {
        content = -content;
    }
    let cofactor = |cofactor: Vec<IBig>| {
        let exact = cofactor.into_iter().map(|x| x * &content / common);
        Poly::new(exact.collect())
    };
    Some(GcdAndCofactors {
        first: cofactor(first),
        second: cofactor(second),
        gcd: divided(&multiple, &content),
    })
}

/// The greatest absolute value.
fn height(coefficients: &[IBig]) -> UBig {
    let longest = coefficients
        .iter()
        .max_by_key(|x| x.unsigned_abs().bit_len());
    longest.map_or(UBig::ZERO, |x| UBig::ONE << x.bit_len())
}
