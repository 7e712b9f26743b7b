//! Polynomials over Z, over Q and modulo a prime: `cargo run --release -p sunzi --example polynomials`.

use sunzi::field::Fp64;
use sunzi::poly::{Poly, PolyRing, RationalPolyRing, SubproductTree};
use sunzi::solve::{RealRoots, gcd, resultant};
use sunzi::{Error, Integer, Rational};

pub(crate) fn main() -> Result<(), Error> {
    // Over Z and Q, operators need nothing else.
    let f: Poly<Integer> = "(x^2 - 2)*(x - 1)".parse()?;
    let g = &f * &f - 3 * f.pow(2) + "x - 1".parse::<Poly<Integer>>()?;
    assert_eq!(gcd(&f, &g)?.to_string(), "x - 1");
    assert_eq!(resultant(&f, &"x + 1".parse()?)?, -2);
    println!("the roots of {f}:\n{:.20}", RealRoots::of(&f)?);

    let h: Poly<Rational> = "x^2/2 - 1/3".parse()?;
    let values = RationalPolyRing::shared().evaluate(&h, &["2/3".parse()?])?;
    assert_eq!(values[0].to_string(), "-1/9");

    // Modulo a prime, a ring holds the prime and what products precompute.
    let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1)?);
    let x = ring.bind(ring.parse("x")?);
    let f = (&x - 1) * (&x - 2);
    assert_eq!(ring.divrem(&f, &(x - 1))?.0, ring.parse("x - 2")?);
    let tree = SubproductTree::new(&ring, &[0, 1, 2, 3])?;
    assert_eq!(tree.evaluate(&f)?, [2, 0, 0, 2]);
    Ok(())
}
