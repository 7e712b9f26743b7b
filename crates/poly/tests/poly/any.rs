//! Rings without a type parameter against those with one, and against the definitions of what they compute.

use sunzi_dft::Direction;
use sunzi_field::{AnyField, Rows, with_field};
use sunzi_integer::Integer;
use sunzi_poly::{
    AnyDft, AnyPoly, AnyPolyRing, CoefficientField, Poly, PolyError, PolyRing, SubproductTree,
};
use sunzi_testkit::Random;

pub fn fields() -> Vec<AnyField> {
    let words = [
        3u64,
        101,
        469_762_049,
        (1 << 31) + 11,
        (1 << 61) - 1,
        u64::MAX - (1 << 32) + 2,
    ];
    let mut fields: Vec<_> = words.map(|p| AnyField::modulo_word(p).unwrap()).into();
    // 10² + 1, P4, the least radix with 2^8 digits, and one in between.
    for (radix, digits) in [
        (10, 2),
        ((1 << 59) + (1 << 58) + (1 << 11), 4),
        (278, 256),
        (46, 8),
    ] {
        if let Ok(field) = AnyField::generalized_fermat(radix, digits) {
            fields.push(field);
        }
    }
    assert!(fields.len() >= 7);
    fields
}

/// Rows of seeded elements, the last one not 0.
pub fn rows(field: &AnyField, count: usize, random: &mut Random) -> Vec<u64> {
    let mut rows = Vec::new();
    for index in 0..count {
        let limbs = random.words(field.width() + 1);
        let value =
            sunzi_integer::Natural::from_limbs(limbs) % field.modulus::<sunzi_integer::Natural>();
        let last = index + 1 == count && value == sunzi_integer::Natural::ZERO;
        field.push_integer(&(value + u8::from(last)), &mut rows);
    }
    rows
}

/// All operations on polynomials of these lengths, by both rings.
fn compare<F: CoefficientField + Rows>(field: &F, any: &AnyField, lens: [usize; 2]) {
    let mut random = Random::new(lens.iter().sum::<usize>() as u64);
    let [a, b] = lens.map(|len| rows(any, len, &mut random));
    let ring = AnyPolyRing::new(any);
    let typed: &PolyRing<F> = ring.over().unwrap();
    assert_eq!(typed.field(), field);
    let [x, y] = [&a, &b].map(|rows| Poly::new(F::from_rows(rows.clone())));
    let [a, b] = [a, b].map(|rows| ring.polynomial(rows).unwrap());
    assert_eq!((a.len(), b.len()), (x.len(), y.len()));
    let same = |found: &AnyPoly, expected: &Poly<F::Elem>| {
        assert_eq!(found.over::<F>().unwrap(), expected);
        assert_eq!(found.rows(), F::rows(expected.coefficients()));
    };
    same(&ring.mul(&a, &b).unwrap(), &typed.mul(&x, &y));
    let plan = ring.plan(a.len(), b.len());
    assert_eq!(plan, typed.plan(x.len(), y.len()));
    same(
        &ring.mul_with(plan.algorithm, &a, &b).unwrap(),
        &typed.mul(&x, &y),
    );
    assert_eq!(
        ring.plan_with(plan.algorithm, a.len(), b.len())
            .unwrap()
            .algorithm,
        plan.algorithm
    );
    let expected = typed.divrem(&x, &y).unwrap();
    for [quotient, remainder] in [
        ring.divrem(&a, &b).unwrap(),
        ring.divisor(&b).unwrap().divrem(&a).unwrap(),
    ] {
        same(&quotient, &expected.0);
        same(&remainder, &expected.1);
    }
    same(&ring.gcd(&a, &b).unwrap(), &typed.gcd(&x, &y).unwrap());
    let expected = typed.xgcd(&x, &y).unwrap();
    let [g, s, t] = ring.xgcd(&a, &b).unwrap();
    same(&g, &expected.gcd);
    same(&s, &expected.s);
    same(&t, &expected.t);
    let resultant = ring.resultant(&a, &b).unwrap();
    assert_eq!(resultant, *F::rows(&[typed.resultant(&x, &y).unwrap()]));

    let discriminant = ring.discriminant(&a).unwrap();
    assert_eq!(discriminant, *F::rows(&[typed.discriminant(&x).unwrap()]));
    let expected = typed.square_free(&x).unwrap();
    let found = ring.square_free(&a).unwrap();
    assert_eq!(found.leading, *F::rows(&[expected.leading]));
    assert_eq!(found.factors.len(), expected.factors.len());
    for (found, expected) in found.factors.iter().zip(&expected.factors) {
        same(&found.0, &expected.0);
        assert_eq!(found.1, expected.1);
    }
    same(&ring.add(&a, &b).unwrap(), &typed.add(&x, &y));
    same(&ring.sub(&a, &b).unwrap(), &typed.sub(&x, &y));
    same(&ring.pow(&a, 3).unwrap(), &typed.pow(&x, 3));
    same(&ring.derivative(&a).unwrap(), &typed.derivative(&x));
    let reversed = typed.reverse(&x, x.len() - 1).unwrap();
    same(&ring.reverse(&a).unwrap(), &reversed);
    same(
        &ring.compose(&a, &b).unwrap(),
        &typed.compose(&x, &y).unwrap(),
    );
    let two = field.from_u64(2);
    let shifted = typed.taylor_shift(&x, two).unwrap();
    let row = F::rows(&[two]).into_owned();
    same(&ring.taylor_shift(&a, &row).unwrap(), &shifted);
    assert_eq!(ring.pow_bytes(&a, 3).unwrap(), typed.pow_bytes(&x, 3));
    assert_eq!(
        ring.compose_bytes(&a, &b).unwrap(),
        typed.compose_bytes(&x, &y)
    );
    assert!(ring.taylor_shift(&a, &[]).is_err());

    let points: Vec<_> = (0..2).map(|point| field.from_u64(point)).collect();
    let tree = ring.subproduct_tree(F::rows(&points).into_owned()).unwrap();
    tree.prepare_evaluation().unwrap();
    assert_eq!(
        (tree.len(), ring.tree_bytes(2)),
        (2, SubproductTree::bytes(typed, 2))
    );
    let values = tree.evaluate(&a).unwrap();
    // f(0) is the constant term, f(1) the sum of all coefficients.
    let sum = x
        .coefficients()
        .iter()
        .fold(field.zero(), |sum, &c| field.add(sum, c));
    assert_eq!(values, *F::rows(&[x.coefficients()[0], sum]));
    let line = tree.interpolate(values.clone()).unwrap();
    assert_eq!(tree.evaluate(&line).unwrap(), values);
}

