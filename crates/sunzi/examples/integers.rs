//! Integers and rational numbers of any size: `cargo run --release -p sunzi --example integers`.

use sunzi::{Error, Integer, Natural, Rational};

pub(crate) fn main() -> Result<(), Error> {
    let f: Natural = (1..=20_000u64).product(); // 20000!
    println!("20000! has {} digits", f.to_string().len());
    assert_eq!((&f * &f).sqrt(), f);

    let a: Integer = "-123456789012345678901234567890".parse()?;
    let (quotient, remainder) = a.div_rem_floor(&97.into()); // as // and % of Python
    assert_eq!(quotient * 97 + remainder, a);
    let (g, s, t) = a.gcd_ext(&35.into());
    assert_eq!(s * &a + t * 35, Integer::from(g));
    assert_eq!(Integer::from(3).try_pow_mod(&(-1).into(), &7.into())?, 5);

    let harmonic: Rational = (1..=20u32)
        .map(|n| Rational::from_parts(1.into(), n.into()))
        .sum();
    assert_eq!(
        format!("{harmonic} is {harmonic:.6}"),
        "55835135/15519504 is 3.597740"
    );
    Ok(())
}
