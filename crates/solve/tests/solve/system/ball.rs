//! Numbers with a bound of their error.

use sunzi_integer::Integer;
use sunzi_poly::Poly;
use sunzi_solve::Dyadic;
use sunzi_solve::internals::Ball;

fn ball(lower: i64, upper: i64, exponent: i64) -> Ball {
    Ball::between(
        &Dyadic::new(lower.into(), exponent),
        &Dyadic::new(upper.into(), exponent),
    )
}

#[test]
fn operations_hold_what_they_are_made_of() {
    let ends = [-7i64, -3, -1, 0, 1, 2, 5, 1 << 40];
    let pairs = || {
        ends.iter()
            .flat_map(|&a| ends.iter().filter(move |&&b| b >= a).map(move |&b| (a, b)))
    };
    for precision in [4, 16, 64] {
        for ((a, b), (c, d)) in pairs().flat_map(|x| pairs().map(move |y| (x, y))) {
            let (x, y) = (ball(a, b, -3), ball(c, d, 5));
            let (sum, product) = (x.clone().add(y.clone(), precision), x.mul(&y, precision));
            let quotient = x.div(&y, precision);
            assert_eq!(quotient.is_none(), y.sign().is_none_or(|sign| sign.is_eq()));
            for (a, c) in [(a, c), (a, d), (b, c), (b, d)] {
                let (a, c) = (Dyadic::new(a.into(), -3), Dyadic::new(c.into(), 5));
                let holds = |ball: &Ball, x: &Dyadic| ball.lower() <= *x && *x <= ball.upper();
                assert!(holds(&sum, &(&a + &c)) && holds(&product, &(&a * &c)));
                // q is in the ball if its ends times c are on both sides of a.
                let ends = quotient
                    .as_ref()
                    .map(|q| [&q.lower() * &c, &q.upper() * &c]);
                let [low, high] = ends.unwrap_or([a.clone(), a.clone()]);
                assert!((low <= a && a <= high) || (high <= a && a <= low));
            }
        }
    }
}

#[test]
fn quotients_of_exact_numbers_are_as_narrow_as_asked() {
    for precision in [64, 256, 1024] {
        let third = ball(1, 1, 0)
            .div(&ball(3, 3, 0), precision)
            .expect("3 is not 0");
        let zero = ball(0, 0, 0)
            .div(&ball(3, 3, 0), precision)
            .expect("3 is not 0");
        for quotient in [third, zero] {
            let width = &quotient.upper() - &quotient.lower();
            assert!(width.magnitude() <= Some(8 - precision as i64));
        }
    }
}

#[test]
fn values_of_polynomials_are_held_and_narrow() {
    // (t − 1)^9 by its coefficients, and times 2^300, which is cut.
    for scale in [0, 300] {
        let mut f = vec![Integer::ONE << scale];
        for _ in 0..9 {
            let shifted = std::iter::once(Integer::ZERO).chain(f.iter().cloned());
            let same = f.iter().cloned().chain(std::iter::once(Integer::ZERO));
            f = shifted.zip(same).map(|(a, b)| a - b).collect();
        }
        let f = Poly::new(f);
        let at = Dyadic::new(Integer::from(3), -1);
        let value = Dyadic::new(Integer::ONE, scale as i64 - 9);
        for precision in [16, 64, 256] {
            let ball = Ball::between(&at, &at).evaluate(&f, precision);
            assert!(ball.lower() <= value && value <= ball.upper());
            assert!(precision < 64 || ball.sign().is_some());
        }
    }
}
