//! Integers, sorts, compressed files, primes.

use super::{AT_ONCE, SOON, Trap, trap};
use crate::inputs::Input::*;
use crate::right::{self, Right::*};

pub const TRAPS: &[Trap] = &[
    trap(
        "int-long-by-short",
        "10^7 limbs by one digit",
        "int mul @a @b",
        &[
            ("a", Made(|| format!("0x{}\n", "f".repeat(160_000_000)))),
            ("b", Line("7")),
        ],
        (120, 3000),
        Holds("modulo 2^61 − 1", right::seven_times_ones),
    ),
    trap(
        "int-ones",
        "all ones, whose carries run through",
        "int mul @a @b",
        &[
            ("a", Made(|| format!("0x{}\n", "f".repeat(10_000_000)))),
            ("b", Made(|| format!("0x{}\n", "f".repeat(9_999_999)))),
        ],
        (30, 1024),
        Holds("modulo 2^61 − 1", right::ones_by_ones),
    ),
    trap(
        "int-power-of-ten",
        "10^7 decimal digits, nearly all zero",
        "int mul @a @a",
        &[("a", Made(|| format!("1{}\n", "0".repeat(10_000_000))))],
        SOON,
        Holds("digit by digit", right::power_of_ten),
    ),
    trap(
        "int-leading-zeros",
        "10^8 digits of a small number",
        "int mul @a @a",
        &[("a", Made(|| "0".repeat(100_000_000) + "7\n"))],
        SOON,
        Prints("49\n"),
    ),
    trap(
        "int-long-line",
        "a comment of 10^8 letters",
        "int mul @b @b",
        &[("b", Made(|| format!("#{}\n3\n", "-".repeat(100_000_000))))],
        SOON,
        Prints("9\n"),
    ),
    trap(
        "int-tiny-lines",
        "5·10^6 lines of a digit",
        "int mul @a @a",
        &[("a", Repeated("7\n", 5_000_000))],
        (30, 1024),
        Holds("line by line", right::forty_nines),
    ),
    trap(
        "int-empty-lines",
        "10^7 lines of nothing",
        "int mul @a @a",
        &[("a", Repeated("\n", 10_000_000))],
        SOON,
        Refused("holds no integer"),
    ),
    trap(
        "gzip-zeros",
        "10 MB that are 10 GiB",
        "int mul @a @a --max-memory 200M",
        &[("a", Compressed("0", 10 << 30))],
        AT_ONCE,
        Refused("does not fit the memory"),
    ),
    trap(
        "gzip-blanks",
        "the same of blanks, for a matrix",
        "det @a --max-memory 200M",
        &[("a", Compressed(" ", 10 << 30))],
        SOON,
        Refused("comments and blanks"),
    ),
    trap(
        "gzip-lines",
        "the same of lines of 1",
        "sort @a --max-memory 200M",
        &[("a", Compressed("1\n", 10 << 30))],
        SOON,
        Refused("can be used"),
    ),
    trap(
        "sort-equal",
        "2·10^6 equal keys",
        "sort @a --unique",
        &[("a", Repeated("123456789012345678\n", 2_000_000))],
        SOON,
        Prints("123456789012345678\n"),
    ),
    trap(
        "sort-one-long",
        "an integer of 3·10^6 digits among 10^6 of one",
        "sort @a",
        &[(
            "a",
            Made(|| "9".repeat(3_000_000) + "\n" + &"5\n".repeat(1_000_000)),
        )],
        SOON,
        Holds("order", right::million_and_one_ascend),
    ),
    trap(
        "sort-last-limb",
        "20,000 integers that differ in their last limb alone",
        "sort @a",
        &[(
            "a",
            Made(|| {
                let tail = |i| format!("0x{}{i:08x}\n", "f".repeat(2000));
                (0..20_000).rev().map(tail).collect()
            }),
        )],
        SOON,
        Holds("order", right::twenty_thousand_ascend),
    ),
    trap(
        "sort-far-positions",
        "sparse integers with ones up to place 2^32",
        "sort @a --bits sparse",
        &[(
            "a",
            Made(|| {
                let far = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
                let line = |i| format!("{} 5 4294967294\n", far(i) + 6);
                (1..=300_000).map(line).collect()
            }),
        )],
        SOON,
        Holds("order", right::positions_ascend),
    ),
    trap(
        "prime-square",
        "the square of a prime near 2^31.5",
        "prime 9223371994482243049",
        &[],
        AT_ONCE,
        Refused("3037000493 divides it"),
    )
    .quick(),
    trap(
        "prime-long",
        "4001 digits of no prime that can be used",
        "prime 10^4000+1",
        &[],
        AT_ONCE,
        Refused("the modulus is too large"),
    )
    .quick(),
    trap(
        "prime-tower",
        "a number that cannot be written",
        "prime 9^9^9",
        &[],
        AT_ONCE,
        Refused("the modulus is too large"),
    )
    .quick(),
    trap(
        "prime-composite",
        "a composite number r^256 + 1 of 16,129 bits",
        "prime (2^63+2)^256+1",
        &[],
        SOON,
        Refused("not prime"),
    ),
];
