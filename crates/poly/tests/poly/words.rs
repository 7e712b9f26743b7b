//! Rows where they lie, in words of 32 and of 64 bits: fields, rings, trees and transforms without a type.

use super::any::{fields, rows};
use sunzi_dft::{DftError, Direction, Ordering};
use sunzi_field::{AnyField, FieldError, WordRows, WordRowsMut};
use sunzi_poly::{AnyDft, AnyPolyRing, PolyError};
use sunzi_testkit::Random;

/// Words of the field's size.
enum Words {
    Words32(Vec<u32>),
    Words64(Vec<u64>),
}

impl Words {
    fn of(field: &AnyField, rows: &[u64]) -> Self {
        match field.word_bits() {
            32 => Self::Words32(rows.iter().map(|&word| word as u32).collect()),
            _ => Self::Words64(rows.to_vec()),
        }
    }

    fn words(&self) -> WordRows<'_> {
        match self {
            Self::Words32(words) => words[..].into(),
            Self::Words64(words) => words[..].into(),
        }
    }

    fn words_mut(&mut self) -> WordRowsMut<'_> {
        match self {
            Self::Words32(words) => (&mut words[..]).into(),
            Self::Words64(words) => (&mut words[..]).into(),
        }
    }

    fn rows(&self) -> Vec<u64> {
        match self {
            Self::Words32(words) => words.iter().map(|&word| word.into()).collect(),
            Self::Words64(words) => words.clone(),
        }
    }
}

#[test]
fn elements_are_copied_checked_and_operated_on() {
    let mut random = Random::new(1);
    for field in fields() {
        let width = field.width();
        for count in [0, 1, 2, 7, 100] {
            let [a, b] = [(); 2].map(|()| rows(&field, count, &mut random));
            let mut x = Words::of(&field, &vec![0; a.len()]);
            field
                .copy_rows(WordRows::Words64(&a), x.words_mut())
                .unwrap();
            assert_eq!(x.rows(), a);
            let y = Words::of(&field, &b);
            let pairs = || a.chunks(width).zip(b.chunks(width));
            field.add_assign_rows(x.words_mut(), y.words()).unwrap();
            let sums: Vec<_> = pairs().flat_map(|(a, b)| field.sum_row(a, b)).collect();
            assert_eq!(x.rows(), sums);
            field.sub_assign_rows(x.words_mut(), y.words()).unwrap();
            assert_eq!(x.rows(), a);
            field.mul_assign_rows(x.words_mut(), y.words()).unwrap();
            let products: Vec<_> = pairs().flat_map(|(a, b)| field.product_row(a, b)).collect();
            assert_eq!(x.rows(), products);
            field.power_rows(x.words_mut(), 3).unwrap();
            let cubes = products
                .chunks(width)
                .flat_map(|row| field.power_row(row, 3));
            assert_eq!(x.rows(), cubes.collect::<Vec<_>>());
        }
        let mut units = Words::of(&field, &rows(&field, 1, &mut random));
        let before = units.rows();
        field.invert_rows(units.words_mut()).unwrap();
        assert_eq!(Some(units.rows()), field.inverse_row(&before));
        field.scale_rows(units.words_mut(), &before).unwrap();
        let mut one = Vec::new();
        field.push_u64(1, &mut one);
        assert_eq!(units.rows(), one);
    }
}

