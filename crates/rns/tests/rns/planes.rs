//! Residues of either sign by planes of digits.

use dashu_int::{IBig, UBig};
use sunzi_field::{Field, Fp32};
use sunzi_rns::Planes;

#[test]
fn residues_of_either_sign() {
    let mut values = vec![IBig::ZERO];
    for bits in [1, 29, 30, 31, 59, 60, 61, 64, 90, 200] {
        for offset in [-1, 0, 1] {
            let value = IBig::from(UBig::ONE << bits) + IBig::from(offset);
            values.extend([-value.clone(), value]);
        }
    }
    for prime in [1_073_741_827, 2_147_483_647] {
        let field = Fp32::new(prime).unwrap();
        let expected = |values: &[IBig]| -> Vec<u32> {
            values
                .iter()
                .map(|value| field.from_integer(value))
                .collect()
        };
        for end in 0..values.len() {
            let values = &values[..end];
            assert_eq!(Planes::new(values.iter()).reduce(&field), expected(values));
            let positive: Vec<IBig> = values
                .iter()
                .filter(|&value| *value >= IBig::ZERO)
                .cloned()
                .collect();
            assert_eq!(
                Planes::new(positive.iter()).reduce(&field),
                expected(&positive)
            );
        }
    }
}
