//! Gray orders: permutations that keep the product, the algorithm's steps against a literal version,
//! edges, linear cost, and fewer misses.

use std::num::NonZeroU32;

use proptest::prelude::*;
use sunzi_sparse::{
    CsrMatrix, Permutation, SparseError,
    cache::{Array, CacheShape, Replacement, Spmv, Trace, simulate},
    reorder::{GrayOrdering, GrayReport, NonZeroKind, Reordering, classify, gray_ordering},
    test_matrices::{TestMatrix, shuffled},
};
use sunzi_testkit::{Random, on_threads};

fn pattern(rows: usize, columns: usize, places: &[(u32, u32)]) -> CsrMatrix<i64> {
    let triplets: Vec<_> = places
        .iter()
        .map(|&(i, j)| (i, j, i64::from(1 + 7 * i + j)))
        .collect();
    CsrMatrix::from_triplets_with(rows, columns, &triplets, |a, _| a).unwrap()
}

fn options(merge: Option<u32>, stop: f64) -> GrayOrdering {
    GrayOrdering {
        merge: merge.and_then(NonZeroU32::new),
        stop,
        ..GrayOrdering::default()
    }
}

fn product(matrix: &CsrMatrix<i64>, x: &[i64]) -> Vec<i64> {
    let row = |i| {
        matrix
            .row(i)
            .0
            .iter()
            .zip(matrix.row(i).1)
            .map(|(&j, a)| a * x[j as usize])
            .sum()
    };
    (0..matrix.rows()).map(row).collect()
}

/// Permutations, the same product, and a report that fits the matrix.
fn check(matrix: &CsrMatrix<i64>, options: &GrayOrdering) -> Reordering {
    let found = gray_ordering(matrix, options).unwrap();
    // A type without 0, which `classify` divides by.
    let merge: std::num::NonZeroU32 = found.report.merge;
    let expected = options.merge_for(matrix.rows(), matrix.columns(), matrix.nnz());
    assert_eq!(merge, expected);
    assert!(Permutation::new(found.rows.order().to_vec()).is_ok());
    assert!(Permutation::new(found.columns.order().to_vec()).is_ok());
    let reordered = matrix.permuted(&found.rows, &found.columns).unwrap();
    let x: Vec<i64> = (0..matrix.columns() as i64)
        .map(|j| 1 + j * j % 11)
        .collect();
    assert_eq!(
        product(&reordered, &found.columns.apply(&x)),
        found.rows.apply(&product(matrix, &x))
    );
    let report = found.report;
    assert_eq!(report.beginning_rows + report.won_rows, matrix.rows());
    assert!(report.merged_lists <= report.lists && report.lists <= matrix.columns());
    let kinds = classify(&reordered, &report).unwrap();
    assert_eq!(kinds.kinds.len(), matrix.nnz());
    let both = kinds
        .kinds
        .iter()
        .filter(|kind| **kind == NonZeroKind::BetaDelta)
        .count();
    assert_eq!(
        kinds.alpha + kinds.beta + kinds.gamma + kinds.delta + kinds.lambda,
        matrix.nnz() + both
    );
    assert!(kinds.beta <= matrix.columns());
    found
}

/// Algorithms 7, 8 and 9 by the letter: sets and comparisons.
fn literal(matrix: &CsrMatrix<i64>, merge: usize, stop: f64) -> (Vec<usize>, Vec<usize>) {
    let (m, n) = (matrix.rows(), matrix.columns());
    let has = |i: usize, j: usize| matrix.get(i, j).is_some();
    let begin = |j: usize| (0..m).find(|&i| has(i, j)).unwrap_or(m);
    let mut begins: Vec<usize> = (0..n).map(begin).filter(|&i| i < m).collect();
    begins.sort();
    begins.dedup();
    let list = |j: usize| {
        begins
            .iter()
            .position(|&i| i == begin(j))
            .unwrap_or(begins.len())
    };
    let mut columns: Vec<usize> = (0..n).collect();
    columns.sort_by_key(|&j| list(j));
    // Rows that are won: by runs of the same owner, the longest, the first of several.
    let mut rows = begins.clone();
    let mut queues = vec![Vec::new(); begins.len() + 1];
    for i in (0..m).filter(|i| !begins.contains(i)) {
        let owners: Vec<usize> = columns
            .iter()
            .filter(|&&j| has(i, j))
            .map(|&j| list(j))
            .collect();
        let mut best = (0, begins.len());
        for run in owners.chunk_by(|a, b| a == b) {
            if run.len() > best.0 {
                best = (run.len(), run[0]);
            }
        }
        queues[best.1].push(i);
    }
    rows.extend(queues.into_iter().flatten());
    // merge: v loses what is before (i + 1)b, and gets i in front.
    let v: Vec<Vec<usize>> = (0..n)
        .map(|j| {
            let group = list(j) / merge;
            let rest = (0..m).filter(|&place| has(rows[place], j) && place >= (group + 1) * merge);
            [group].into_iter().chain(rest).collect()
        })
        .collect();
    let explore = |j: usize, k: usize| v[j].get(k).copied().unwrap_or(m);
    let mut lists: Vec<Vec<usize>> = columns
        .chunk_by(|&a, &b| v[a][0] == v[b][0])
        .map(<[usize]>::to_vec)
        .collect();
    let mut k = 1;
    while lists.len() as f64 <= stop * n as f64 {
        let mut next = Vec::new();
        for mut list in lists.clone() {
            list.sort_by(|&a, &b| {
                if k % 2 == 0 {
                    explore(a, k).cmp(&explore(b, k))
                } else {
                    explore(b, k).cmp(&explore(a, k))
                }
            });
            next.extend(
                list.chunk_by(|&a, &b| explore(a, k) == explore(b, k))
                    .map(<[usize]>::to_vec),
            );
        }
        lists = next;
        if lists
            .iter()
            .all(|list| list.len() == 1 || explore(list[0], k) == m)
        {
            break;
        }
        k += 1;
    }
    (rows, lists.into_iter().flatten().collect())
}

