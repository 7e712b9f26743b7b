//! What subresultants have in common.

use super::oracle::{product, subresultant};
use proptest::collection::vec;
use proptest::prelude::*;
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, ChainOptions, IntegerPolyRing, Poly, resultant_y, subresultant_y};

/// Up to `rows` rows of up to three coefficients, many of them 0; not 0, and of degree 1 in y at least.
fn polynomial(rows: usize) -> impl Strategy<Value = BivariatePoly<Integer>> {
    let coefficient = prop_oneof![Just(0), -3i64..=3, any::<i64>()].prop_map(Integer::from);
    let row = vec(coefficient, 0..=3).prop_map(Poly::new);
    let some = vec(row, 2..=rows).prop_map(BivariatePoly::new);
    some.prop_filter("of degree 0 in y", |f| f.degree_y() > Some(0))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn all_are_determinants(f in polynomial(5), g in polynomial(5)) {
        let lesser = f.rows().len().min(g.rows().len()) - 1;
        let wanted: Vec<usize> = (0..lesser).collect();
        let known = subresultant_y(&f, &g, &wanted, ChainOptions::new())?;
        let expected: Vec<_> = wanted.iter().map(|&j| subresultant(&f, &g, j)).collect();
        prop_assert_eq!(known.value, expected);
    }

    #[test]
    fn resultants_are_multiplicative(f in polynomial(4), g in polynomial(4), h in polynomial(3)) {
        let resultant = |f, g| resultant_y(f, g, ChainOptions::new()).map(|known| known.value);
        let factors = IntegerPolyRing::new().mul(&resultant(&f, &g)?, &resultant(&h, &g)?);
        prop_assert_eq!(resultant(&product(&f, &h), &g)?, factors);
    }

    #[test]
    fn exchanged_operands_change_signs(f in polynomial(6), g in polynomial(4)) {
        let (m, n) = (f.rows().len() - 1, g.rows().len() - 1);
        let wanted: Vec<usize> = (0..m.min(n)).collect();
        let chain = subresultant_y(&f, &g, &wanted, ChainOptions::new())?.value;
        let exchanged = subresultant_y(&g, &f, &wanted, ChainOptions::new())?.value;
        for ((a, b), j) in chain.into_iter().zip(exchanged).zip(wanted) {
            let negative = (m - j) % 2 == 1 && (n - j) % 2 == 1;
            prop_assert_eq!(a, if negative { b.map(|c| -c) } else { b });
        }
    }
}
