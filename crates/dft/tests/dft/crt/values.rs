//! Sums of products modulo words, of polynomials kept by their values, against the definition.

use sunzi_dft::DftError;
use sunzi_dft::crt::ModularConvolver;
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Random, convolution_mod, edge_lengths, edge_residues, on_threads};

/// Moduli of all sizes, prime or not, around those at which the number of primes changes.
const MODULI: [u64; 15] = [
    1,
    2,
    3,
    97,
    1 << 20,
    (1 << 24) + 43,
    2_147_483_647,
    (1 << 32) - 5,
    1 << 32,
    (1 << 32) + 15,
    (1 << 49) + 1,
    (1 << 62) - 57,
    (1 << 63) - 25,
    1 << 63,
    u64::MAX,
];

/// Convolvers with every kernel that this processor has.
fn convolvers(modulus: u64) -> impl Iterator<Item = (InstructionSet, ModularConvolver)> {
    InstructionSet::ALL.into_iter().filter_map(move |kernel| {
        if !kernel.is_available() {
            println!("skipped: this processor has no {kernel}");
            return None;
        }
        Some((
            kernel,
            ModularConvolver::with_kernel(modulus, kernel).unwrap(),
        ))
    })
}

/// The sum of the pairs' products modulo x^points − 1 and the modulus, by definition.
fn wrapped_sum(modulus: u64, points: usize, pairs: &[[&[u64]; 2]]) -> Vec<u64> {
    let mut sum = vec![0; points];
    for [a, b] in pairs {
        for (k, term) in convolution_mod(a, b, modulus).into_iter().enumerate() {
            let total = u128::from(sum[k % points]) + u128::from(term);
            sum[k % points] = (total % u128::from(modulus)) as u64;
        }
    }
    sum
}

/// Residues of 32 bits.
fn shorts(words: &[u64]) -> Vec<u32> {
    words.iter().map(|&word| word as u32).collect()
}

fn values(convolver: &ModularConvolver, points: usize, a: &[u64]) -> Vec<u64> {
    // What a vector held before does not matter.
    let mut values = vec![u64::MAX; convolver.value_words(points)];
    convolver.evaluate_into(&mut values, points, a).unwrap();
    values
}

fn short_values(convolver: &ModularConvolver, points: usize, a: &[u32]) -> Vec<u64> {
    let mut values = vec![u64::MAX; convolver.value_words(points)];
    convolver
        .evaluate_short_into(&mut values, points, a)
        .unwrap();
    values
}

/// Sums of one product and of two.
fn check_sums(
    (kernel, convolver): &(InstructionSet, ModularConvolver),
    modulus: u64,
    points: usize,
    operands: &[Vec<u64>; 4],
    lens: &[usize],
) {
    let [a, b, c, d] = operands.each_ref().map(|x| &x[..]);
    let of_one = wrapped_sum(modulus, points, &[[a, b]]);
    let of_two = wrapped_sum(modulus, points, &[[a, b], [c, d]]);
    let kept = operands.each_ref().map(|x| values(convolver, points, x));
    let [a, b, c, d] = kept.each_ref().map(|x| &x[..]);
    for &len in lens {
        let case = format!("mod {modulus}, {kernel}: {len} of {points}");
        let mut sum = vec![u64::MAX; len];
        convolver.sum_products(&mut sum, points, [[a, b]]).unwrap();
        assert!(sum == of_one[..len], "one pair, {case}");
        convolver
            .sum_products(&mut sum, points, [[a, b], [c, d]])
            .unwrap();
        assert!(sum == of_two[..len], "two pairs, {case}");
    }
    if modulus <= 1 << 32 {
        let kept = operands
            .each_ref()
            .map(|x| short_values(convolver, points, &shorts(x)));
        let [a, b, c, d] = kept.each_ref().map(|x| &x[..]);
        for &len in lens {
            let case = format!("short, mod {modulus}, {kernel}: {len} of {points}");
            let mut sum = vec![u32::MAX; len];
            convolver
                .sum_products_short(&mut sum, points, [[a, b]])
                .unwrap();
            assert!(sum == shorts(&of_one[..len]), "one pair, {case}");
            convolver
                .sum_products_short(&mut sum, points, [[a, b], [c, d]])
                .unwrap();
            assert!(sum == shorts(&of_two[..len]), "two pairs, {case}");
        }
    }
}

/// Edge residues in turn, from the given one on.
fn edges(modulus: u64, first: usize, len: usize) -> Vec<u64> {
    let residues = edge_residues(modulus).into_iter().cycle();
    residues.skip(first).take(len).collect()
}

