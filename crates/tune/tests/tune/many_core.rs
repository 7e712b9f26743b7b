//! The many-core machine model: what is printed of it, exactly, and counts that agree with graphs of kernels.

use proptest::prelude::*;
use sunzi_integer::Rational;
use sunzi_tune::{
    KernelCosts, KernelId, MachineModel, ManyCoreAlgorithm as Algorithm, ManyCoreCosts,
    ManyCoreProgram, UnknownKernel,
};

fn ratio(numerator: u64, denominator: u64) -> Rational {
    Rational::from(numerator) / Rational::from(denominator)
}

fn r(value: u64) -> Rational {
    Rational::from(value)
}

/// Machines with transfer times of a twentieth of a cycle on.
fn machine() -> impl Strategy<Value = MachineModel> {
    (1_u64..4000, 1_u64..50, 1_u64..200).prop_map(|(u, z, sms)| MachineModel {
        u: ratio(u, 20),
        z: 42 * z, // so that Z/2, Z/6 and Z/7 are integers
        sms,
    })
}

fn both(
    machine: &MachineModel,
    naive: Algorithm,
    better: Algorithm,
) -> (ManyCoreCosts, ManyCoreCosts) {
    assert!(
        naive.local_words().is_some_and(|words| words <= machine.z),
        "{naive:?}"
    );
    assert!(
        better.local_words().is_some_and(|words| words <= machine.z),
        "{better:?}"
    );
    (naive.costs(machine), better.costs(machine))
}

/// The ratio of what is left of both bounds for ever longer polynomials: N·C over N·C.
fn limit(naive: &ManyCoreCosts, better: &ManyCoreCosts) -> Rational {
    &naive.blocks * &naive.longest / (&better.blocks * &better.longest)
}

fn near(value: &Rational, expected: &Rational) -> bool {
    let error = (value - expected) / expected;
    error < ratio(1, 1000) && error > -ratio(1, 1000)
}

proptest! {
    #[test]
    fn multiplications_have_the_printed_ratios(machine in machine(), m in 1_u64..500, more in 0_u64..500, x in 1_u64..50) {
        let (x, l) = (x.min(m).min(machine.z / 2), machine.z / 2);
        let n = m + more;
        let program = |x| Algorithm::Multiplication { n, m, x, l };
        let (one, many) = both(&machine, program(1), program(x));
        // (8.4), (8.5)
        let delta = n + x - 1;
        prop_assert_eq!(&one.overhead / &many.overhead, r(n) * r(2 * m - 1) * r(x) / (r(delta) * (r(2 * m) - r(x))));
        prop_assert_eq!(&one.work / &many.work, ratio(n, delta));
        // (8.7), for n = m without end.
        let n = 1_u64 << 50;
        let program = |x| Algorithm::Multiplication { n, m: n, x, l };
        let (one, many) = both(&machine, program(1), program(x));
        let three_u = r(3) * &machine.u;
        let expected = (r(1) + &three_u) * r(x) / (r(2 * x - 1) + &three_u);
        prop_assert!(near(&limit(&one, &many), &expected));
        prop_assert!(three_u <= r(1) || x == 1 || expected > r(1));
    }

    #[test]
    fn divisions_have_the_printed_ratios(machine in machine(), m in 1_u64..500, more in 0_u64..500) {
        let (l, s) = (machine.z / 2, machine.z / 7);
        let n = m + more;
        let (naive, better) = both(&machine, Algorithm::NaiveDivision { n, m, l }, Algorithm::Division { n, m, s });
        let (z, u, p) = (r(machine.z), &machine.u, r(machine.sms));
        // (9.4), (9.5)
        prop_assert_eq!(&naive.overhead / &better.overhead, ratio(20, 441) * &z);
        prop_assert_eq!(&naive.work / &better.work, r(8) * (&z + r(1)) / (r(9) * &z + r(7)));
        // (9.7), (9.8)
        let quotient = naive.bound(&machine) / better.bound(&machine);
        let (l, s, m) = (r(l), r(s), r(m));
        let naive_block = r(3) + r(5) * u;
        let printed = ratio(2, 3) * &naive_block * (&m + &l * &p) * &s * &s / (&l * (&s + r(3) * u) * (&m + r(2) * &s * &p));
        prop_assert_eq!(&quotient, &printed);
        let printed = ratio(2, 3) * &naive_block * (r(2) * &m + &z * &p) * &z
            / ((&z + r(21) * u) * (r(7) * &m + r(2) * &z * &p));
        prop_assert_eq!(&quotient, &printed);
        // (9.9), and where it is above 1.
        let expected = ratio(4, 21) * naive_block * &z / (&z + r(21) * u);
        prop_assert_eq!(limit(&naive, &better), expected.clone());
        if *u > ratio(9, 20) {
            prop_assert_eq!(expected > r(1), z > r(441) * u / (r(20) * u - r(9)));
        } else {
            prop_assert!(expected <= r(1));
        }
    }

    #[test]
    fn euclids_algorithms_have_the_printed_ratios(machine in machine(), n in 1_u64..500) {
        let (l, s) = (machine.z / 2, machine.z / 6);
        let (z, u) = (r(machine.z), &machine.u);
        let programs = |n| (Algorithm::NaiveEuclid { n, m: n, l }, Algorithm::Euclid { n, m: n, s });
        let (naive, better) = both(&machine, programs(n).0, programs(n).1);
        // (9.12)
        let printed = ratio(5, 48) * &z * (r(2 * n + 2) + &z) / (r(6 * n) + &z);
        prop_assert_eq!(&naive.overhead / &better.overhead, printed);
        // (9.15), for n = m without end, and where it is above 1.
        let (naive, better) = both(&machine, programs(1 << 50).0, programs(1 << 50).1);
        let expected = (r(3) + r(5) * u) * &z / (r(9) * (&z + r(16) * u));
        prop_assert!(near(&limit(&naive, &better), &expected));
        if *u > ratio(6, 5) {
            prop_assert_eq!(expected > r(1), z > r(144) * u / (r(5) * u - r(6)));
        } else {
            prop_assert!(expected <= r(1));
        }
    }
}

