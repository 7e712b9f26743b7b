//! Fields found at run time.

use dashu_int::UBig;
use sunzi_field::{AnyField, Digits, Fp32, Fp64, GeneralizedFermat, Rows};

#[test]
fn vectors_become_elements_and_rows_again() {
    fn there_and_back<F: Rows>(rows: &[u64]) {
        for spare in 0..3 {
            let mut vector = Vec::with_capacity(rows.len() + spare);
            vector.extend_from_slice(rows);
            let elements = F::from_rows(vector);
            assert_eq!(*F::rows(&elements), *rows);
            assert_eq!(F::into_rows(elements), rows);
        }
    }
    there_and_back::<Fp32>(&[1, 2, 3]);
    there_and_back::<Fp64>(&[1, 2, u64::MAX]);
    there_and_back::<GeneralizedFermat<4>>(&[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(
        GeneralizedFermat::<2>::from_rows(vec![1, 2, 3]),
        [Digits([1, 2])]
    );
}

#[test]
fn rows_of_other_lengths_do_no_harm() {
    let fields = [
        AnyField::modulo_word(101).unwrap(),
        AnyField::modulo_word(u64::MAX - 58).unwrap(),
        AnyField::generalized_fermat(10, 2).unwrap(),
    ];
    for field in fields {
        let (mut zero, mut two) = (Vec::new(), Vec::new());
        field.push_u64(0, &mut zero);
        field.push_u64(2, &mut two);
        let short = &two[1..];
        let long = [&two[..], &[7]].concat();
        assert_eq!(field.product_row(&two, short), zero);
        assert_eq!(field.product_row(&long, &two), field.sum_row(&two, &long));
        assert_eq!(field.sum_row(short, &two), two);
        assert_eq!(field.negated_row(short), zero);
        assert_eq!(field.power_row(&long, 1), two);
        assert_eq!(field.inverse_row(short), None);
        assert_eq!(field.inverse_row(&long), field.inverse_row(&two));
        let rows = [&two[..], &two[..]].concat();
        let found = field.multiplied_by_powers(rows, short);
        assert_eq!(found, [&two[..], &zero[..]].concat());
    }
}

#[test]
fn what_is_no_field_is_refused() {
    for (modulus, said) in [
        (UBig::from(91u8), "7 divides it"),
        (UBig::ONE << 64, "65 bits"),
        ((UBig::ONE << 128) + UBig::ONE, "not prime"),
    ] {
        let error = AnyField::new(&modulus).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    assert!(AnyField::generalized_fermat(10, 3).is_err());
}

#[test]
fn fields_are_read_and_written() {
    for (text, prime) in [
        ("2^31 - 1", "2147483647"),
        (" 17 ", "17"),
        ("10^2+1", "101"),
    ] {
        assert_eq!(text.parse::<AnyField>().unwrap().to_string(), prime);
    }
    assert_eq!(
        "P8".parse::<AnyField>().unwrap(),
        "(2^59+2^57+2^39)^8+1".parse().unwrap()
    );
    for (text, said) in [
        ("15", "is not prime"),
        ("2^64", "there is no field"),
        ("2^", "column 3"),
        ("P9", "column 1"),
    ] {
        let error = text.parse::<AnyField>().unwrap_err().to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
    let negative = AnyField::new(&dashu_int::IBig::from(-7));
    assert_eq!(
        negative.unwrap_err().to_string(),
        "the modulus is negative: give an odd prime"
    );
}
