//! Propositions 1 to 4 and 6 to 8 of the thesis, by counting: the bounds hold, and are near where they should be.

use sunzi_sparse::cache::{
    BetweenRounds, CacheError, CacheShape, CountingSort, PartitionFurther, Preprocessing,
    PreprocessingThenSort, Replacement, Scan, Spmv, Trace, simulate,
};
use sunzi_testkit::Random;

fn misses(trace: &impl Trace, cache: CacheShape) -> f64 {
    simulate(trace, cache, Replacement::Optimal)
        .unwrap()
        .misses() as f64
}

fn keys(n: usize, range: u64, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    (0..n).map(|_| random.below(range)).collect()
}

#[test]
fn proposition_1_scanning() {
    for line in [1, 2, 3, 8, 16] {
        let cache = CacheShape::new(line, line).unwrap();
        let mut worst = 0;
        for n in 0..100usize {
            for offset in 0..line {
                let misses = misses(&Scan::new(n).offset(offset), cache) as usize;
                assert!(misses <= n.div_ceil(line) + 1);
                worst = worst.max(misses - n.div_ceil(line));
            }
        }
        assert_eq!(
            worst,
            usize::from(line > 1),
            "the additional miss is there for some offset"
        );
    }
}

#[test]
fn proposition_2_classical_sort() {
    let (n, r, l) = (1 << 17, 1u64 << 17, 8.0);
    let cache = CacheShape::new(1 << 10, 8).unwrap();
    let (nf, rf) = (n as f64, r as f64);
    let bound = 3.0 * nf + 2.0 * nf / l + 2.0 * rf / l + 4.0;
    let counted = misses(&CountingSort::new(&keys(n, r, 1), r).unwrap(), cache);
    assert!(
        counted <= bound && counted >= 0.9 * bound,
        "{counted} of {bound}"
    );
    // Sorted keys ask for their counts in order: far from the worst case.
    let sorted: Vec<u64> = (0..n as u64).collect();
    assert!(misses(&CountingSort::new(&sorted, r).unwrap(), cache) < bound / 3.0);
}

#[test]
fn proposition_3_few_values() {
    for (n, z, line) in [(1 << 16, 1 << 10, 8), (50_000, 4096, 16), (99_991, 999, 5)] {
        let cache = CacheShape::new(z, line).unwrap();
        let largest = (z - 1) / (1 + line);
        for r in [1, 2, largest / 2, largest] {
            let (nf, rf, l) = (n as f64, r as f64, line as f64);
            let bound = 3.0 * nf / l + rf + rf / l + 3.0;
            let counted = misses(
                &CountingSort::new(&keys(n, r as u64, 2), r as u64).unwrap(),
                cache,
            );
            assert!(
                counted <= bound && counted >= 0.95 * (bound - rf),
                "n {n}, r {r}: {counted} of {bound}"
            );
        }
    }
}

#[test]
fn proposition_4_bucketed_keys() {
    let (n, z, line, m) = (1usize << 16, 1 << 10, 8, 64u64);
    let cache = CacheShape::new(z, line).unwrap();
    for ranges in [1u64, 4, 64, 256] {
        let r = m * ranges;
        let mut keys = keys(n, r, 3);
        keys.sort_by_key(|key| key / m);
        let (nf, rf, l) = (n as f64, r as f64, line as f64);
        let bound = 3.0 * nf / l + 4.0 * rf / l + ((m + 2) * ranges) as f64 + 4.0;
        let counted = misses(&CountingSort::new(&keys, r).unwrap(), cache);
        assert!(
            counted <= bound && counted >= 0.6 * bound,
            "{ranges} ranges: {counted} of {bound}"
        );
    }
}

#[test]
fn proposition_6_one_round() {
    let (n, z, line, m) = (1usize << 16, 1 << 10, 8, 64u64);
    let cache = CacheShape::new(z, line).unwrap();
    for before in [1u64, 4, 64, 256] {
        let current = m * 4;
        let r = current * before;
        let mut keys = keys(n, r, 4);
        keys.sort_by_key(|key| key / current);
        let (nf, mf, l) = (n as f64, m as f64, line as f64);
        let bound = 3.0 * nf / l + mf / l + before as f64 * (2.0 + mf) + 1.0;
        let counted = misses(&PartitionFurther::new(&keys, m, r, current).unwrap(), cache);
        assert!(counted <= bound, "{before} ranges: {counted} of {bound}");
        // Keys of one range that fit the cache together are read once, not twice.
        let fit = (n as u64 / before) < z as u64;
        assert!(
            fit || counted >= 0.6 * bound,
            "{before} ranges: {counted} of {bound}"
        );
    }
}

