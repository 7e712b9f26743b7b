//! Sunzi's side of every case: the only file that knows its interface.
//!
//! Each function makes a contender from the same plain words that the peers get; `None` says that Sunzi has
//! no such operation, and the peers' times stand alone.

use sunzi_dft::TransformField;
use sunzi_dft::{Convolution, DftContext, Ordering};
use sunzi_field::generalized_fermat::NamedPrime;
use sunzi_field::{
    AnyField, Digits, Field, Fp32, Fp50, Fp64, GeneralizedFermat, TwoAdicField, with_field,
};
use sunzi_integer::{Integer, Multiplier, Natural};
use sunzi_poly::{CoefficientField, FlatPoly, IntegerPolyRing, Poly, PolyRing};

use crate::contender::{Contender, contender};
use crate::flint::Signed;
use crate::residues::limbs;

pub use sunzi_dft::Direction;

/// `Some($work)` with the field modulo a named prime.
macro_rules! in_field {
    ($prime:expr, $field:ident => $work:expr) => {
        match AnyField::generalized_fermat($prime.radix, $prime.digits) {
            Ok(field) => with_field!(
                &field,
                $field: GeneralizedFermat => Some({
                    let $field = $field.clone();
                    $work
                }),
                _ => None
            ),
            Err(_) => None,
        }
    };
}

/// The product of two polynomials over Z/p, given by residues from the constant term upward.
pub fn product_mod(p: u64, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    match u32::try_from(p) {
        Ok(p) => product_over(Fp32::new(p).ok()?, a, b),
        Err(_) => product_over(Fp64::new(p).ok()?, a, b),
    }
}

