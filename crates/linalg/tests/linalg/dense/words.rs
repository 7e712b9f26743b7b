//! Integers modulo a power of two, compared with GMP's.

use rug::Integer as GmpInteger;
use sunzi_integer::Integer;
use sunzi_linalg::internals::Words;
use sunzi_testkit::{from_gmp, to_gmp};

/// Words that are all zeros or all ones, or nearly.
fn battery<const W: usize>() -> Vec<Words<W>> {
    let choices = [
        0,
        1,
        2,
        3,
        1 << 63,
        u64::MAX,
        u64::MAX - 1,
        0x0123_4567_89ab_cdef,
    ];
    let mut words = Vec::new();
    for &low in &choices {
        for &high in &choices {
            let mut word = [low; W];
            word[W - 1] = high;
            words.push(Words(word));
            let mut word = [0; W];
            (word[0], word[W / 2]) = (low, high);
            words.push(Words(word));
        }
    }
    words
}

fn reduced<const W: usize>(value: GmpInteger) -> GmpInteger {
    value.keep_signed_bits(64 * W as u32)
}

fn check<const W: usize>() {
    let gmp = |words: Words<W>| to_gmp(&words.signed());
    let all = battery::<W>();
    for &a in &all {
        let value = gmp(a);
        assert_eq!(Words::of(&a.signed()), a);
        assert_eq!(
            Words::<W>::of(&(a.signed() + (Integer::ONE << (64 * W)))),
            a
        );
        assert_eq!(
            Words::<W>::of(&(a.signed() - (Integer::ONE << (64 * W + 70)))),
            a
        );
        assert_eq!(gmp(a.negated()), reduced::<W>(-value.clone()));
        assert_eq!(a.is_zero(), value == 0);
        let bits = 64 * W as u32;
        assert_eq!(a.valuation(), value.find_one(0).unwrap_or(bits));
        let unsigned = value.clone().keep_bits(bits);
        for shift in [0, 1, 63, 64, 65, bits - 1]
            .into_iter()
            .filter(|&shift| shift < bits)
        {
            let expected = reduced::<W>(unsigned.clone() >> shift);
            assert_eq!(gmp(a.shifted(shift)), expected, "{a:?} >> {shift}");
        }
        if a.0[0] & 1 == 1 {
            assert_eq!(a.times(a.inverse()), Words::ONE, "1/{a:?}");
        }
        for &b in &all {
            let c = all[(a.0[0] % 31 + b.0[W - 1] % 97) as usize];
            let expected = gmp(c) + gmp(a) * gmp(b);
            assert_eq!(
                gmp(c.plus_product(a, b)),
                reduced::<W>(expected),
                "{a:?}·{b:?}"
            );
        }
    }
    let least = Words::<W>::of(&from_gmp(&(-(GmpInteger::from(1) << (64 * W as u32 - 1)))));
    assert_eq!((least.negated(), least.0[W - 1]), (least, 1 << 63));
}

#[test]
fn operations_are_those_of_integers() {
    check::<1>();
    check::<2>();
    check::<3>();
    check::<5>();
    check::<8>();
}
