//! Rows of digits.

use proptest::prelude::*;
use std::cmp::Ordering;
use sunzi_integer::Integer;
use sunzi_solve::internals::{DIGIT, Growth, LEVELS, Rows, shift_right, sign_beyond, triangle};

fn integer(rows: &Rows, at: usize) -> Integer {
    let digits = rows.row(at).iter().rev();
    let value = digits.fold(Integer::ZERO, |value, &digit| {
        (value << DIGIT) + Integer::from(digit.cast_signed())
    });
    assert_eq!(rows.integer(at), value);
    value
}

fn integers() -> impl Strategy<Value = Vec<Integer>> {
    let edge = prop_oneof![
        Just(0i128),
        Just(-1),
        Just(i128::MAX),
        Just(i128::MIN),
        Just(-(1 << 64)),
        any::<i128>(),
        -5i128..5,
    ];
    proptest::collection::vec(edge.prop_map(Integer::from), 1..80)
}

proptest! {
    #[test]
    fn rows_are_integers(values in integers(), shift in 0usize..90, error in 0u64..1 << 62) {
        let rows = Rows::from_integers(values.iter(), 5);
        let mut short = rows.clone();
        short.shorten();
        for (at, value) in values.iter().enumerate() {
            prop_assert_eq!(&integer(&rows, at), value);
            prop_assert_eq!(&integer(&short, at), value);
            let mut out = Rows::zeros(1, 4);
            if (value >> shift).bit_len() < 127 {
                shift_right(&mut rows.row(at).to_vec(), shift, out.row_mut(0));
                prop_assert_eq!(integer(&out, 0), value >> shift);
            }
            let expected = match value.clone() {
                value if value > error => Ordering::Greater,
                value if value < -Integer::from(error) => Ordering::Less,
                _ => Ordering::Equal,
            };
            prop_assert_eq!(sign_beyond(short.row(at), error), expected);
            prop_assert_eq!(sign_beyond(rows.row(at), error), expected);
        }
    }

    #[test]
    fn triangles_are_sums(values in integers()) {
        let len = values.len();
        let kept = triangle(&Rows::from_integers(values.iter(), 8), Growth::Kept);
        let halved = triangle(&Rows::from_integers(values.iter(), 5), Growth::Halved);
        let bound = Integer::from(len / LEVELS + 2);
        let mut level = values;
        for at in 0..len {
            let (first, last) = (&level[0], &level[level.len() - 1]);
            prop_assert_eq!(&integer(&kept.first, at), first);
            prop_assert_eq!(&integer(&kept.last, len - 1 - at), last);
            for (mean, sum) in [(&halved.first, first), (&halved.last, last)] {
                let place = if std::ptr::eq(mean, &halved.first) { at } else { len - 1 - at };
                let error = (sum >> at) - integer(mean, place);
                prop_assert!(error >= Integer::ZERO && error < bound, "{}", error);
            }
            level = level.windows(2).map(|pair| &pair[0] + &pair[1]).collect();
        }
    }
}
