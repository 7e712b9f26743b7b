//! Columns and rows of a matrix in bands of every width, against the transform of the whole.

use sunzi_dft::{Bands, Decimation, DftError, DftField, Direction, Ordering};
use sunzi_field::{Fp32, Fp50, Fp64, Fp64Full, GeneralizedFermat};
use sunzi_machine::{Grain, InstructionSet, memory::Budget};
use sunzi_testkit::{Random, on_every_thread_count, value_at};

/// Everything is cut wherever it can be.
const FINEST: Grain = Grain::finer(usize::BITS);

fn transposed<E: Copy>(matrix: &[E], width: usize) -> Vec<E> {
    let height = matrix.len() / width;
    let entry = |i: usize| matrix[i % height * width + i / height];
    (0..matrix.len()).map(entry).collect()
}

/// Some columns of a matrix, as a matrix.
fn band<E: Copy>(matrix: &[E], width: usize, first: usize, count: usize) -> Vec<E> {
    let rows = matrix.chunks(width);
    rows.flat_map(|row| row[first..first + count].to_vec())
        .collect()
}

fn put<E: Copy>(matrix: &mut [E], width: usize, first: usize, band: &[E]) {
    let count = band.len() * width / matrix.len();
    for (row, part) in matrix.chunks_mut(width).zip(band.chunks(count)) {
        row[first..first + count].copy_from_slice(part);
    }
}

/// All columns, `count` at a time.
fn columns<F: DftField>(
    bands: &Bands<F>,
    matrix: &mut [F::Elem],
    count: usize,
    direction: Direction,
    decimation: Decimation,
) {
    let width = bands.width();
    for first in (0..width).step_by(count) {
        let count = count.min(width - first);
        let mut part = band(matrix, width, first, count);
        bands
            .columns(&mut part, first, direction, decimation)
            .unwrap();
        put(matrix, width, first, &part);
    }
}

/// Every matrix of `2^log_n` entries, in bands of every kind of width.
fn check<F: DftField>(field: &F, log_n: u32) {
    let len = 1 << log_n;
    let one = field.one();
    let mut x = Random::new(log_n.into()).elements(field, len);
    x[0] = field.neg(one);
    x[len - 1] = field.neg(one);
    let whole = field.fastest_dft(len).unwrap();
    for direction in [Direction::Forward, Direction::Inverse] {
        let mut expected = x.clone();
        whole
            .transform(&mut expected, direction, Ordering::Natural)
            .unwrap();
        for log_height in 0..=log_n {
            let (height, width) = (1usize << log_height, len >> log_height);
            let bands = Bands::new(field, height, width, Budget::system()).unwrap();
            assert_eq!((bands.height(), bands.width()), (height, width));
            for (bands, count) in [
                (bands.clone(), width),
                (bands.clone().with_grain(FINEST), width),
                (bands.clone().with_grain(FINEST), 3),
                (bands, width / 2),
            ] {
                let case = format!("{field:?} {height}×{width} by {count}, {direction:?}");
                let count = count.clamp(1, width);
                let mut found = x.clone();
                columns(
                    &bands,
                    &mut found,
                    count,
                    direction,
                    Decimation::InFrequency,
                );
                bands.rows(&mut found, direction).unwrap();
                let mut natural = vec![one; len];
                bands.transpose(&found, &mut natural, width).unwrap();
                assert!(natural == expected, "{case}");

                // The other way, from the order of the matrix.
                let mut found = transposed(&x, height);
                bands.rows(&mut found, direction).unwrap();
                columns(&bands, &mut found, count, direction, Decimation::InTime);
                assert!(found == expected, "{case}, in time");
            }
        }
    }
}

#[test]
fn bands_together_are_the_whole_transform() {
    for log_n in 0..=9 {
        check(&Fp32::new(469_762_049).unwrap(), log_n);
        check(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), log_n);
    }
    for log_n in [0, 1, 5, 8] {
        check(&Fp64Full::new(0xffff_ffff_0000_0001).unwrap(), log_n);
        let r = (1 << 59) + (1 << 57) + (1 << 39);
        check(&GeneralizedFermat::<8>::new(r).unwrap(), log_n);
    }
    // As many points as the field has roots for.
    check(&Fp32::new(257).unwrap(), 8);
}

#[test]
fn bands_do_not_depend_on_threads() {
    let field = Fp64::new(4_611_686_018_326_724_609).unwrap();
    on_every_thread_count(|_| check(&field, 7));
    on_every_thread_count(|_| check(&Fp32::new(469_762_049).unwrap(), 16));
}