/// Operands of four lengths: random ones, edges in turn, the greatest residue everywhere.
fn batteries(modulus: u64, lens: [usize; 4]) -> [[Vec<u64>; 4]; 3] {
    let mut random = Random::new(modulus);
    [
        lens.map(|len| random.residues(len, modulus)),
        [0, 1, 2, 3].map(|index| edges(modulus, 5 * index, lens[index])),
        lens.map(|len| vec![modulus - 1; len]),
    ]
}

#[test]
fn sums_of_products_match_the_definition() {
    let lengths = [edge_lengths(260), vec![12, 47, 96, 97, 193, 385, 530]].concat();
    for modulus in MODULI {
        for convolver in convolvers(modulus) {
            for &len in &lengths {
                let points = convolver.1.points_for(len).unwrap();
                let (short, half) = (len.div_ceil(5), len.div_ceil(2));
                let lens = [half, len + 1 - half, short, len + 1 - short];
                for operands in batteries(modulus, lens) {
                    let lens = [0, 1, half, len - 1, len, points];
                    check_sums(&convolver, modulus, points, &operands, &lens);
                }
            }
        }
    }
}

#[test]
fn products_wrap_at_a_power_of_two_of_points() {
    for modulus in MODULI {
        for convolver in convolvers(modulus) {
            for log in 0..10 {
                let points = convolver.1.points_for(1 << log).unwrap();
                assert!(points.is_power_of_two());
                let lens = [points, points, points - points / 3, points / 2 + 1];
                for operands in batteries(modulus, lens) {
                    let lens = [1, points / 2 + 1, points];
                    check_sums(&convolver, modulus, points, &operands, &lens);
                }
            }
        }
    }
}

#[test]
fn polynomials_without_coefficients_are_zero() {
    for modulus in MODULI {
        for convolver in convolvers(modulus) {
            for len in [0, 1, 40, 64, 100] {
                let points = convolver.1.points_for(len).unwrap();
                let operands = [points, 0, 1, points].map(|len| edges(modulus, 1, len));
                check_sums(&convolver, modulus, points, &operands, &[1, points]);
            }
        }
    }
}

/// Where the greatest sum of two wrapped products needs one more prime, all its terms are there.
#[test]
fn the_greatest_sums_fit_the_primes_at_every_number_of_points() {
    for points in [64, 1 << 10, 1 << 13] {
        for bits in 1..=64 {
            let modulus = u64::MAX >> (64 - bits);
            let convolver = ModularConvolver::new(modulus).unwrap();
            assert_eq!(convolver.points_for(points), Some(points));
            let top = values(&convolver, points, &vec![modulus - 1; points]);
            let mut sum = vec![0; points];
            convolver
                .sum_products(&mut sum, points, [[&top, &top], [&top, &top]])
                .unwrap();
            // (−1)·(−1), twice at every point.
            let expected = 2 * points as u64 % modulus;
            assert!(
                sum.iter().all(|&x| x == expected),
                "{bits} bits, {points} points"
            );
        }
    }
}

#[test]
fn points_and_words() {
    for modulus in MODULI {
        for (_, convolver) in convolvers(modulus) {
            let least = convolver.points_for(1).unwrap();
            for len in [0, 1, 2, 63, 64, 65, 100, 1000, 1 << 20, (1 << 20) + 1] {
                let points = convolver.points_for(len).unwrap();
                assert!(points >= len.max(least));
                assert_eq!(convolver.points_for(points), Some(points));
                if len.is_power_of_two() {
                    assert_eq!(points, len.max(least));
                }
                let words = convolver.value_words(points);
                assert!(words.is_multiple_of(points) && (1..=4).contains(&(words / points)));
            }
            assert_eq!(convolver.points_for(1 << 40), None);
            assert_eq!(convolver.points_for(usize::MAX), None);
        }
    }
}

fn shape<T>(result: &Result<T, DftError>) -> bool {
    matches!(result, Err(DftError::Shape { .. }))
}

