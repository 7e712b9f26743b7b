//! Greatest common divisors in Z\[x, y\].
//!
//! **Algorithm.** Images modulo many primes ([`modular_gcd`](super::modular_gcd)), W. S. Brown 1971. The leading coefficient of a
//! polynomial is that of the highest power of x in the coefficient of the highest power of y; γ is the greatest common divisor of
//! those of f and g. Modulo a prime that does not divide γ, the greatest common divisor has the same leading monomial as over Z or,
//! if the prime is *unlucky*, a greater one, in the order of powers of y, then x: images of greater ones are dropped.
//! **Proof.** Integral H, A and B have the images γ·h, f/h and g/h for a monic h. So H·A ≡ γ·f and H·B ≡ γ·g modulo the product of
//! the primes, and equal they are if no coefficient of either side exceeds half of it: H divided by its content is a common divisor,
//! and none has a greater leading monomial. An image of degree 0 proves that there is none.

use super::modular_gcd::BivariateGcd;
use super::{BivariatePoly, BivariateRing};
use crate::{Poly, PolyError};
use sunzi_field::{Field, Fp64};
use sunzi_integer::mul_limbs;
use sunzi_integer::{Integer, Natural};
use sunzi_machine::threads::Threads;
use sunzi_rns::{Known, Reconstruction, WordPrimes, residues};

/// Bits that a prime of the images has at least.
const PRIME_BITS: usize = 49;