#[test]
fn rows_that_are_none_of_the_field_are_refused() {
    for field in fields() {
        let width = field.width();
        let mut to = Words::of(&field, &vec![0; 3 * width]);
        // The first that is no element is named.
        let mut outside = vec![0; 3 * width];
        outside[width..2 * width].fill(u64::MAX);
        let found = field.copy_rows(WordRows::Words64(&outside), to.words_mut());
        assert_eq!(found, Err(FieldError::RowOutside { index: 1 }));
        let mut narrow = vec![0u32; 3 * width];
        narrow[2 * width] = 5;
        let known = field.copy_rows(WordRows::Words32(&narrow), to.words_mut());
        let outside = field.first_outside(WordRows::Words32(&narrow));
        assert_eq!(known.is_ok(), outside.is_none());
        let wide: Vec<_> = narrow.iter().map(|&word| u64::from(word)).collect();
        assert_eq!(field.first_outside(WordRows::Words64(&wide)), outside);
        // At the borders of what is looked at together, and of what is no whole row.
        for at in [0, 1, 1023, 1024, 1025, 2048] {
            let mut long = vec![0; 2049 * width];
            long[at * width..(at + 1) * width].fill(u64::MAX);
            assert_eq!(field.first_outside(WordRows::Words64(&long)), Some(at));
            let mut words = Words::of(&field, &vec![0; 2049 * width]);
            match words.words_mut() {
                WordRowsMut::Words32(words) => words[at * width..(at + 1) * width].fill(u32::MAX),
                WordRowsMut::Words64(words) => words[at * width..(at + 1) * width].fill(u64::MAX),
            }
            assert_eq!(field.first_outside(words.words()), Some(at));
        }
        let long = vec![0; 600 * width + width - 1];
        let part = (width > 1).then_some(600);
        assert_eq!(field.first_outside(WordRows::Words64(&long)), part);
        // Another number of words, or words of another size.
        let short = vec![0; 2 * width];
        assert!(matches!(
            field.copy_rows(WordRows::Words64(&short), to.words_mut()),
            Err(FieldError::RowSize { .. })
        ));
        let (mut narrow, mut wide) = ([0u32; 512], [0u64; 512]);
        let other: WordRowsMut<'_> = match field.word_bits() {
            32 => (&mut wide[..]).into(),
            _ => (&mut narrow[..]).into(),
        };
        let found = field.scale_rows(other, &vec![1; width]);
        assert!(matches!(found, Err(FieldError::RowSize { .. })));
        assert!(matches!(
            field.add_assign_rows(to.words_mut(), Words::of(&field, &short).words()),
            Err(FieldError::RowSize { .. })
        ));
        assert_eq!(
            field.invert_rows(Words::of(&field, &vec![0; width]).words_mut()),
            Err(FieldError::ZeroInverse { index: 0 })
        );
    }
}

#[test]
fn numbers_are_reduced() {
    for field in fields() {
        let numbers = [0, 1, 5, u64::MAX, 1 << 31, 1 << 63];
        let mut out = Words::of(&field, &vec![7; numbers.len() * field.width()]);
        let mut expected = Vec::new();
        numbers
            .iter()
            .for_each(|&number| field.push_u64(number, &mut expected));
        field
            .write_images(WordRows::Words64(&numbers), out.words_mut())
            .unwrap();
        assert_eq!(out.rows(), expected);
        let signed = numbers.map(|number| number as i64);
        let mut expected = Vec::new();
        let push = |number: &i64| {
            field.push_integer(&sunzi_integer::Integer::from(*number), &mut expected)
        };
        signed.iter().for_each(push);
        field.write_signed_images(&signed, out.words_mut()).unwrap();
        assert_eq!(out.rows(), expected);
        let mut short = Words::of(&field, &vec![0; field.width()]);
        assert!(
            field
                .write_signed_images(&signed, short.words_mut())
                .is_err()
        );
    }
}