fn product_over<F>(field: F, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>>
where
    F: CoefficientField<Elem: TryFrom<u64> + Into<u64>>,
{
    let (a, b) = (elements::<F>(a)?, elements::<F>(b)?);
    let out = vec![field.zero(); a.len() + b.len() - 1];
    let ring = PolyRing::new(field);
    Some(contender(
        (a, b, out),
        move |(a, b, out)| ring.mul_slices(out, a, b),
        |(_, _, out)| words(out),
    ))
}

/// The elements whose residues are these words, if they fit.
pub fn elements<F: Field<Elem: TryFrom<u64>>>(words: &[u64]) -> Option<Vec<F::Elem>> {
    words.iter().map(|&word| word.try_into().ok()).collect()
}

pub fn words<E: Copy + Into<u64>>(elements: &[E]) -> Vec<u64> {
    elements.iter().map(|&element| element.into()).collect()
}

/// The product of two polynomials over Z; a coefficient of the result takes `width` limbs.
pub fn product_in_z(a: &[Signed], b: &[Signed], width: usize) -> Option<Box<dyn Contender>> {
    let ring = IntegerPolyRing::new();
    Some(contender(
        (polynomial(a), polynomial(b), Poly::zero()),
        move |(a, b, out)| *out = ring.mul(a, b),
        move |(_, _, out)| signed_words(out, width),
    ))
}

/// The same product of polynomials that lie each in one row of limbs.
pub fn flat_product_in_z(a: &[Signed], b: &[Signed], width: usize) -> Option<Box<dyn Contender>> {
    let ring = IntegerPolyRing::new();
    let flat = |operand| FlatPoly::from_poly(&polynomial(operand));
    Some(contender(
        (flat(a), flat(b), FlatPoly::default()),
        move |(a, b, out)| ring.mul_flat(out, a, b).expect("the memory is there"),
        move |(_, _, out)| signed_words(&out.to_poly(), width),
    ))
}

fn polynomial(coefficients: &[Signed]) -> Poly<Integer> {
    let integer = |(negative, limbs): &Signed| {
        Integer::from_sign_magnitude(*negative, Natural::from(&limbs[..]))
    };
    Poly::new(coefficients.iter().map(integer).collect())
}

/// Every coefficient as its sign (1 if negative) and `width` limbs.
fn signed_words(poly: &Poly<Integer>, width: usize) -> Vec<u64> {
    let mut all = Vec::with_capacity(poly.coefficients().len() * (width + 1));
    for coefficient in poly.coefficients() {
        let limbs = coefficient.magnitude().as_limbs();
        assert!(
            limbs.len() <= width,
            "a product's coefficient fits its bound"
        );
        all.push(u64::from(coefficient.is_negative()));
        all.extend_from_slice(limbs);
        all.extend(std::iter::repeat_n(0, width - limbs.len()));
    }
    all
}

/// The product of two integers.
pub fn integer_product(a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    let multiplier = Multiplier::new();
    Some(contender(
        (a.to_vec(), b.to_vec(), vec![0; a.len() + b.len()]),
        move |(a, b, out)| multiplier.mul(out, a, b),
        |(_, _, out)| out.clone(),
    ))
}

/// The square of an integer.
pub fn integer_square(a: &[u64]) -> Option<Box<dyn Contender>> {
    let multiplier = Multiplier::new();
    Some(contender(
        (a.to_vec(), vec![0; 2 * a.len()]),
        move |(a, out)| multiplier.sqr(out, a),
        |(_, out)| out.clone(),
    ))
}

/// Products of operands of `limbs` limbs each, one after the other.
pub fn integer_batch(a: &[u64], b: &[u64], limbs: usize) -> Option<Box<dyn Contender>> {
    let multiplier = Multiplier::new();
    Some(contender(
        (a.to_vec(), b.to_vec(), vec![0; a.len() + b.len()]),
        move |(a, b, out)| {
            let lengths = "the operands are whole and equally many";
            multiplier
                .mul_batch(out, a, b, limbs, limbs)
                .expect(lengths);
        },
        |(_, _, out)| out.clone(),
    ))
}

/// The negacyclic transform of `input`, or its inverse, in place; values in the context's own order.
pub fn negacyclic(p: u64, input: &[u64], direction: Direction) -> Option<Box<dyn Contender>> {
    if let Ok(p) = u32::try_from(p) {
        return negacyclic_over(&Fp32::new(p).ok()?, input, direction);
    }
    match Fp50::new(p) {
        Ok(field) => negacyclic_over(&field, input, direction),
        Err(_) => negacyclic_over(&Fp64::new(p).ok()?, input, direction),
    }
}

fn negacyclic_over<F>(field: &F, input: &[u64], direction: Direction) -> Option<Box<dyn Contender>>
where
    F: TransformField<Elem: TryFrom<u64> + Into<u64>>,
{
    let context = DftContext::for_convolution(field, input.len(), Convolution::Negacyclic).ok()?;
    let mut data = elements::<F>(input)?;
    if direction == Direction::Inverse {
        context.forward_in_place(&mut data).ok()?;
    }
    Some(transform_again_and_again(context, data, direction))
}

/// The cyclic transforms of the vectors of `length` in `input`, in place; values in the context's own order.
pub fn cyclic(p: u64, input: &[u64], length: usize) -> Option<Box<dyn Contender>> {
    match u32::try_from(p) {
        Ok(p) => cyclic_over(&Fp32::new(p).ok()?, input, length),
        Err(_) => cyclic_over(&Fp64::new(p).ok()?, input, length),
    }
}

fn cyclic_over<F>(field: &F, input: &[u64], length: usize) -> Option<Box<dyn Contender>>
where
    F: TransformField<Elem: TryFrom<u64> + Into<u64>>,
{
    let context = DftContext::new(field, length).ok()?;
    let data = elements::<F>(input)?;
    Some(transform_again_and_again(context, data, Direction::Forward))
}

fn transform_again_and_again<F>(
    context: DftContext<F>,
    data: Vec<F::Elem>,
    direction: Direction,
) -> Box<dyn Contender>
where
    F: TransformField<Elem: Into<u64>>,
{
    contender(
        data,
        move |data| {
            context
                .transform_batch(data, direction, Ordering::Internal)
                .expect("the vectors are whole");
        },
        |data| words(data),
    )
}

/// Products of residues modulo a named prime r^k + 1, given in limbs.
pub fn generalized_fermat_products(
    prime: NamedPrime,
    a: &[Vec<u64>],
    b: &[Vec<u64>],
) -> Option<Box<dyn Contender>> {
    fn typed<const K: usize>(
        field: GeneralizedFermat<K>,
        a: &[Vec<u64>],
        b: &[Vec<u64>],
    ) -> Box<dyn Contender> {
        let elements = |numbers: &[Vec<u64>]| -> Vec<Digits<K>> {
            numbers
                .iter()
                .map(|limbs| field.from_limbs(false, limbs))
                .collect()
        };
        let n = a[0].len();
        let (a, b) = (elements(a), elements(b));
        let out = a.clone();
        let shown = field.clone();
        contender(
            (a, b, out),
            move |(a, b, out)| {
                out.copy_from_slice(a);
                field.mul_assign_slice(out, b);
            },
            move |(_, _, out)| {
                let row = |&x| limbs(&shown.to_integer(x), n);
                out.iter().flat_map(row).collect()
            },
        )
    }
    in_field!(prime, field => typed(field, a, b))
}

/// The elements given by rows of `n` limbs.
fn from_rows<const K: usize>(
    field: &GeneralizedFermat<K>,
    rows: &[u64],
    n: usize,
) -> Vec<Digits<K>> {
    rows.chunks_exact(n)
        .map(|row| field.from_limbs(false, row))
        .collect()
}

/// The elements as rows of `n` limbs.
fn to_rows<const K: usize>(
    field: &GeneralizedFermat<K>,
    elements: &[Digits<K>],
    n: usize,
) -> Vec<u64> {
    elements
        .iter()
        .flat_map(|&x| limbs(&field.to_integer(x), n))
        .collect()
}

/// Transforms of `points` points modulo a prime r^k + 1: all that is measured of them goes through here.
fn big_prime_context<const K: usize>(
    field: &GeneralizedFermat<K>,
    points: usize,
) -> DftContext<GeneralizedFermat<K>> {
    DftContext::over_big_prime(field, points).expect("the points divide p - 1")
}

/// The root of unity of a named prime for transforms of 2^`log` points, in `n` limbs.
pub fn big_prime_root(prime: NamedPrime, log: u32, n: usize) -> Vec<u64> {
    let root = in_field!(prime, field => {
        let root = field.root_of_unity(log);
        limbs(&field.to_integer(root.expect("the points divide p - 1")), n)
    });
    root.expect("it is prime")
}

/// The transform of `rows` of `n` limbs modulo a named prime, in place; values in natural order.
pub fn big_prime_transform(
    prime: NamedPrime,
    rows: &[u64],
    n: usize,
) -> Option<Box<dyn Contender>> {
    in_field!(prime, field => {
        let data = from_rows(&field, rows, n);
        let context = big_prime_context(&field, data.len());
        contender(
            data,
            move |data| {
                context.forward(data, Ordering::Natural)
                    .expect("the vector is whole");
            },
            move |data| to_rows(&field, data, n),
        )
    })
}

/// The product of two polynomials modulo a named prime, given by rows of `n` limbs.
pub fn big_prime_polynomials(
    prime: NamedPrime,
    a: &[u64],
    b: &[u64],
    n: usize,
) -> Option<Box<dyn Contender>> {
    in_field!(prime, field => {
        let (a, b) = (from_rows(&field, a, n), from_rows(&field, b, n));
        let product = vec![Digits::default(); a.len() + b.len() - 1];
        let ring = PolyRing::new(field.clone());
        contender(
            (a, b, product),
            move |(a, b, product)| ring.mul_slices(product, a, b),
            move |(_, _, product)| to_rows(&field, product, n),
        )
    })
}
