//! Determinants.

use super::{fields, on_device, on_processor, on_small_device, random_rows};
use sunzi::{Integer, Natural};
use sunzi::{
    engine::{Engine, EngineError},
    field::AnyField,
    gpu::{Device, DeviceOptions},
    matrix::{
        AnyDenseMatrix, DenseMatrix, IntegerDeterminant, IntegerMethod, MatrixError,
        float::Pivoting,
    },
};
use sunzi_testkit::{Place, Random, as_ptx, on_every_device};

on_every_device![
    determinants_are_the_same_everywhere,
    determinants_beyond_a_group_are_computed_there_too,
    determinants_beyond_a_device_are_the_processors,
    float_determinants_are_the_same_everywhere,
    integer_determinants_are_the_same_everywhere,
];
as_ptx![float_determinants_are_the_same_everywhere];

/// Matrices of several orders, regular and singular, one that is not square and one without rows.
fn matrices(field: &AnyField) -> Vec<AnyDenseMatrix> {
    let mut random = Random::new(24);
    let mut all = Vec::new();
    let greatest = if field.width() > 100 { 5 } else { 16 };
    for [rows, columns] in [[1, 1], [2, 2], [9, 9], [9, 9], [2, 3], [0, 0], [16, 16]] {
        let [rows, columns] = [rows, columns].map(|side: usize| side.min(greatest));
        let entries = random_rows(&mut random, field, rows * columns);
        all.push(AnyDenseMatrix::new(field, rows, columns, entries).unwrap());
    }
    // Two rows change places; two rows are the same.
    for entries in [[0, 1, 0, 1, 0, 0, 0, 0, 1], [1, 2, 3, 4, 5, 6, 1, 2, 3]] {
        let mut rows = Vec::new();
        entries
            .iter()
            .for_each(|&entry| field.push_u64(entry, &mut rows));
        all.push(AnyDenseMatrix::new(field, 3, 3, rows).unwrap());
    }
    all
}

fn determinants_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let mut fields = fields();
    // An element is as long as a group.
    let long = AnyField::generalized_fermat((1 << 16) - (1 << 8) - (1 << 5), 256);
    fields.push(long.unwrap());
    let all: Vec<_> = fields.iter().flat_map(matrices).collect();
    let all: Vec<_> = all.iter().collect();
    let found = engine.determinants(&all).unwrap();
    assert_eq!((found.on_device, &found.warnings[..]), (all.len(), &[][..]));
    let expected = on_processor().determinants(&all).unwrap();
    assert_eq!(expected.on_device, 0);
    assert_eq!(found.results, expected.results);
    // By another algorithm, and known ones.
    for (matrix, found) in all.iter().zip(&found.results) {
        let condensed = matrix.condensed_determinant();
        assert_eq!(*found, condensed.map_err(EngineError::Matrix));
    }
    let (rows, columns) = (2, 3);
    let shape = MatrixError::NotSquare { rows, columns };
    let known = [Err(shape.into()), Ok(vec![1])];
    assert_eq!(found.results[4..6], known);
    assert_eq!(found.results[7..9], [Ok(vec![469_762_048]), Ok(vec![0])]);
    assert!(engine.determinants(&[]).unwrap().results.is_empty());
}

/// The least order that a group cannot share, with an entry for each element of the memory.
fn beyond(device: &Device) -> usize {
    (device.info().shared_memory / size_of::<u64>()).isqrt() + 1
}

/// A determinant of 2s in the diagonal, and the last row first.
fn cycle(field: &AnyField, n: usize) -> AnyDenseMatrix {
    let mut entries = vec![0; n * n];
    (0..n).for_each(|i| entries[(i + 1) % n * n + i] = 2);
    AnyDenseMatrix::new(field, n, n, entries).unwrap()
}

fn determinants_beyond_a_group_are_computed_there_too(place: Place) {
    let (Some(device), Some(engine)) = (place.device(), on_device(place)) else {
        return;
    };
    let field = AnyField::modulo_word((1 << 60) - (1 << 18) + 1).unwrap();
    let n = beyond(&device);
    let random = Random::new(25).residues(n * n, field.word_prime().unwrap());
    let random = AnyDenseMatrix::new(&field, n, n, random).unwrap();
    let all = [&cycle(&field, n), &random];
    let [found, expected] = [&engine, &on_processor()].map(|engine| {
        let batch = engine.determinants(&all).unwrap();
        assert_eq!(batch.warnings, [""; 0]);
        (batch.on_device, batch.into_all().unwrap())
    });
    assert_eq!((found.0, expected.0), (2, 0));
    assert_eq!(found.1, expected.1);
}

fn determinants_beyond_a_device_are_the_processors(place: Place) {
    let Some(engine) = on_small_device(place) else {
        return;
    };
    let field = AnyField::modulo_word((1 << 60) - (1 << 18) + 1).unwrap();
    let small = AnyDenseMatrix::new(&field, 2, 2, vec![1, 2, 4, 3]).unwrap();
    let large = cycle(&field, 100);
    let found = engine.determinants(&[&small, &large, &small]).unwrap();
    assert_eq!((found.on_device, found.warnings.len()), (2, 1));
    assert!(
        found.warnings[0].contains("processor"),
        "{:?}",
        found.warnings
    );
    let found = found.into_all().unwrap();
    assert_eq!(found[1], large.condensed_determinant().unwrap());
    assert_eq!(
        [&found[0], &found[2]],
        [&vec![(1 << 60) - (1 << 18) - 4]; 2]
    );

    let wide = AnyField::generalized_fermat(10, 2).unwrap();
    let wide = AnyDenseMatrix::new(&wide, 1, 1, vec![3, 1]).unwrap();
    let found = engine.determinants(&[&wide]).unwrap();
    assert_eq!((found.on_device, found.warnings.len()), (0, 1));
    assert_eq!(found.into_all().unwrap(), [[3, 1]]);
}

