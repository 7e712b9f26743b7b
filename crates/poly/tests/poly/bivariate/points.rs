//! Points that polynomials are evaluated at.

use sunzi_field::lanes::MAX_LANES;
use sunzi_field::{Fp32, Fp64};
use sunzi_poly::internals::{MOST_COSETS, Points, sizes};
use sunzi_poly::{BivariateField, Poly, PolyError, PolyRing};
use sunzi_testkit::Random;

#[test]
fn sizes_are_few_and_descend() {
    for count in 1..5000 {
        let sizes = sizes(count);
        assert!(
            sizes.len() <= MOST_COSETS && sizes.is_sorted_by(|a, b| a > b),
            "{count}"
        );
        let sum: usize = sizes.iter().sum();
        assert!(
            sum >= count && (sum <= count + count / 3 || sum - count < 2 * MAX_LANES),
            "{count}: {sizes:?}"
        );
    }
}

fn values_give_back<F: BivariateField>(field: F, counts: impl Iterator<Item = usize>) {
    let ring = PolyRing::new(field);
    let field = ring.field();
    let mut random = Random::new(5);
    for count in counts {
        let points = Points::new(&ring, count, 1 + count % 3 * 5000).unwrap();
        assert!(points.count >= count && points.points.len() % MAX_LANES == 0);
        let f = Poly::new((0..count).map(|_| field.from_u64(random.word())).collect());
        let mut values = vec![field.zero(); points.points.len()];
        points.evaluate(&mut values, &f).unwrap();
        // By definition, and no point twice.
        let mut distinct = points.points[..points.count].to_vec();
        for (&point, &value) in distinct.iter().zip(&values) {
            let horner = |sum, &c: &F::Elem| field.add(field.mul(sum, point), c);
            assert_eq!(
                f.coefficients().iter().rev().fold(field.zero(), horner),
                value
            );
        }
        distinct.sort_by_key(|&point| field.to_limbs(point));
        assert!(distinct.is_sorted_by(|a, b| a != b));
        assert_eq!(
            points.interpolate(&mut values).unwrap(),
            f,
            "{count} modulo {:?}",
            field.modulus::<sunzi_integer::Natural>()
        );
    }
}

#[test]
fn interpolation_undoes_evaluation() {
    values_give_back(
        Fp32::new(469_762_049).unwrap(),
        [1, 15, 16, 17, 33, 65, 257, 300, 901].into_iter(),
    );
    values_give_back(Fp32::new(97).unwrap(), 1..98);
    values_give_back(Fp32::new(1009).unwrap(), [5, 16, 40, 1009].into_iter());
    values_give_back(
        Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(),
        [1, 100, 145].into_iter(),
    );
    values_give_back(Fp64::new((1 << 63) - 25).unwrap(), [1, 100].into_iter());
}

#[test]
fn fields_may_have_too_few_points() {
    let ring = PolyRing::new(Fp32::new(11).unwrap());
    let error = Points::new(&ring, 12, 1).unwrap_err();
    assert_eq!(
        error,
        PolyError::FewPoints {
            prime: 11,
            needed: 12
        }
    );
    assert!(Points::new(&ring, 11, 1).is_ok());
}