#[test]
fn proposition_7_preprocessing() {
    let (n, z, line) = (1usize << 16, 1 << 10, 8);
    let cache = CacheShape::new(z, line).unwrap();
    for (m, u) in [(16u64, 0u32), (16, 1), (16, 2), (16, 3), (64, 1), (100, 1)] {
        let r = m.pow(u + 1);
        let keys = keys(n, r, 5);
        let (nf, mf, uf, l) = (n as f64, m as f64, f64::from(u), line as f64);
        let bound =
            3.0 * nf * uf / l + mf * uf / l + (2.0 + mf) * (mf.powf(uf) - 1.0) / (mf - 1.0) + uf;
        let swapped = misses(
            &Preprocessing::new(&keys, m, r, BetweenRounds::Swap).unwrap(),
            cache,
        );
        assert!(
            swapped <= bound && swapped >= 0.6 * bound,
            "m {m}, u {u}: {swapped} of {bound}"
        );
        // The copy that the algorithm asks for is no part of the thesis's count.
        let copied = misses(
            &Preprocessing::new(&keys, m, r, BetweenRounds::Copy).unwrap(),
            cache,
        );
        let copies = 2.0 * uf * nf / l;
        assert!(
            copied <= bound + copies && (u == 0 || copied > swapped),
            "m {m}, u {u}: {copied}"
        );
    }
}

#[test]
fn proposition_8_the_whole_sort() {
    let (n, z, line) = (1usize << 16, 1 << 10, 8);
    let cache = CacheShape::new(z, line).unwrap();
    for (m, u) in [(16u64, 1u32), (16, 2), (16, 3), (64, 1), (100, 1)] {
        let r = m.pow(u + 1);
        let keys = keys(n, r, 6);
        let (nf, mf, uf, rf, l) = (n as f64, m as f64, f64::from(u), r as f64, line as f64);
        // Equation 4.4 of the thesis.
        let bound = 3.0 * nf * (uf + 1.0) / l
            + mf * uf / l
            + uf
            + (2.0 + mf) * ((mf.powf(uf) - 1.0) / (mf - 1.0) + rf / mf)
            + 4.0 * rf / l
            + 4.0;
        let trace = PreprocessingThenSort::new(&keys, m, r, BetweenRounds::Swap).unwrap();
        let counted = misses(&trace, cache);
        assert!(
            counted <= bound && counted >= 0.5 * bound,
            "m {m}, u {u}: {counted} of {bound}"
        );
        if r >= 1 << 12 {
            let classical = misses(&CountingSort::new(&keys, r).unwrap(), cache);
            assert!(
                counted < 0.9 * classical,
                "m {m}, u {u}: {counted}, {classical} by the classical sort"
            );
        }
    }
}

#[test]
fn products_by_rows() {
    // A diagonal matrix: every array is scanned, y twice.
    let row_ptr: Vec<usize> = (0..=800).collect();
    let columns: Vec<u32> = (0..800).collect();
    let product = Spmv::new(&row_ptr, &columns, 800).unwrap();
    let report = simulate(
        &product,
        CacheShape::new(64, 8).unwrap(),
        Replacement::Optimal,
    )
    .unwrap();
    let of = |name: &str| report.array(name).unwrap().misses;
    assert_eq!(
        [of("value"), of("colind"), of("rowptr"), of("x")],
        [100, 100, 101, 100]
    );
    assert!(
        (190..=200).contains(&of("y")),
        "all but what is left in the cache after y was cleared"
    );
    let wide = simulate(
        &product.element_words(2, 1),
        CacheShape::new(64, 8).unwrap(),
        Replacement::Optimal,
    )
    .unwrap();
    assert_eq!(
        (
            wide.array("value").unwrap().misses,
            wide.array("colind").unwrap().misses
        ),
        (200, 100)
    );
    // A row that asks for everything, backwards: x alone.
    let reversed: Vec<u64> = (0..800).rev().collect();
    let x = Spmv::new(&[0u64, 800], &reversed, 800).unwrap().x_only();
    assert_eq!(misses(&x, CacheShape::new(8, 8).unwrap()), 100.0);
}

#[test]
fn refusals() {
    let not_csr = |row_ptr: &[usize], columns: &[u32]| match Spmv::new(row_ptr, columns, 3) {
        Err(CacheError::NotCsr(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(not_csr(&[], &[]).contains("no row pointers"));
    assert!(not_csr(&[1, 1], &[0]).contains("not 0"));
    assert!(not_csr(&[0, 2, 1], &[0]).contains("row 1 ends"));
    assert!(not_csr(&[0, 2], &[0]).contains("1 indices"));
    assert!(not_csr(&[0, 2], &[0, 3]).contains("column 3 of 3"));
    assert!(matches!(
        CountingSort::new(&[0, 9, 3], 9),
        Err(CacheError::KeyOutOfRange {
            index: 1,
            key: 9,
            range: 9
        })
    ));
    assert!(matches!(
        Preprocessing::new(&[0], 3, 10, BetweenRounds::Swap),
        Err(CacheError::Buckets(_))
    ));
    assert!(matches!(
        Preprocessing::new(&[0], 1, 1, BetweenRounds::Swap),
        Err(CacheError::Buckets(_))
    ));
    assert!(matches!(
        Preprocessing::new(&[0], 1 << 40, u64::MAX, BetweenRounds::Swap),
        Err(CacheError::Buckets(_))
    ));
    assert!(matches!(
        PartitionFurther::new(&[0], 3, 8, 8),
        Err(CacheError::Buckets(_))
    ));
    assert!(matches!(
        PartitionFurther::new(&[0], 0, 8, 8),
        Err(CacheError::Buckets(_))
    ));
    assert!(matches!(
        PartitionFurther::new(&[7, 0], 2, 8, 4),
        Err(CacheError::Buckets(_))
    ));
}