fn as_usize(order: &Permutation) -> Vec<usize> {
    order.order().iter().map(|&index| index as usize).collect()
}

proptest! {
    #[test]
    fn the_literal_algorithm(
        rows in 1..16usize, columns in 1..16usize,
        places in prop::collection::vec((0..16u32, 0..16u32), 0..70),
        merge in 1..8u32, stop in 0.05..0.999f64,
    ) {
        let places: Vec<_> = places.iter().map(|&(i, j)| (i % rows as u32, j % columns as u32)).collect();
        let matrix = pattern(rows, columns, &places);
        let found = check(&matrix, &options(Some(merge), stop));
        let (row_order, column_order) = literal(&matrix, merge as usize, stop);
        prop_assert_eq!(as_usize(&found.rows), row_order);
        prop_assert_eq!(as_usize(&found.columns), column_order);
    }
}

#[test]
fn edges() {
    let shapes = [(0, 0), (0, 4), (4, 0), (1, 1), (1, 9), (9, 1), (5, 7)];
    for (rows, columns) in shapes {
        let (m, n) = (rows as u32, columns as u32);
        let all: Vec<_> = (0..m).flat_map(|i| (0..n).map(move |j| (i, j))).collect();
        let patterns: [Vec<(u32, u32)>; 6] = [
            vec![],
            all.clone(),
            all.iter().copied().filter(|&(i, _)| i == 0).collect(),
            all.iter().copied().filter(|&(i, _)| i + 1 == m).collect(),
            all.iter().copied().filter(|&(_, j)| j + 1 == n).collect(),
            all.iter()
                .copied()
                .filter(|&(i, j)| i == 2 && j % 2 == 1)
                .collect(),
        ];
        for places in patterns {
            let matrix = pattern(rows, columns, &places);
            for merge in [None, Some(1), Some(2), Some(100), Some(u32::MAX)] {
                for stop in [f64::MIN_POSITIVE, 0.5, 0.9, 1.0 - f64::EPSILON] {
                    check(&matrix, &options(merge, stop));
                }
            }
        }
    }
}

#[test]
fn columns_that_are_equal_end_the_refinement() {
    // Pairs of equal columns: there can never be more than n/2 lists.
    let mut random = Random::new(3);
    let places: Vec<_> = (0..2000)
        .flat_map(|_| {
            let (i, j) = (random.below(300) as u32, random.below(200) as u32);
            [(i, 2 * j), (i, 2 * j + 1)]
        })
        .collect();
    let found = check(&pattern(300, 400, &places), &options(None, 0.9));
    assert_eq!((found.report.open_columns, found.report.lists), (0, 200));
    let order = as_usize(&found.columns);
    assert!(
        order.chunks(2).all(|pair| pair[0] / 2 == pair[1] / 2),
        "equal columns stay together"
    );
    // t near 0 stops before the first step.
    assert_eq!(
        check(&pattern(300, 400, &places), &options(None, 1e-9))
            .report
            .iterations,
        0
    );
}

#[test]
fn refusals() {
    let matrix = pattern(2, 2, &[(0, 0)]);
    for stop in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = gray_ordering(&matrix, &options(None, stop)).unwrap_err();
        assert!(
            matches!(error, SparseError::Stop { stop: told } if told.to_bits() == stop.to_bits())
        );
        assert!(error.to_string().contains("between 0 and 1"));
    }
}

#[test]
fn the_same_on_any_number_of_threads() {
    let matrix = "rmat:14,8"
        .parse::<TestMatrix>()
        .unwrap()
        .generate(2)
        .unwrap();
    let one = on_threads(1, || {
        gray_ordering(&matrix, &GrayOrdering::default()).unwrap()
    });
    for threads in [2, 3, 5] {
        assert_eq!(
            on_threads(threads, || gray_ordering(&matrix, &GrayOrdering::default())
                .unwrap()),
            one
        );
    }
}

fn misses(matrix: &CsrMatrix<f64>, words: usize) -> u64 {
    let product = Spmv::new(
        matrix.row_starts(),
        matrix.column_indices(),
        matrix.columns(),
    )
    .unwrap();
    let cache = CacheShape::new(words, 8).unwrap();
    simulate(&product.x_only(), cache, Replacement::Optimal)
        .unwrap()
        .misses()
}

