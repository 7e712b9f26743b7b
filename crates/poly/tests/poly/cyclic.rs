//! Products modulo x^n − 1 and x^n + 1, over fields and over Z, against sums of products of coefficients.

use sunzi_dft::Convolution;
use sunzi_field::{Fp32, Fp64, GeneralizedFermat};
use sunzi_integer::Integer;
use sunzi_poly::{CoefficientField, IntegerPolyRing, Poly, PolyError, PolyRing};
use sunzi_testkit::Random;

const ALL: [Convolution; 3] = [
    Convolution::Plain,
    Convolution::Cyclic,
    Convolution::Negacyclic,
];

/// The coefficients of a·b, folded to `n`.
fn defined(a: &[i64], b: &[i64], n: usize, convolution: Convolution) -> Vec<i64> {
    let mut out = vec![0; n];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let turned = convolution == Convolution::Negacyclic && (i + j) / n % 2 == 1;
            out[(i + j) % n] += if turned { -x * y } else { x * y };
        }
    }
    out
}

fn check<F: CoefficientField>(field: F, lens: [usize; 2], n: usize) {
    let mut random = Random::new((lens[0] + 7 * lens[1] + 31 * n) as u64);
    let [a, b] = lens
        .map(|len| -> Vec<i64> { (0..len).map(|_| random.below(2000) as i64 - 1000).collect() });
    let ring = PolyRing::new(field);
    let field = ring.field();
    let [x, y] = [&a, &b].map(|a| -> Vec<_> { a.iter().map(|&a| field.from_i64(a)).collect() });
    let whole = if lens.contains(&0) {
        0
    } else {
        lens[0] + lens[1] - 1
    };
    for convolution in ALL {
        let len = if convolution == Convolution::Plain {
            whole
        } else {
            n
        };
        // What was there before is not added to.
        let mut out = vec![field.one(); len];
        ring.convolve(&mut out, &x, &y, convolution).unwrap();
        let expected = defined(&a, &b, len, convolution);
        let [f, g] = [&a, &b].map(|a| Poly::new(a.iter().map(|&a| Integer::from(a)).collect()));
        let integers = IntegerPolyRing::new()
            .convolve(len, &f, &g, convolution)
            .unwrap();
        assert_eq!(
            integers,
            expected
                .iter()
                .map(|&c| Integer::from(c))
                .collect::<Vec<_>>()
        );
        let expected: Vec<_> = expected.into_iter().map(|c| field.from_i64(c)).collect();
        assert_eq!(out, expected, "{lens:?} {n} {convolution}");
    }
}

#[test]
fn products_are_folded_as_often_as_they_must() {
    for lens in [[0, 3], [1, 1], [1, 5], [4, 4], [7, 9], [64, 3], [130, 127]] {
        // Below, at and above the length of the whole product.
        for n in [1, 2, 3, 4, 8, 15, 16, 64, 255, 256, 257] {
            check(Fp32::new(469_762_049).unwrap(), lens, n);
            check(Fp64::new((1 << 61) - 1).unwrap(), lens, n);
        }
    }
    check(
        GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap(),
        [9, 8],
        5,
    );
}

#[test]
fn outputs_of_another_length_are_refused() {
    let ring = PolyRing::new(Fp32::new(101).unwrap());
    let wrong = PolyError::OutputLength {
        expected: 3,
        found: 2,
    };
    let mut out = [0; 2];
    let found = ring.convolve(&mut out, &[1, 2], &[3, 4], Convolution::Plain);
    assert_eq!(found, Err(wrong.clone()));
    let f: Poly<Integer> = "x + 1".parse().unwrap();
    let found = IntegerPolyRing::new().convolve(2, &f, &f, Convolution::Plain);
    assert_eq!(found, Err(wrong));
    assert_eq!(
        IntegerPolyRing::new().convolve(0, &f, &f, Convolution::Cyclic),
        Ok(vec![])
    );
    assert_eq!(
        ring.convolve(&mut [], &[1, 2], &[3], Convolution::Cyclic),
        Ok(())
    );
}

#[test]
fn divisors_over_the_integers_need_a_leading_unit() {
    let ring = IntegerPolyRing::new();
    let poly = |text: &str| text.parse::<Poly<Integer>>().unwrap();
    for (a, b) in [
        ("x^5 - 3*x + 7", "x^2 + 9"),
        ("x^5 - 3*x + 7", "4 - x"),
        ("x", "x^2"),
        ("0", "-1"),
    ] {
        let (a, b) = (poly(a), poly(b));
        let (q, r) = ring.divrem(&a, &b).unwrap();
        assert_eq!(&q * &b + &r, a);
        assert!(r.len() < b.len());
    }
    assert_eq!(
        ring.divrem(&poly("x"), &poly("2*x")),
        Err(PolyError::NotMonic)
    );
    assert_eq!(
        ring.divrem(&poly("x"), &poly("0")),
        Err(PolyError::DivisionByZero)
    );
    let f = poly("x^2 - 5*x");
    assert_eq!(ring.mul_power_of_x(&f, 3).unwrap(), poly("x^5 - 5*x^4"));
    assert_eq!(ring.div_power_of_x(&f, 1), poly("x - 5"));
    assert_eq!(ring.div_power_of_x(&f, 9), poly("0"));
    assert_eq!(
        (ring.truncate(&f, 2), ring.truncate(&f, 0)),
        (poly("-5*x"), poly("0"))
    );
    assert_eq!(ring.mul_power_of_x(&poly("0"), usize::MAX), Ok(poly("0")));
    assert!(matches!(
        ring.mul_power_of_x(&f, usize::MAX),
        Err(PolyError::OutOfMemory(_))
    ));
}