#[test]
fn every_kernel_transforms_columns_alike() {
    fn check<F: DftField>(field: &F) {
        let one = field.one();
        for (height, width, count) in [
            (2, 64, 64),
            (4, 16, 5),
            (8, 128, 100),
            (512, 64, 33),
            (1 << 12, 16, 16),
        ] {
            let mut x = Random::new(height as u64).elements(field, height * width);
            x[..2 * width].fill(field.neg(one));
            let bands = Bands::new(field, height, width, Budget::system()).unwrap();
            for (direction, decimation) in [
                (Direction::Forward, Decimation::InFrequency),
                (Direction::Forward, Decimation::InTime),
                (Direction::Inverse, Decimation::InFrequency),
                (Direction::Inverse, Decimation::InTime),
            ] {
                let by = |kernel, grain| {
                    let bands = bands.clone().with_kernel(kernel).unwrap().with_grain(grain);
                    let mut found = x.clone();
                    columns(&bands, &mut found, count, direction, decimation);
                    found
                };
                let expected = by(InstructionSet::Portable, Grain::default());
                for kernel in InstructionSet::ALL {
                    for grain in [Grain::default(), FINEST] {
                        let case = format!(
                            "{field:?} {height}×{width}, {direction:?} {decimation:?}, {kernel:?}"
                        );
                        assert!(by(kernel, grain) == expected, "{case}");
                    }
                }
            }
        }
    }
    check(&Fp32::new(469_762_049).unwrap());
    check(&Fp32::new(2_147_352_577).unwrap());
    check(&Fp50::new(1_125_899_437_080_577).unwrap());
    check(&Fp64::new(4_611_686_018_326_724_609).unwrap());
    check(&Fp64Full::new(0xffff_ffff_0000_0001).unwrap());
}

#[test]
fn long_columns_and_rows_have_several_pieces() {
    check(&Fp32::new(469_762_049).unwrap(), 17);
}

#[test]
fn what_a_matrix_comes_to_is_the_sum_of_its_definition() {
    fn check<F: DftField>(field: &F) {
        let mut random = Random::new(7);
        for (height, width) in [
            (1, 1),
            (1, 700),
            (2, 3),
            (3, 513),
            (4, 1),
            (7, 1025),
            (40, 512),
        ] {
            let matrix = random.elements(field, height * width);
            let [u, v] = [0, 1].map(|_| random.elements(field, 1)[0]);
            let rows: Vec<_> = matrix
                .chunks(width)
                .map(|row| value_at(field, row, v))
                .collect();
            let expected = value_at(field, &rows, u);
            let bands = Bands::new(field, 1, 1, Budget::system())
                .unwrap()
                .with_grain(FINEST);
            on_every_thread_count(|_| {
                let found = bands.evaluate(&matrix, width, [u, v]).unwrap();
                assert!(found == expected, "{field:?} {height}×{width}");
            });
        }
    }
    check(&Fp32::new(97).unwrap());
    check(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    check(&Fp64Full::new(0xffff_ffff_0000_0001).unwrap());
    check(&GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap());
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let field = Fp32::new(97).unwrap();
    let new = |height, width| Bands::new(&field, height, width, Budget::system()).map(|_| ());
    assert_eq!(new(3, 2), Err(DftError::NotPowerOfTwo { len: 6, next: 8 }));
    assert_eq!(new(8, 8), Err(DftError::TooLong { len: 64, max: 32 }));
    assert!(matches!(new(usize::MAX, 2), Err(DftError::TooLong { .. })));
    assert!(matches!(new(0, 4), Err(DftError::NotPowerOfTwo { .. })));
    let bands = Bands::new(&field, 4, 8, Budget::system()).unwrap();
    let columns = |len, first| {
        let mut band = vec![0; len];
        bands.columns(&mut band, first, Direction::Forward, Decimation::InTime)
    };
    let shape = |expected, found| Err(DftError::Shape { expected, found });
    assert_eq!(columns(0, 8), Ok(()));
    assert_eq!(columns(6, 0), shape(8, 6));
    assert_eq!(columns(12, 6), shape(8, 12));
    assert_eq!(columns(4, 9), shape(0, 4));
    assert_eq!(bands.rows(&mut [0; 12], Direction::Forward), shape(16, 12));
    assert_eq!(bands.transpose(&[0; 6], &mut [0; 6], 4), shape(8, 6));
    assert_eq!(bands.transpose(&[0; 6], &mut [0; 5], 3), shape(6, 5));
    assert_eq!(
        bands.evaluate(&[0; 5], 2, [1, 1]),
        Err(DftError::Shape {
            expected: 6,
            found: 5
        })
    );
    let budget = Budget::within(Some(1 << 10));
    let wide = Fp32::new(469_762_049).unwrap();
    assert!(matches!(
        Bands::new(&wide, 2, 1 << 12, budget),
        Err(DftError::OutOfMemory(_))
    ));
    assert!(matches!(
        Bands::new(&wide, 1 << 12, 2, budget),
        Err(DftError::OutOfMemory(_))
    ));
}