const FAMILIES: [&str; 9] = [
    "chessboard:7,7,3",
    "matching:11,3",
    "grid2d:200,200",
    "grid2d9:150,150",
    "grid3d:35,35,35",
    "grid3d27:30,30,30",
    "rmat:15,8",
    "circuit:40000",
    "lp:60000",
];

#[test]
fn fewer_misses_than_at_random_on_each_family() {
    for family in FAMILIES {
        let given = family.parse::<TestMatrix>().unwrap().generate(1).unwrap();
        let (random, ..) = shuffled(&given, 1);
        let found = gray_ordering(&random, &GrayOrdering::default()).unwrap();
        let reordered = random.permuted(&found.rows, &found.columns).unwrap();
        // A cache of an eighth of x: what Table 6.2 is about.
        let words = (given.columns() / 8).max(256);
        let (before, after) = (misses(&random, words), misses(&reordered, words));
        assert!(
            (after as f64) < 0.9 * before as f64,
            "{family}: {after} after, {before} before"
        );
    }
}

/// The accesses to x of some of the non-zeros.
struct Covered<'a> {
    columns: usize,
    indices: &'a [u32],
    kinds: &'a [NonZeroKind],
}

impl Trace for Covered<'_> {
    fn arrays(&self) -> Vec<Array> {
        vec![Array::new("x", self.columns)]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        let covered = self
            .indices
            .iter()
            .zip(self.kinds)
            .filter(|(_, kind)| kind.is_covered());
        covered.for_each(|(&index, _)| touch(0, index as usize));
    }
}

#[test]
fn proposition_20() {
    for family in FAMILIES {
        let given = family.parse::<TestMatrix>().unwrap().generate(1).unwrap();
        for matrix in [shuffled(&given, 5).0, given] {
            let found = gray_ordering(&matrix, &GrayOrdering::default()).unwrap();
            let reordered = matrix.permuted(&found.rows, &found.columns).unwrap();
            let kinds = classify(&reordered, &found.report).unwrap().kinds;
            let (n, l) = (matrix.columns() as f64, 8.0);
            // Z = 2√(nL), in whole lines.
            let words = (2.0 * (n * l).sqrt() / l).ceil() * l;
            let cache = CacheShape::new(words as usize, 8).unwrap();
            let trace = Covered {
                columns: matrix.columns(),
                indices: reordered.column_indices(),
                kinds: &kinds,
            };
            let counted = simulate(&trace, cache, Replacement::Optimal)
                .unwrap()
                .misses() as f64;
            let bound = 3.0 * n / l + 10.0 * (n / l).sqrt() + 1.0;
            println!(
                "{family}: {:.2} n/L, bound {:.2}",
                counted * l / n,
                bound * l / n
            );
            // The proof expects merged lists of about ρb = √(nL) columns. Popular rows of a graph in the order
            // of popularity begin lists far longer, whose α non-zeros jump about in all of them.
            let longest = longest_merged_list(&reordered, &found.report) as f64;
            if counted > bound {
                assert!(
                    longest > 4.0 * (n * l).sqrt(),
                    "{family}: {counted} of {bound}, lists up to {longest}"
                );
                assert_eq!(family, "rmat:15,8");
            }
        }
    }
}

fn longest_merged_list(reordered: &CsrMatrix<f64>, report: &GrayReport) -> usize {
    let by_columns = reordered.to_csc();
    let begins = (0..reordered.columns()).filter_map(|j| by_columns.column(j).0.first());
    let mut lengths = vec![0; report.merged_lists + 1];
    begins.for_each(|&row| lengths[(row / report.merge) as usize] += 1);
    lengths.into_iter().max().unwrap_or(0)
}

#[test]
fn reports_of_other_matrices_are_refused() {
    let tall = CsrMatrix::from_triplets(3, 2, &[(0, 0, 1), (1, 1, 1), (2, 0, 1)]).unwrap();
    let flat = CsrMatrix::from_triplets(2, 2, &[(0, 0, 1), (1, 1, 1)]).unwrap();
    let report = |matrix| {
        let found = gray_ordering(matrix, &GrayOrdering::default());
        found.unwrap().report
    };
    let refused = classify(&flat, &report(&tall)).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the order of a report has length 3, and the matrix has 2 rows"
    );
    assert!(classify(&tall, &report(&flat)).is_err());
}

/// The steps of the refinement are few, so that the work is linear: steps counted on growing matrices.
#[test]
fn steps_do_not_grow_with_the_matrix() {
    let iterations = |family: String| -> GrayReport {
        let (matrix, ..) = shuffled(
            &family.parse::<TestMatrix>().unwrap().generate(1).unwrap(),
            2,
        );
        gray_ordering(&matrix, &GrayOrdering::default())
            .unwrap()
            .report
    };
    for side in [32, 64, 128, 256, 512] {
        assert!(iterations(format!("grid2d:{side},{side}")).iterations <= 4);
    }
    for columns in [1000, 10_000, 100_000] {
        assert!(iterations(format!("lp:{columns}")).iterations <= 6);
    }
}
