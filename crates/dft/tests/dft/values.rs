//! Sums of products of polynomials kept by their values, against the definition.

use crate::support::{inputs, prime};
use sunzi_dft::TransformField;
use sunzi_dft::{Convolver, DftError};
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Random, edge_lengths, edge_residues, on_threads, value_at};

/// Convolvers with every kernel that this processor has.
fn convolvers<F: TransformField>(field: &F) -> impl Iterator<Item = Convolver<F>> {
    InstructionSet::ALL.into_iter().filter_map(|kernel| {
        if !kernel.is_available() {
            println!("skipped: this processor has no {kernel}");
        }
        kernel
            .is_available()
            .then(|| Convolver::with_kernel(field, kernel))
    })
}

/// The sum of the pairs' products modulo x^points − 1, by definition.
fn wrapped_sum<F: Field>(field: &F, points: usize, pairs: &[[&[F::Elem]; 2]]) -> Vec<F::Elem> {
    let mut sum = vec![field.zero(); points];
    for [a, b] in pairs {
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                let at = (i + j) % points;
                sum[at] = field.add(sum[at], field.mul(x, y));
            }
        }
    }
    sum
}

/// Edge residues in turn, from the given one on.
fn edges<F: TransformField>(field: &F, first: usize, len: usize) -> Vec<F::Elem> {
    let residues = edge_residues(prime(field));
    let turns = residues.into_iter().cycle().skip(first).take(len);
    turns.map(|residue| field.from_word(residue)).collect()
}

fn values<F: TransformField>(
    convolver: &Convolver<F>,
    points: usize,
    a: &[F::Elem],
) -> Vec<F::Elem> {
    // What a vector held before does not matter.
    let mut values = vec![convolver.field().neg(convolver.field().one()); points];
    convolver.evaluate_into(&mut values, a).unwrap();
    values
}

/// Sums of one pair and of two pairs of the operands, of which the given number of coefficients is asked for.
fn check_sums<F: TransformField>(
    convolver: &Convolver<F>,
    points: usize,
    operands: &[Vec<F::Elem>; 4],
    lens: &[usize],
) {
    let field = convolver.field();
    let [a, b, c, d] = operands.each_ref().map(|x| &x[..]);
    let of_one = wrapped_sum(field, points, &[[a, b]]);
    let of_two = wrapped_sum(field, points, &[[a, b], [c, d]]);
    let [a, b, c, d] = operands.each_ref().map(|x| values(convolver, points, x));
    for &len in lens {
        let kernel = convolver.kernel();
        let case = format!("{field:?} {kernel}, {len} of {points}");
        let mut sum = vec![field.one(); len];
        convolver.sum_products(&mut sum, [[&a, &b]]).unwrap();
        assert!(sum == of_one[..len], "one pair, {case}");
        convolver
            .sum_products(&mut sum, [[&a, &b], [&c, &d]])
            .unwrap();
        assert!(sum == of_two[..len], "two pairs, {case}");
    }
}

/// Operands of four lengths: random ones, edges in turn, the greatest residue everywhere.
fn batteries<F: TransformField>(field: &F, lens: [usize; 4]) -> [[Vec<F::Elem>; 4]; 3] {
    let top = field.neg(field.one());
    [
        lens.map(|len| Random::new(len as u64 + 1).elements(field, len)),
        [0, 1, 2, 3].map(|index| edges(field, 5 * index, lens[index])),
        lens.map(|len| vec![top; len]),
    ]
}

/// Lengths at which blocks of all sizes begin and end, and some in between.
fn lengths() -> Vec<usize> {
    [
        edge_lengths(530),
        vec![12, 24, 47, 48, 49, 96, 97, 193, 300, 385, 700],
    ]
    .concat()
}

fn check_products<F: TransformField>(field: &F) {
    for convolver in convolvers(field) {
        for len in lengths() {
            let Some(points) = convolver.points_for(len) else {
                assert!(len > convolver.max_len(), "{field:?}: {len}");
                continue;
            };
            // Products of exactly this many coefficients, and shorter ones.
            let (short, half) = (len.div_ceil(5), len.div_ceil(2));
            for operands in batteries(field, [half, len + 1 - half, short, len + 1 - short]) {
                let lens = [0, 1, half, len - 1, len, points];
                check_sums(&convolver, points, &operands, &lens);
            }
        }
    }
}

#[test]
fn sums_of_products_match_the_definition() {
    with_fields!(check_products);
}

fn check_wrapping<F: TransformField>(field: &F) {
    for convolver in convolvers(field) {
        for log in 0..10 {
            let Some(points) = convolver.points_for(1 << log) else {
                continue;
            };
            assert!(points.is_power_of_two());
            let lens = [points, points, points - points / 3, points / 2 + 1];
            for operands in batteries(field, lens) {
                let lens = [1, points / 2 + 1, points - 1, points].map(|len| len.min(points));
                check_sums(&convolver, points, &operands, &lens);
            }
        }
    }
}

#[test]
fn products_wrap_at_a_power_of_two_of_points() {
    with_fields!(check_wrapping);
}

fn check_empty_operands<F: TransformField>(field: &F) {
    for convolver in convolvers(field) {
        let lens = [0, 1, 2, 40, 64, 100].map(|len| convolver.points_for(len));
        for points in lens.into_iter().flatten() {
            let operands = [points, 0, 1, points].map(|len| edges(field, 1, len));
            check_sums(&convolver, points, &operands, &[1, points]);
        }
    }
}

#[test]
fn polynomials_without_coefficients_are_zero() {
    with_fields!(check_empty_operands);
}