#[test]
fn both_rings_give_the_same() {
    for any in fields() {
        for lens in [[1, 1], [3, 2], [40, 17]] {
            with_field!(&any, field => compare(field, &any, lens));
        }
    }
}

#[test]
fn transforms_follow_their_definition() {
    for any in fields() {
        // 2 divides p − 1: the transform of (a, b) is (a + b, a − b).
        let mut rows = Vec::new();
        for value in [5, 7] {
            any.push_u64(value, &mut rows);
        }
        let plan = AnyDft::new(&any, 2).unwrap();
        let found = plan.transform(rows.clone(), Direction::Forward).unwrap();
        let mut expected = Vec::new();
        for value in [12, -2] {
            any.push_integer(&Integer::from(value), &mut expected);
        }
        assert_eq!(found, expected);
        assert_eq!(plan.transform(found, Direction::Inverse).unwrap(), rows);
        let mut minus_one = Vec::new();
        any.push_integer(&Integer::MINUS_ONE, &mut minus_one);
        assert_eq!(plan.root_of_unity(), minus_one);
        assert!(!plan.to_string().is_empty());
        assert!(AnyDft::working_bytes(&any, 2).unwrap() > 0);
        assert!(
            plan.transform(rows[..any.width()].to_vec(), Direction::Forward)
                .is_err()
        );
    }
    assert!(AnyDft::new(&AnyField::modulo_word(101).unwrap(), 3).is_err());
}

#[test]
fn what_is_of_another_field_is_refused() {
    let [short, long] = [101, (1 << 61) - 1].map(|prime| {
        let field = AnyField::modulo_word(prime).unwrap();
        AnyPolyRing::new(&field)
    });
    let f = short.polynomial(vec![1, 2]).unwrap();
    assert_eq!(long.mul(&f, &f).unwrap_err(), PolyError::OtherField);
    assert_eq!(long.divisor(&f).unwrap_err(), PolyError::OtherField);
    let outside = PolyError::CoefficientOutside { index: 1 };
    assert_eq!(short.polynomial(vec![1, 101]).unwrap_err(), outside);
    // What no word of the field holds is not cut to one.
    assert_eq!(
        short.polynomial(vec![1, (1 << 32) + 1]).unwrap_err(),
        outside
    );
    let tree = short.subproduct_tree(vec![0, 1]).unwrap();
    assert_eq!(tree.interpolate(vec![1, 101]).unwrap_err(), outside);
    let point = PolyError::PointOutside { index: 0 };
    assert_eq!(short.subproduct_tree(vec![101]).unwrap_err(), point);
    assert!(matches!(
        tree.interpolate(vec![1]),
        Err(PolyError::ValueCount { .. })
    ));
}