fn integer_determinants_are_the_same_everywhere(place: Place) {
    // A dozen images of 9 rows at a time.
    let options = DeviceOptions {
        memory_limit: Some(16 << 10),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let engine = Engine::on(&device);
    let mut random = Random::new(25);
    // As many primes as are computed together, and more; none and few; a singular matrix, one that is not square, and none.
    let mut all: Vec<DenseMatrix<Integer>> = [(1, 3), (2, 900), (7, 70), (9, 300)]
        .map(|(n, words)| {
            DenseMatrix::from_fn(n, n, |_, _| {
                let value = Integer::from(Natural::from_limbs(random.words(words / 64 + 1)));
                if random.word().is_multiple_of(2) {
                    value
                } else {
                    -value
                }
            })
        })
        .into();
    let small = |i: usize, j: usize| Integer::from((3 * i + j) as i64 - 4);
    all.push(DenseMatrix::from_fn(5, 5, small));
    all.push(DenseMatrix::from_fn(3, 3, |_, _| Integer::ZERO));
    all.push(DenseMatrix::from_fn(2, 3, small));
    all.push(DenseMatrix::from_fn(0, 0, small));
    let all: Vec<_> = all.iter().collect();
    let residues = IntegerDeterminant::new().method(IntegerMethod::Residues);
    for how in [residues, residues.early(2)] {
        let found = engine.integer_determinants(how, &all).unwrap();
        assert_eq!((found.on_device, &found.warnings[..]), (all.len(), &[][..]));
        let expected = on_processor().integer_determinants(how, &all).unwrap();
        assert_eq!(expected.on_device, 0);
        assert_eq!(found.results, expected.results);
        assert!(
            found.results[3]
                .as_ref()
                .is_ok_and(|known| known.primes > 64 || !known.proved)
        );
        assert!(matches!(
            found.results[6],
            Err(EngineError::Matrix(MatrixError::NotSquare { .. }))
        ));
    }
    let how = IntegerDeterminant::new().method(IntegerMethod::FractionFree);
    let values = |engine: &Engine| -> Vec<_> {
        let found = engine
            .integer_determinants(how, &all[..6])
            .unwrap()
            .into_all()
            .unwrap();
        found
            .into_iter()
            .map(|known| (known.value, known.proved))
            .collect()
    };
    assert_eq!(values(&engine), values(&on_processor()));
}

fn float_determinants_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let mut random = Random::new(26);
    // Numbers of either sign with exponents up to these.
    let mut of_range = |n: usize, range: u64| {
        DenseMatrix::from_fn(n, n, |_, _| {
            let mantissa = random.word() as i64 as f64 / 2f64.powi(62);
            mantissa * 2f64.powi(random.word() as i32 % (range as i32))
        })
    };
    let mut all = vec![
        of_range(1, 2),
        of_range(7, 4),
        of_range(33, 2),
        // Rows that are scaled on the way, and before.
        of_range(20, 250),
        of_range(12, 1000),
    ];
    for n in [3, 40, 100] {
        all.push(DenseMatrix::from_fn(n, n, |i, j| 1.0 / (i + j + 1) as f64));
    }
    // Entries that vanish but for 2^-300: one row after the other is small.
    let tiny = |i: usize, j: usize| match i == j {
        true => 1.0,
        false => 1.0 - 2f64.powi(-52) * j as f64,
    };
    all.push(DenseMatrix::from_fn(9, 9, |i, j| {
        tiny(i, j) * 2f64.powi(-25 * i as i32)
    }));
    // The other diagonal; two rows that are the same; a column and a row of zeros; subnormal numbers; none; not square.
    all.push(DenseMatrix::from_fn(17, 17, |i, j| {
        if i + j == 16 { 3.0 } else { 0.0 }
    }));
    all.push(DenseMatrix::from_fn(5, 5, |i, j| {
        (i / 2 * 2 + j * j) as f64
    }));
    all.push(DenseMatrix::from_fn(4, 4, |i, j| (i * j) as f64));
    all.push(DenseMatrix::from_fn(4, 4, |_, j| (j + 1) as f64));
    all.push(DenseMatrix::from_fn(6, 6, |i, j| {
        f64::from_bits((i * i + 5 * j + 1) as u64)
    }));
    all.push(DenseMatrix::from_fn(0, 0, |_, _| 0.0));
    all.push(DenseMatrix::from_fn(2, 3, |_, _| 1.0));
    all.push(DenseMatrix::from_fn(2, 2, |_, _| f64::INFINITY));
    let all: Vec<_> = all.iter().collect();
    for pivoting in Pivoting::ALL {
        let found = engine.float_determinants(pivoting, &all).unwrap();
        assert_eq!((found.on_device, &found.warnings[..]), (all.len(), &[][..]));
        let expected = on_processor().float_determinants(pivoting, &all).unwrap();
        let found = found.into_all().unwrap();
        let pairs = found.iter().zip(expected.into_all().unwrap());
        for (place, (found, expected)) in pairs.enumerate() {
            assert_eq!(*found, expected, "{pivoting:?}, matrix {place}");
        }
        assert!(matches!(
            found.last(),
            Some(Err(MatrixError::NotFinite { .. }))
        ));
    }
}
