//! Over the integers.

use super::oracle::{dense_pair, edge_pairs, random, small, subresultant};
use crate::{BivariatePoly, ChainOptions, Known, SolveError, resultant_y, subresultant_y};
use dashu_int::IBig;
use sunzi_poly::Poly;
use sunzi_testkit::{Random, on_every_thread_count};

#[test]
fn chains_are_those_of_the_definition() {
    for [f, g] in edge_pairs() {
        let lesser = f.rows().len().min(g.rows().len()) - 1;
        let wanted: Vec<usize> = (0..lesser).collect();
        let known = subresultant_y(&f, &g, &wanted, ChainOptions::new()).unwrap();
        assert!(known.proved && known.dropped == 0);
        for (j, found) in known.value.iter().enumerate() {
            assert_eq!(found, &subresultant(&f, &g, j), "S_{j} of {f:?} and {g:?}");
        }
        let resultant = resultant_y(&f, &g, ChainOptions::new()).unwrap();
        assert_eq!(
            resultant.value,
            known.value[0].row(0).cloned().unwrap_or_default()
        );
    }
}
