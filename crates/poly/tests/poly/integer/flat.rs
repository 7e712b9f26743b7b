//! Coefficients in rows of limbs.

use sunzi_integer::Integer;
use sunzi_poly::internals::widest;
use sunzi_poly::{FlatPoly, Poly};

#[test]
fn integers_keep_their_values() {
    let one = Integer::ONE;
    let edges: Vec<Integer> = [0, 1, 63, 64, 65, 127, 128, 129, 200]
        .into_iter()
        .flat_map(|bits: usize| {
            let power: Integer = &one << bits;
            [power.clone() - &one, power.clone(), power + &one]
        })
        .flat_map(|value| [value.clone(), -value])
        .collect();
    for end in 1..=edges.len() {
        let poly = Poly::new(edges[..end].to_vec());
        let flat = FlatPoly::from_poly(&poly);
        assert_eq!(flat.len(), poly.len());
        assert_eq!(flat.to_poly(), poly);
        assert_eq!(flat.magnitude_bits(), widest(poly.coefficients()));
    }
}

#[test]
fn rows_must_be_whole() {
    assert!(FlatPoly::from_limbs(2, vec![1, 2, 3]).is_err());
    assert!(FlatPoly::from_limbs(0, vec![]).is_err());
    assert_eq!(FlatPoly::from_limbs(3, vec![1, 2, 3]).unwrap().len(), 1);
    assert!(FlatPoly::default().is_empty());
}