#[test]
fn rings_and_trees_take_words() {
    let mut random = Random::new(2);
    for field in fields() {
        let ring = AnyPolyRing::new(&field);
        let row = rows(&field, 20, &mut random);
        let f = ring.polynomial_of(Words::of(&field, &row).words()).unwrap();
        assert_eq!(f.words(), Words::of(&field, &row).words());
        assert!(
            ring.are_equal(&f, &ring.polynomial(row.clone()).unwrap())
                .unwrap()
        );
        let outside = vec![u64::MAX; field.width()];
        assert_eq!(
            ring.polynomial_of(WordRows::Words64(&outside)).unwrap_err(),
            PolyError::CoefficientOutside { index: 0 }
        );
        // Two pairs at a time are as one after the other.
        let operands = Words::of(&field, &row);
        let mut out = Words::of(&field, &vec![0; 38 * field.width()]);
        ring.mul_batch(out.words_mut(), operands.words(), operands.words(), 10, 10)
            .unwrap();
        for (half, out) in row
            .chunks(10 * field.width())
            .zip(out.rows().chunks(19 * field.width()))
        {
            let half = ring.polynomial(half.to_vec()).unwrap();
            let product = ring.polynomial(out.to_vec()).unwrap();
            assert!(ring.are_equal(&ring.sqr(&half).unwrap(), &product).unwrap());
        }
        // The text leads back.
        let text = ring.text(&f, "x").unwrap();
        assert!(ring.are_equal(&ring.parse(&text).unwrap(), &f).unwrap());
        let mut points = Vec::new();
        (0..3).for_each(|point| field.push_u64(point, &mut points));
        let tree = ring.subproduct_tree_of(Words::of(&field, &points).words());
        // Modulo 3 as anywhere these are three points.
        let tree = tree.unwrap();
        let mut values = Words::of(&field, &points);
        tree.evaluate_into(&f, values.words_mut()).unwrap();
        assert_eq!(values.rows(), tree.evaluate(&f).unwrap());
        let each = points
            .chunks(field.width())
            .flat_map(|point| ring.evaluate_at(&f, point).unwrap());
        assert_eq!(values.rows(), each.collect::<Vec<_>>());
        let low = tree.interpolate_words(values.words()).unwrap();
        tree.evaluate_into(&low, values.words_mut()).unwrap();
        assert_eq!(values.rows(), tree.evaluate(&f).unwrap());
        let mut short = Words::of(&field, &points[field.width()..]);
        assert!(tree.evaluate_into(&f, short.words_mut()).is_err());
    }
}

#[test]
fn transforms_of_several_vectors_are_those_of_each() {
    let mut random = Random::new(3);
    for field in fields() {
        for points in [1, 2, 3, 4, 5, 10] {
            let Ok(plan) = AnyDft::new(&field, points) else {
                continue;
            };
            let all = rows(&field, 3 * points, &mut random);
            let vectors = all.chunks(points * field.width());
            let each = |direction| -> Vec<u64> {
                let transformed =
                    |vector: &[u64]| plan.transform(vector.to_vec(), direction).unwrap();
                vectors.clone().flat_map(transformed).collect()
            };
            for direction in [Direction::Forward, Direction::Inverse] {
                let mut words = Words::of(&field, &all);
                plan.transform_batch(words.words_mut(), direction, Ordering::Natural)
                    .unwrap();
                assert_eq!(words.rows(), each(direction));
            }
            // Whatever the order is, it leads back.
            let mut words = Words::of(&field, &all);
            for direction in [Direction::Forward, Direction::Inverse] {
                plan.transform_batch(words.words_mut(), direction, Ordering::Internal)
                    .unwrap();
            }
            assert_eq!(words.rows(), all);
            let reversed =
                plan.transform_batch(words.words_mut(), Direction::Forward, Ordering::BitReversed);
            let refused = PolyError::Transform(DftError::OrderOfLength { points });
            let expected = match points.is_power_of_two() {
                true => Ok(()),
                false => Err(refused),
            };
            assert_eq!(reversed, expected);
            if points > 1 {
                let mut cut = Words::of(&field, &all[field.width()..]);
                let found =
                    plan.transform_batch(cut.words_mut(), Direction::Forward, Ordering::Natural);
                assert!(matches!(
                    found,
                    Err(PolyError::Transform(DftError::Shape { .. }))
                ));
            }
        }
    }
}
