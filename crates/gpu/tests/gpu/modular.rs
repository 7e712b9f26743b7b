//! Residues modulo a prime by their definitions, for naive algorithms to compare with.

pub fn mul(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

pub fn pow(x: u64, exponent: u64, p: u64) -> u64 {
    let bits = (0..64).rev().map(|bit| exponent >> bit & 1);
    bits.fold(1, |power, bit| {
        let square = mul(power, power, p);
        if bit == 1 { mul(square, x, p) } else { square }
    })
}

pub fn inverse(x: u64, p: u64) -> u64 {
    pow(x, p - 2, p)
}