/// The greatest common divisor of `f` and `g` in Z\[x, y\] with both cofactors, always proved. It has the greatest common divisor of
/// all coefficients, too; its leading coefficient, that of the highest power of x in the coefficient of the highest power of y, is
/// positive. It is 0 if both are 0.
///
/// Takes one image if f and g have no more than a number in common. Else, with n for the degrees and b for the bits of all coefficients, about
/// b/50 images of O(n³ + n² log² n) operations each; threads share images.
///
/// ```
/// use sunzi::solve::bivariate_gcd;
///
/// let (f, g) = ("6*(x^2 - y^2)".parse()?, "4*(x^2 - x*y)".parse()?);
/// let found = bivariate_gcd(&f, &g)?;
/// assert!(found.proved && found.value.is_curve());
/// assert_eq!(found.value.gcd.to_string(), "-2*x + 2*y");
/// assert_eq!(found.value.first.to_string(), "-3*x - 3*y");
/// assert_eq!(found.value.second.to_string(), "-2*x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PolyError::OutOfMemory`] if there is too little memory.
pub fn bivariate_gcd(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> Result<Known<BivariateGcd<Integer>>, PolyError> {
    let [content_f, content_g] = [f.content(), g.content()];
    if f.is_zero() || g.is_zero() {
        return Ok(Known::exactly(of_one(f, g)));
    }
    let common = Integer::from(content_f.gcd(&content_g));
    let [f, g] = [f.divided_by(&content_f), g.divided_by(&content_g)];
    let known = primitive_gcd(f, g)?;
    Ok(known.map(|found| BivariateGcd {
        gcd: scaled(&found.gcd, &common),
        first: scaled(&found.first, &(content_f / &common)),
        second: scaled(&found.second, &(content_g / &common)),
    }))
}

/// Where at least one polynomial is 0.
fn of_one(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>) -> BivariateGcd<Integer> {
    let other = if f.is_zero() { g } else { f };
    let sign = Integer::from(if other.leading() < Integer::ZERO {
        -1
    } else {
        1
    });
    let cofactor = |f: &BivariatePoly<Integer>| {
        let unit = (!f.is_zero()).then(|| Poly::new(vec![sign.clone()]));
        BivariatePoly::new(unit.into_iter().collect())
    };
    BivariateGcd {
        gcd: scaled(other, &sign),
        first: cofactor(f),
        second: cofactor(g),
    }
}

fn scaled(f: &BivariatePoly<Integer>, factor: &Integer) -> BivariatePoly<Integer> {
    match factor.is_one() {
        true => f.clone(),
        false => f.map(|c| c * factor),
    }
}

/// Rows and columns of coefficients.
type Shape = [usize; 2];

fn shape<E>(f: &BivariatePoly<E>) -> Shape {
    [f.rows().len(), f.degree_x().map_or(0, |degree| degree + 1)]
}

/// All coefficients row by row, as many as the shape says.
fn flat<E: Clone + Default>(f: &BivariatePoly<E>, [rows, columns]: Shape) -> Vec<E> {
    let mut flat = vec![E::default(); rows * columns];
    for (row, to) in f.rows().iter().zip(flat.chunks_mut(columns.max(1))) {
        to[..row.len()].clone_from_slice(row.coefficients());
    }
    flat
}

fn unflat<E: Clone + Default + PartialEq>(flat: &[E], columns: usize) -> BivariatePoly<E> {
    let rows = flat.chunks(columns.max(1));
    BivariatePoly::new(rows.map(|row| Poly::new(row.to_vec())).collect())
}

/// What a prime tells.
struct Image {
    prime: u64,
    found: BivariateGcd<u64>,
}

impl Image {
    /// Degrees of the leading monomial in y and x.
    fn monomial(&self) -> (usize, usize) {
        let gcd = &self.found.gcd;
        let degree_x = gcd.leading_row().and_then(Poly::degree);
        (gcd.degree_y().unwrap_or(0), degree_x.unwrap_or(0))
    }
}

/// Of polynomials that are not zero, whose coefficients have no divisor in common.
fn primitive_gcd(
    f: BivariatePoly<Integer>,
    g: BivariatePoly<Integer>,
) -> Result<Known<BivariateGcd<Integer>>, PolyError> {
    let common = Integer::from(f.leading().gcd(&g.leading()));
    let bits =
        |f: &BivariatePoly<Integer>| f.coefficients().map(Integer::bit_len).max().unwrap_or(0);
    let mut primes = WordPrimes::new();
    let mut kept: Vec<Image> = Vec::new();
    let mut dropped = 0;
    let mut least = (usize::MAX, usize::MAX);
    let mut batch = 1;
    // γ·f and γ·g must fit, so that fewer primes cannot do.
    let mut enough = (common.bit_len() + bits(&f).max(bits(&g)) + 2).div_ceil(PRIME_BITS);
    loop {
        let batch_primes: Vec<u64> = primes.by_ref().take(batch).collect();
        for image in images(&f, &g, &common, &batch_primes)? {
            let monomial = image.as_ref().map(Image::monomial);
            let Some(image) = image.filter(|_| monomial <= Some(least)) else {
                dropped += 1;
                continue;
            };
            if monomial < Some(least) {
                dropped += kept.len();
                kept.clear();
                least = image.monomial();
            }
            kept.push(image);
        }
        let known = |value| Known {
            value,
            proved: true,
            primes: kept.len(),
            dropped,
        };
        if least == (0, 0) {
            let gcd = BivariatePoly::new(vec![Poly::new(vec![Integer::ONE])]);
            return Ok(known(BivariateGcd {
                gcd,
                first: f,
                second: g,
            }));
        }
        if kept.len() >= enough {
            if let Some(value) = reconstruct(&f, &g, &common, &kept) {
                return Ok(known(value));
            }
            enough = kept.len() + kept.len() / 4 + 1;
        }
        batch = (enough - kept.len()).max(1);
    }
}

/// The images modulo these primes; none where one divides γ.
fn images(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    common: &Integer,
    primes: &[u64],
) -> Result<Vec<Option<Image>>, PolyError> {
    let residues = |f: &BivariatePoly<Integer>| residues(&flat(f, shape(f)), primes);
    let [columns_f, columns_g] = [shape(f)[1], shape(g)[1]];
    let items = primes.iter().zip(residues(f).into_iter().zip(residues(g)));
    Threads::all().try_map(items, |(&prime, (f, g))| {
        let field = Fp64::new(prime)?;
        if field.from_integer(common) == 0 {
            return Ok(None);
        }
        let [f, g] = [unflat(&f, columns_f), unflat(&g, columns_g)];
        if f.is_zero() || g.is_zero() {
            return Ok(None);
        }
        let found = BivariateRing::new(field).gcd(&f, &g)?;
        Ok(Some(Image { prime, found }))
    })
}

/// The greatest common divisor from these images, if they prove it.
fn reconstruct(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    common: &Integer,
    images: &[Image],
) -> Option<BivariateGcd<Integer>> {
    let primes: Vec<u64> = images.iter().map(|image| image.prime).collect();
    let reconstruction = Reconstruction::new(&primes, mul_limbs);
    let all = |of: fn(&Image) -> &BivariatePoly<u64>, factor: &Integer| {
        let shapes = images.iter().map(|image| shape(of(image)));
        let [rows, columns] = shapes.fold([0, 0], |[a, b], [c, d]| [a.max(c), b.max(d)]);
        let flat = images.iter().map(|image| {
            let mut residues = flat(of(image), [rows, columns]);
            if let Ok(field) = Fp64::new(image.prime) {
                field.scale_slice(&mut residues, field.from_integer(factor));
            }
            residues
        });
        let integers = reconstruction.signed_all(&flat.collect::<Vec<_>>());
        unflat(&integers, columns)
    };
    let multiple = all(|image| &image.found.gcd, common);
    let first = all(|image| &image.found.first, &Integer::ONE);
    let second = all(|image| &image.found.second, &Integer::ONE);
    let modulus: Natural = reconstruction.modulus();
    let holds = |of: &BivariatePoly<Integer>, cofactor: &BivariatePoly<Integer>| {
        // A coefficient of a product is at most the sum of one factor's absolute values times the other's greatest.
        let product = (sum(&multiple) * height(cofactor)).min(sum(cofactor) * height(&multiple));
        // The difference of both sides is a multiple of the primes' product.
        product + height(of) * common.magnitude() < modulus
    };
    if !holds(f, &first) || !holds(g, &second) {
        return None;
    }
    // H = γ·h/l and A = l·f/h, where l is the leading coefficient of the primitive h.
    let mut content = multiple.content();
    if multiple.leading() < Integer::ZERO {
        content = -content;
    }
    let cofactor = |cofactor: &BivariatePoly<Integer>| cofactor.map(|c| c * &content / common);
    Some(BivariateGcd {
        gcd: multiple.divided_by(&content),
        first: cofactor(&first),
        second: cofactor(&second),
    })
}

fn height(f: &BivariatePoly<Integer>) -> Natural {
    f.coefficients()
        .map(Integer::magnitude)
        .max()
        .cloned()
        .unwrap_or_default()
}

fn sum(f: &BivariatePoly<Integer>) -> Natural {
    f.coefficients().map(Integer::magnitude).sum()
}
