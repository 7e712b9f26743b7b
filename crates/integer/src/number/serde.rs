//! Numbers in formats of `serde`: decimal text where people read it, bytes elsewhere.
//!
//! A natural number is its bytes, the least significant first and without zeros at their end; an integer a pair of whether it is negative
//! and that; a rational number a pair of numerator and denominator. Readers of text also take numbers as the format has them.

use super::{Integer, Natural, Rational};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

impl Serialize for Natural {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_str(self);
        }
        let limbs = self.as_limbs().iter();
        let mut bytes: Vec<u8> = limbs.flat_map(|limb| limb.to_le_bytes()).collect();
        bytes.truncate(self.bit_len().div_ceil(8));
        serializer.serialize_bytes(&bytes)
    }
}

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.collect_str(self),
            false => (self.is_negative(), self.magnitude()).serialize(serializer),
        }
    }
}

impl Serialize for Rational {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.collect_str(self),
            false => (self.numerator(), self.denominator()).serialize(serializer),
        }
    }
}

/// Reads numbers that are text, or short ones as the format has them.
struct Text<T>(PhantomData<T>);

impl<T> Visitor<'_> for Text<T>
where
    T: FromStr<Err: fmt::Display> + From<u64> + TryFrom<i64>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the text of a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        let error = || E::invalid_value(Unexpected::Signed(value), &"a natural number");
        value.try_into().map_err(|_| error())
    }
}

/// Reads a natural number from its bytes.
struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Natural;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the bytes of a number")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Natural, E> {
        let limbs = bytes.chunks(8).map(|bytes| {
            let mut limb = [0; 8];
            limb[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(limb)
        });
        Ok(Natural::from_limbs(limbs.collect()))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Natural, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Natural {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(Text(PhantomData)),
            false => deserializer.deserialize_bytes(Bytes),
        }
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(Text(PhantomData));
        }
        let (negative, magnitude) = Deserialize::deserialize(deserializer)?;
        Ok(Self::from_sign_magnitude(negative, magnitude))
    }
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(Text(PhantomData));
        }
        let (numerator, denominator) = <(Integer, Natural)>::deserialize(deserializer)?;
        Self::new(numerator, denominator.into()).map_err(D::Error::custom)
    }
}