/// A chain of kernels.
fn chain(machine: &MachineModel, kernels: impl IntoIterator<Item = KernelCosts>) -> ManyCoreCosts {
    let mut program = ManyCoreProgram::default();
    let mut last: Vec<KernelId> = Vec::new();
    for kernel in kernels {
        last = vec![program.kernel(kernel, &last).unwrap()];
    }
    program.costs(machine)
}

fn kernel(blocks: u64, work: u64, span: u64, words: u64) -> KernelCosts {
    KernelCosts {
        blocks,
        work,
        span,
        words,
    }
}

fn test_machine() -> MachineModel {
    MachineModel {
        u: ratio(7, 2),
        z: 4096,
        sms: 14,
    }
}

#[test]
fn counts_are_those_of_the_graphs() {
    let machine = test_machine();
    // n + x - 1 = 256 coefficients a row by blocks of 64 threads, 32 rows of x = 4 at a time: then 16, 8, 4, 2, 1.
    let (n, m, x, l) = (253, 128, 4, 64);
    let additions = [16, 8, 4, 2, 1].map(|rows| kernel(rows * 4, l, 1, 3));
    let all = [kernel(32 * 4, l * (2 * x - 1), 2 * x - 1, 3)]
        .into_iter()
        .chain(additions);
    assert_eq!(
        chain(&machine, all),
        Algorithm::Multiplication { n, m, x, l }.costs(&machine)
    );

    let (n, m, l, s) = (191, 128, 32, 8);
    let naive = (0..n - m + 1).map(|_| kernel(m / l, 2 * l + 1, 3, 5));
    assert_eq!(
        chain(&machine, naive),
        Algorithm::NaiveDivision { n, m, l }.costs(&machine)
    );
    let better = (0..(n - m + 1) / s).map(|_| kernel(m / (2 * s), (9 * s * s + s) / 2, 3 * s, 9));
    assert_eq!(
        chain(&machine, better),
        Algorithm::Division { n, m, s }.costs(&machine)
    );

    let (n, m) = (192, 128);
    let first = (0..(n - m) / s).map(|_| kernel(m / s, (9 * s * s + s) / 2, 3 * s, 8));
    let both = (1..=m / s).rev().flat_map(|k| [k, k]);
    let second = both.map(|k| kernel(k, (19 * s * s + 2 * s) / 4, 3 * s, 8));
    assert_eq!(
        chain(&machine, first.chain(second)),
        Algorithm::Euclid { n, m, s }.costs(&machine)
    );
    // Naive steps of Euclid's algorithm, thread by thread: what is printed counts some blocks more.
    let steps: Vec<u64> = std::iter::repeat_n(m, (n - m) as usize)
        .chain((1..m).rev().flat_map(|k| [k, k]))
        .collect();
    let costs = Algorithm::NaiveEuclid { n, m, l }.costs(&machine);
    assert_eq!(costs.path, r(steps.len() as u64));
    let blocks: u64 = steps.iter().map(|active| active.div_ceil(l)).sum();
    let operations: u64 = steps.iter().map(|active| 2 * active).sum();
    assert_eq!(&costs.work - &costs.blocks, r(operations));
    assert!(costs.blocks >= r(blocks) && costs.blocks <= r(blocks) + r(3 * m / l));
}

