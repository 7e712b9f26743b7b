//! Dense and sparse matrices.

use super::{AT_ONCE, SOON, Trap, trap};
use crate::inputs::{self, Input::*};
use crate::right::{self, Right::*};

pub const TRAPS: &[Trap] = &[
    trap(
        "det-hilbert",
        "Hilbert's matrix of order 150",
        "det @m",
        &[(
            "m",
            Made(|| inputs::matrix(150, |i, j| format!("1/{}", i + j + 1))),
        )],
        SOON,
        Holds("its formula", right::hilbert_determinant),
    ),
    trap(
        "det-zero",
        "nothing but zeros, order 500",
        "det @m",
        &[("m", Made(|| inputs::matrix(500, |_, _| "0".into())))],
        SOON,
        Prints("0\n"),
    ),
    trap(
        "det-rank-one",
        "rank one, order 400",
        "det @m",
        &[(
            "m",
            Made(|| inputs::matrix(400, |i, j| ((i + 1) * (j + 1)).to_string())),
        )],
        SOON,
        Prints("0\n"),
    ),
    trap(
        "det-unimodular",
        "a determinant of 1 with long cofactors, order 200",
        "det @m",
        &[("m", Made(|| inputs::unimodular(200)))],
        SOON,
        Prints("1\n"),
    ),
    trap(
        "det-triangular",
        "a determinant of 1 with a bound of 51,000 bits",
        "det @m",
        &[(
            "m",
            Made(|| {
                let long = format!("1{}", "0".repeat(50));
                let entry = |i: usize, j: usize| match j.cmp(&i) {
                    std::cmp::Ordering::Less => "0".into(),
                    std::cmp::Ordering::Equal => "1".into(),
                    std::cmp::Ordering::Greater => long.clone(),
                };
                inputs::matrix(300, entry)
            }),
        )],
        (30, 1024),
        Prints("1\n"),
    ),
    trap(
        "det-one-long",
        "one entry of 10,000 digits, order 100",
        "det @m",
        &[(
            "m",
            Made(|| {
                let long = format!("1{}", "0".repeat(10_000));
                let entry = |i: usize, j: usize| match i.abs_diff(j) {
                    0 if i == 0 => format!("{}2", &long[..10_000]),
                    0 => "2".into(),
                    1 => "-1".into(),
                    _ => "0".into(),
                };
                inputs::matrix(100, entry)
            }),
        )],
        (30, 1024),
        Holds("100·10^10000 + 101", right::corner_determinant),
    ),
    trap(
        "inverse-singular",
        "no inverse: rank 2, order 200, quotients",
        "matrix inverse @m",
        &[(
            "m",
            Made(|| inputs::matrix(200, |i, j| format!("{}/3", i + j + 1))),
        )],
        SOON,
        Refused("its rank is 2"),
    ),
    trap(
        "inverse-triangular",
        "an inverse as full as the matrix, order 200",
        "matrix inverse @m",
        &[(
            "m",
            Made(|| {
                let entry = |i: usize, j: usize| match j.cmp(&i) {
                    std::cmp::Ordering::Less => "0",
                    std::cmp::Ordering::Equal => "1",
                    std::cmp::Ordering::Greater => "2",
                };
                inputs::matrix(200, |i, j| entry(i, j).into())
            }),
        )],
        SOON,
        Holds("its first row", right::alternating_twos),
    ),
    trap(
        "rank-tall",
        "50,000 rows of rank 2",
        "matrix rank @m",
        &[(
            "m",
            Made(|| inputs::rectangle(50_000, 3, |i, j| (i + j).to_string())),
        )],
        SOON,
        Prints("2\n"),
    ),
    trap(
        "solve-inconsistent",
        "the last of 300 equal equations contradicts",
        "matrix solve @m @b",
        &[
            ("m", Made(|| inputs::matrix(300, |_, _| "1".into()))),
            ("b", Made(|| "1\n".repeat(299) + "2\n")),
        ],
        SOON,
        Refused("no solution"),
    ),
    trap(
        "sparse-path",
        "a path of 200,000 nodes with mixed names: as many levels",
        "sparse reorder @m --method rcm",
        &[("m", Made(|| inputs::shuffled_path(200_000)))],
        SOON,
        Holds("a band of width 1", right::path_in_order),
    ),
    trap(
        "sparse-components",
        "200,000 components",
        "sparse reorder @m --method rcm",
        &[(
            "m",
            Made(|| inputs::graph(400_000, (1..=200_000).map(|i| (i, i + 200_000)))),
        )],
        SOON,
        Holds("a band of width 1", right::pairs_in_order),
    ),
    trap(
        "sparse-star",
        "one node beside all 200,000",
        "sparse reorder @m --method auto",
        &[(
            "m",
            Made(|| inputs::graph(200_000, (2..=200_000).map(|i| (1, i)))),
        )],
        SOON,
        Holds("as many entries", right::star_kept),
    ),
    trap(
        "sparse-empty",
        "10^7 rows and columns, two of them with entries",
        "sparse reorder @m --method auto",
        &[(
            "m",
            Made(|| inputs::pattern(10_000_000, 10_000_000, &[(1, 1), (10_000_000, 10_000_000)])),
        )],
        (60, 1500),
        Holds("as many entries", right::two_entries_kept),
    ),
    trap(
        "sparse-duplicates",
        "2·10^6 times the same place",
        "sparse spmv @m --mod 469762049",
        &[(
            "m",
            Made(|| inputs::pattern(2, 2, &vec![(2, 1); 2_000_000])),
        )],
        SOON,
        Prints("0\n2000000\n"),
    ),
    trap(
        "sparse-header",
        "a header that promises 4·10^9 rows",
        "sparse info @m --max-memory 1G",
        &[(
            "m",
            Line("%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 1"),
        )],
        AT_ONCE,
        Refused("memory"),
    )
    .quick(),
];
