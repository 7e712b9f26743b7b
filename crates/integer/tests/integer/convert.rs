//! Conversions from and to the integers of other crates.

use dashu_int::IBig;
use num_bigint::BigInt;
use rug::Integer;
use sunzi_integer::convert::num_bigint::{from_num_bigint, to_num_bigint};
use sunzi_integer::convert::rug::{from_rug, to_rug};

/// Both signs, and both sides of a word's end.
const SAMPLES: [&str; 5] = [
    "0",
    "-1",
    "18446744073709551615",
    "-18446744073709551616",
    "123456789012345678901234567890",
];

#[test]
fn round_trips() {
    for text in SAMPLES {
        let here: IBig = text.parse().expect("a number");
        let there: BigInt = text.parse().expect("a number");
        assert_eq!(to_num_bigint(&here), there);
        assert_eq!(from_num_bigint(&there), here);
        let there: Integer = text.parse().expect("a number");
        assert_eq!(to_rug(&here), there);
        assert_eq!(from_rug(&there), here);
    }
}