/// The leading coefficients of Euclid's algorithm, s steps a kernel: s + 2 ((s − 1) + … + s/2) operations, for which
/// 27 s²/4 + 13 s/2 is printed, and with which (9.10) and (9.13) are computed.
#[test]
fn leading_coefficients_take_less_than_is_printed() {
    let machine = test_machine();
    for s in [2_u64, 8, 64] {
        let heads = s + 2 * (s / 2..s).sum::<u64>();
        assert_eq!(heads, (3 * s * s + 2 * s) / 4);
        assert!(4 * heads < 27 * s * s + 26 * s);
        let (n, m) = (3 * s, s);
        let costs = Algorithm::Euclid { n, m, s }.costs(&machine);
        // Two kernels of one block while the divisor stays, and two of one block to the end.
        let expected = 2 * (9 * s * s + s) / 2 + 2 * (heads + 4 * s * s);
        assert_eq!(costs.work, r(expected));
    }
    // (8.2) has 2m − 1/2 for the factor 2m − 1 of the work, which (8.5) divides out.
    let (n, m, x, l) = (253, 128, 4, 64);
    let costs = Algorithm::Multiplication { n, m, x, l }.costs(&machine);
    assert_eq!(costs.work, r((2 * m - 1) * (n + x - 1)));
}

#[test]
fn kernels_that_wait_for_none_run_at_a_time() {
    let machine = test_machine();
    let mut program = ManyCoreProgram::default();
    let first = program.kernel(kernel(2, 10, 5, 1), &[]).unwrap();
    let second = program.kernel(kernel(3, 10, 9, 0), &[]).unwrap();
    let third = program
        .kernel(kernel(1, 10, 2, 4), &[first, second])
        .unwrap();
    program.kernel(kernel(7, 1, 1, 1), &[first]).unwrap();
    let costs = program.costs(&machine);
    assert_eq!(
        (&costs.path, &costs.span, &costs.blocks),
        (&r(2), &r(11), &r(13))
    );
    assert_eq!(costs.work, r(20 + 30 + 10 + 7));
    assert_eq!(costs.overhead, r(2 + 4 + 7) * &machine.u);
    assert_eq!(costs.longest, r(2) + r(4) * &machine.u);
    // Steps of 2 + 3 and of 1 + 7 blocks, on 14 multiprocessors.
    let expected = [(5, r(9)), (8, costs.longest.clone())];
    let expected = expected.map(|(blocks, longest)| (ratio(blocks, 14) + r(1)) * longest);
    let [first_step, second_step] = expected;
    assert_eq!(program.bound_by_steps(&machine), first_step + second_step);
    assert!(program.bound_by_steps(&machine) <= costs.bound(&machine));
    let mut other = ManyCoreProgram::default();
    assert_eq!(
        other.kernel(kernel(1, 1, 1, 1), &[third]),
        Err(UnknownKernel(third))
    );
    let nothing = other.costs(&machine);
    assert_eq!((&nothing.path, nothing.bound(&machine)), (&r(0), r(0)));
}

#[test]
fn the_best_parameter_has_the_least_bound() {
    let machine = test_machine();
    let multiplication = |x| Algorithm::Multiplication {
        n: 1000,
        m: 700,
        x,
        l: 512,
    };
    let (x, bound) = machine.best_parameter(1..=4096, multiplication).unwrap();
    for other in (1..=512).filter(|other| *other != x) {
        assert!(
            multiplication(other).costs(&machine).bound(&machine) >= bound,
            "{other}"
        );
    }
    // For finite m the path bounds x: the better, the fewer blocks there are.
    assert!(x < 512);
    // What local memory has room for, and nothing else.
    let (s, _) = machine
        .best_parameter(1..5000, |s| Algorithm::Division {
            n: 1 << 40,
            m: 1 << 30,
            s: s.min(4096),
        })
        .map_or((0, Rational::ZERO), |found| found);
    assert!(7 * s <= machine.z);
    assert_eq!(
        machine.best_parameter(586..600, |s| Algorithm::Division { n: 2, m: 1, s }),
        None
    );
    assert_eq!(
        machine.best_parameter(1..9, |s| Algorithm::Euclid { n: 1, m: 2, s }),
        None
    );
    assert_eq!(
        machine.best_parameter([0], |x| Algorithm::Multiplication {
            n: 2,
            m: 1,
            x,
            l: 8
        }),
        None
    );
}
