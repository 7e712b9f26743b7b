//! Integers of every library, by the same names.

use std::str::FromStr;

use dashu_int::ops::UnsignedAbs as _;
use malachite_base::num::arithmetic::traits as malachite;

use crate::flint::Fmpz;

/// What the integers of a library can do, each as its user writes it; numbers are not negative.
pub trait Number: Clone + Send + 'static {
    /// The library's name.
    const NAME: &'static str;

    fn from_limbs(limbs: &[u64]) -> Self;
    fn limbs(&self) -> Vec<u64>;
    fn product(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
    fn div_rem(&self, divisor: &Self) -> [Self; 2];
    fn gcd(&self, other: &Self) -> Self;
    /// The divisor, and both cofactors or their sizes.
    fn gcd_ext(&self, other: &Self) -> [Self; 3];
    fn sqrt(&self) -> Self;
    fn pow(&self, exponent: u32) -> Self;
    fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self;
    fn to_text(&self) -> String;
    fn from_text(text: &str) -> Self;
}

impl Number for sunzi_integer::Integer {
    const NAME: &'static str = "Sunzi";

    fn from_limbs(limbs: &[u64]) -> Self {
        sunzi_integer::Natural::from(limbs).into()
    }

    fn limbs(&self) -> Vec<u64> {
        self.magnitude().as_limbs().to_vec()
    }

    fn product(&self, other: &Self) -> Self {
        self * other
    }

    fn square(&self) -> Self {
        self * self
    }

    fn div_rem(&self, divisor: &Self) -> [Self; 2] {
        self.div_rem(divisor).into()
    }

    fn gcd(&self, other: &Self) -> Self {
        self.gcd(other).into()
    }

    fn gcd_ext(&self, other: &Self) -> [Self; 3] {
        let (gcd, s, t) = self.gcd_ext(other);
        [gcd.into(), s, t]
    }

    fn sqrt(&self) -> Self {
        self.magnitude().sqrt().into()
    }

    fn pow(&self, exponent: u32) -> Self {
        self.pow(exponent as usize)
    }

    fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        self.pow_mod(exponent, modulus)
            .expect("the modulus is not 0")
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(text: &str) -> Self {
        text.parse().expect("digits")
    }
}

impl Number for rug::Integer {
    const NAME: &'static str = "GMP";

    fn from_limbs(limbs: &[u64]) -> Self {
        Self::from_digits(limbs, rug::integer::Order::Lsf)
    }

    fn limbs(&self) -> Vec<u64> {
        self.to_digits(rug::integer::Order::Lsf)
    }

    fn product(&self, other: &Self) -> Self {
        Self::from(self * other)
    }

    fn square(&self) -> Self {
        Self::from(self.square_ref())
    }

    fn div_rem(&self, divisor: &Self) -> [Self; 2] {
        let both: (Self, Self) = self.div_rem_ref(divisor).into();
        both.into()
    }

    fn gcd(&self, other: &Self) -> Self {
        self.gcd_ref(other).into()
    }

    fn gcd_ext(&self, other: &Self) -> [Self; 3] {
        let all: (Self, Self, Self) = self.extended_gcd_ref(other).into();
        all.into()
    }

    fn sqrt(&self) -> Self {
        self.sqrt_ref().into()
    }

    fn pow(&self, exponent: u32) -> Self {
        rug::ops::Pow::pow(self, exponent).into()
    }

    fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        let power = self.pow_mod_ref(exponent, modulus);
        power.expect("the exponent is not negative").into()
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(text: &str) -> Self {
        text.parse().expect("digits")
    }
}

impl Number for Fmpz {
    const NAME: &'static str = "FLINT";

    fn from_limbs(limbs: &[u64]) -> Self {
        Self::new(limbs)
    }

    fn limbs(&self) -> Vec<u64> {
        self.all_limbs()
    }

    fn product(&self, other: &Self) -> Self {
        self.times(other)
    }

    fn square(&self) -> Self {
        self.times(self)
    }

    fn div_rem(&self, divisor: &Self) -> [Self; 2] {
        self.div_rem(divisor)
    }

    fn gcd(&self, other: &Self) -> Self {
        self.gcd(other)
    }

    fn gcd_ext(&self, other: &Self) -> [Self; 3] {
        self.gcd_ext(other)
    }

    fn sqrt(&self) -> Self {
        self.sqrt()
    }

    fn pow(&self, exponent: u32) -> Self {
        self.pow(exponent)
    }

    fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        self.pow_mod(exponent, modulus)
    }

    fn to_text(&self) -> String {
        self.to_text()
    }

    fn from_text(text: &str) -> Self {
        Self::from_text(text)
    }
}

impl Number for dashu_int::IBig {
    const NAME: &'static str = "dashu";

    fn from_limbs(limbs: &[u64]) -> Self {
        dashu_int::UBig::from_words(limbs).into()
    }

    fn limbs(&self) -> Vec<u64> {
        self.as_sign_words().1.to_vec()
    }

    fn product(&self, other: &Self) -> Self {
        self * other
    }

    fn square(&self) -> Self {
        self.sqr().into()
    }

    fn div_rem(&self, divisor: &Self) -> [Self; 2] {
        dashu_int::ops::DivRem::div_rem(self, divisor).into()
    }

    fn gcd(&self, other: &Self) -> Self {
        dashu_int::ops::Gcd::gcd(self, other).into()
    }

    fn gcd_ext(&self, other: &Self) -> [Self; 3] {
        let (gcd, s, t) = dashu_int::ops::ExtendedGcd::gcd_ext(self, other);
        [gcd.into(), s, t]
    }

    fn sqrt(&self) -> Self {
        dashu_int::ops::SquareRoot::sqrt(&self.clone().unsigned_abs()).into()
    }

    fn pow(&self, exponent: u32) -> Self {
        self.pow(exponent as usize)
    }

    fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        let magnitude = |x: &Self| x.clone().unsigned_abs();
        let ring = dashu_int::fast_div::ConstDivisor::new(magnitude(modulus));
        ring.reduce(magnitude(self))
            .pow(&magnitude(exponent))
            .residue()
            .into()
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(text: &str) -> Self {
        text.parse().expect("digits")
    }
}

impl Number for malachite_nz::natural::Natural {
    const NAME: &'static str = "malachite";

    fn from_limbs(limbs: &[u64]) -> Self {
        Self::from_limbs_asc(limbs)
    }

    fn limbs(&self) -> Vec<u64> {
        self.to_limbs_asc()
    }

    fn product(&self, other: &Self) -> Self {
        self * other
    }

    fn square(&self) -> Self {
        malachite::Square::square(self)
    }

    fn div_rem(&self, divisor: &Self) -> [Self; 2] {
        malachite::DivMod::div_mod(self, divisor).into()
    }

    fn gcd(&self, other: &Self) -> Self {
        malachite::Gcd::gcd(self, other)
    }

    fn gcd_ext(&self, other: &Self) -> [Self; 3] {
        let (gcd, s, t) = malachite::ExtendedGcd::extended_gcd(self, other);
        [
            gcd,
            s.unsigned_abs_ref().clone(),
            t.unsigned_abs_ref().clone(),
        ]
    }

    fn sqrt(&self) -> Self {
        malachite::FloorSqrt::floor_sqrt(self)
    }

    fn pow(&self, exponent: u32) -> Self {
        malachite::Pow::pow(self, exponent.into())
    }

    fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        malachite::ModPow::mod_pow(self % modulus, exponent, modulus)
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(text: &str) -> Self {
        Self::from_str(text).expect("digits")
    }
}