#[test]
fn wrong_lengths_are_refused() {
    for modulus in MODULI {
        for (_, convolver) in convolvers(modulus) {
            let points = convolver.points_for(100).unwrap();
            let words = convolver.value_words(points);
            let operand = vec![0; points + 1];
            let mut kept = vec![0; words + 1];
            for wrong in [0, 1, words - 1, words + 1] {
                let result = convolver.evaluate_into(&mut kept[..wrong], points, &[]);
                assert!(shape(&result), "mod {modulus}: {wrong} of {words}");
            }
            let too_long = convolver.evaluate_into(&mut kept[..words], points, &operand);
            assert!(shape(&too_long));
            let good = values(&convolver, points, &operand[..points]);
            let mut sum = vec![0; points + 1];
            assert!(shape(&convolver.sum_products(
                &mut sum,
                points,
                [[&good, &good]]
            )));
            for at in 0..4 {
                let mut all = [&good[..]; 4];
                all[at] = &good[1..];
                let [a, b, c, d] = all;
                let result = convolver.sum_products(&mut sum[..1], points, [[a, b], [c, d]]);
                assert!(shape(&result));
            }
            // Between two numbers of points.
            let odd = convolver.points_for(1).unwrap() + 1;
            let mut kept = vec![0; convolver.value_words(odd)];
            if convolver.points_for(odd) != Some(odd) {
                assert!(shape(&convolver.evaluate_into(&mut kept, odd, &[])));
                let product = convolver.sum_products(&mut [0], odd, [[&kept, &kept]]);
                assert!(shape(&product));
            }
        }
    }
}

#[test]
fn no_points_are_refused() {
    let convolver = ModularConvolver::new(97).unwrap();
    let product = convolver.sum_products(&mut [], 0, [[&[], &[]]]);
    assert!(shape(&product));
    let words = convolver.value_words(1);
    for words in [0, words] {
        let mut values = vec![0; words];
        assert!(shape(&convolver.evaluate_into(&mut values, 0, &[])));
        assert!(shape(&convolver.evaluate_short_into(&mut values, 0, &[])));
    }
}

#[test]
fn short_words_take_no_modulus_above_theirs() {
    for modulus in [(1 << 32) + 1, (1 << 63) - 25, u64::MAX] {
        let convolver = ModularConvolver::new(modulus).unwrap();
        let points = convolver.points_for(3).unwrap();
        let mut kept = vec![0; convolver.value_words(points)];
        let refused = Err(DftError::ModulusTooLarge { modulus });
        let evaluated = convolver.evaluate_short_into(&mut kept, points, &[1]);
        assert_eq!(evaluated, refused);
        let product = convolver.sum_products_short(&mut [0], points, [[&kept, &kept]]);
        assert_eq!(product, refused);
    }
    let convolver = ModularConvolver::new(1 << 32).unwrap();
    let points = convolver.points_for(3).unwrap();
    let top = short_values(&convolver, points, &[u32::MAX, 1]);
    let mut square = [0; 3];
    convolver
        .sum_products_short(&mut square, points, [[&top, &top]])
        .unwrap();
    assert_eq!(square, [1, u32::MAX - 1, 1]); // (−1 + x)² = 1 − 2x + x²
}

/// Residues of 32 bits have the same values in words of 64.
#[test]
fn short_and_long_words_mix() {
    for modulus in [3, 2_147_483_647, 1 << 32] {
        for (_, convolver) in convolvers(modulus) {
            let points = convolver.points_for(200).unwrap();
            let a = edges(modulus, 2, 100);
            let long = values(&convolver, points, &a);
            assert!(long == short_values(&convolver, points, &shorts(&a)));
        }
    }
}

/// Checked by the value at one point.
#[test]
fn long_sums_do_not_depend_on_threads() {
    let value_at = |f: &[u64], x: u64, modulus: u64| {
        f.iter().rev().fold(0, |value, &c| {
            let next = u128::from(value) * u128::from(x) + u128::from(c);
            (next % u128::from(modulus)) as u64
        })
    };
    for modulus in [97, 2_147_483_647, (1 << 62) - 57, u64::MAX] {
        for (kernel, convolver) in convolvers(modulus) {
            for len in [1 << 15, (3 << 13) + 5, 100_000] {
                let points = convolver.points_for(len).unwrap();
                let mut random = Random::new(len as u64);
                let operands = [len / 2, len / 2, len / 7, len - len / 7]
                    .map(|len| random.residues(len, modulus));
                let run = || {
                    let kept = operands.each_ref().map(|x| values(&convolver, points, x));
                    let [a, b, c, d] = kept.each_ref().map(|x| &x[..]);
                    let mut sum = vec![0; len - 1];
                    convolver
                        .sum_products(&mut sum, points, [[a, b], [c, d]])
                        .unwrap();
                    sum
                };
                let [sum, parallel] = [1, 3].map(|threads| on_threads(threads, run));
                assert!(sum == parallel, "mod {modulus}, {kernel}: {len}");
                let x = modulus / 3;
                let [a, b, c, d] = operands
                    .each_ref()
                    .map(|f| u128::from(value_at(f, x, modulus)));
                let wide = u128::from(modulus);
                let expected = (a * b % wide + c * d % wide) % wide;
                assert_eq!(
                    u128::from(value_at(&sum, x, modulus)),
                    expected,
                    "mod {modulus}, {kernel}: {len}"
                );
            }
        }
    }
}