fn check_points<F: TransformField>(field: &F) {
    for convolver in convolvers(field) {
        let longest = convolver.max_len();
        let least = convolver.points_for(1).unwrap();
        let lens = [
            edge_lengths(1 << 13),
            vec![100, 3000, 5000, 1 << 20, 3 << 19],
        ]
        .concat();
        for len in lens.into_iter().chain([longest, longest - 1]) {
            let Some(points) = convolver.points_for(len) else {
                assert!(len > longest, "{field:?}: {len}");
                continue;
            };
            assert!(
                points >= len.max(least) && points <= longest,
                "{len}: {points}"
            );
            assert_eq!(convolver.points_for(points), Some(points), "{len}");
            if len.is_power_of_two() {
                assert_eq!(points, len.max(least));
            }
            if len >= 32 * least {
                assert!(points <= len + len / 16, "{len}: {points}");
            }
        }
        assert_eq!(convolver.points_for(longest + 1), None);
        assert_eq!(convolver.points_for(usize::MAX), None);
    }
}

#[test]
fn points_are_few_and_products_fit_them() {
    with_fields!(check_points);
}

/// Whether this is refused because of lengths that do not fit.
fn refused(result: Result<(), DftError>, expected: usize, found: usize) {
    assert_eq!(result, Err(DftError::Shape { expected, found }));
}

fn check_refusals<F: TransformField>(field: &F) {
    for convolver in convolvers(field) {
        let longest = convolver.max_len();
        let points = convolver.points_for(100.min(longest)).unwrap();
        let a = vec![field.one(); points + 1];
        let mut kept = vec![field.zero(); points];
        refused(convolver.evaluate_into(&mut kept, &a), points, points + 1);
        let good = values(&convolver, points, &a[..1]);
        let mut sum = vec![field.zero(); points + 1];
        refused(
            convolver.sum_products(&mut sum, [[&good, &good]]),
            points,
            points + 1,
        );
        let out = &mut sum[..1];
        assert!(convolver.evaluate_into(&mut [], &[]).is_err());
        assert!(convolver.sum_products(out, [[&[], &[]]]).is_err());
        // Every place of a vector of values.
        let bad = &good[..points / 2];
        for at in 0..4 {
            let mut all = [&good[..]; 4];
            all[at] = bad;
            let [a, b, c, d] = all;
            assert!(convolver.sum_products(out, [[a, b], [c, d]]).is_err());
        }
        // One more than points that there are is none, from the least number on.
        let least = convolver.points_for(1).unwrap();
        if let Some(next) = convolver.points_for(least + 1)
            && next > least + 1
        {
            let mut odd = vec![field.zero(); least + 1];
            refused(convolver.evaluate_into(&mut odd, &[]), next, least + 1);
            let product = convolver.sum_products(out, [[&odd, &odd]]);
            refused(product, next, least + 1);
        }
        if longest < 1 << 16 {
            let mut long = vec![field.zero(); 2 * longest];
            let error = DftError::TooLong {
                len: 2 * longest,
                max: longest,
            };
            assert_eq!(convolver.evaluate_into(&mut long, &[]), Err(error.clone()));
            let product = convolver.sum_products(out, [[&long, &long]]);
            assert_eq!(product, Err(error));
        }
    }
}

#[test]
fn wrong_lengths_are_refused() {
    with_fields!(check_refusals);
}

fn check_kept_values<F: TransformField>(field: &F) {
    for convolver in convolvers(field) {
        let Some(points) = convolver.points_for(96) else {
            continue;
        };
        let (b, inputs) = (Random::new(2).elements(field, 47), inputs(field, 50));
        let first = inputs.iter().map(|a| values(&convolver, points, a));
        let first: Vec<_> = first.collect();
        if convolver.max_len() >= 1 << 14 {
            convolver.prepare(1 << 14).unwrap();
        }
        let second = values(&convolver, points, &b);
        for (a, first) in inputs.iter().zip(first) {
            assert!(values(&convolver, points, a) == first, "{field:?}");
            let mut product = vec![field.zero(); points];
            convolver
                .sum_products(&mut product, [[&first, &second]])
                .unwrap();
            let expected = wrapped_sum(field, points, &[[a, &b]]);
            assert!(product == expected, "{field:?}");
        }
    }
}

#[test]
fn values_stay_right_when_tables_grow() {
    with_fields!(check_kept_values);
}

/// Checked by the value at one point.
#[test]
fn long_sums_do_not_depend_on_threads() {
    fn check<F: TransformField>(field: &F) {
        for convolver in convolvers(field) {
            for len in [1 << 14, (3 << 13) + 5, 1 << 17, (1 << 17) + 1, 200_000] {
                let points = convolver.points_for(len).unwrap();
                let lens = [len / 2, len / 2, len / 7, len - len / 7];
                let operands = lens.map(|len| Random::new(len as u64).elements(field, len));
                let run = || {
                    let [a, b, c, d] = operands.each_ref().map(|x| values(&convolver, points, x));
                    let mut sum = vec![field.zero(); len - 1];
                    convolver
                        .sum_products(&mut sum, [[&a, &b], [&c, &d]])
                        .unwrap();
                    sum
                };
                let [sum, parallel] = [1, 3].map(|threads| on_threads(threads, run));
                assert!(sum == parallel, "{field:?}: {len}");
                let x = field.from_word(prime(field) / 3);
                let [a, b, c, d] = operands.each_ref().map(|f| value_at(field, f, x));
                let expected = field.add(field.mul(a, b), field.mul(c, d));
                let kernel = convolver.kernel();
                assert!(
                    value_at(field, &sum, x) == expected,
                    "{field:?} {kernel}: {len}"
                );
            }
        }
    }
    check(&Fp32::new(469_762_049).unwrap());
    check(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    check(&crate::support::fields50()[0]);
    // The greatest prime.
    check(crate::support::fields64().last().unwrap());
}
