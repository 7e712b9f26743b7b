//! What contexts launch, counted on a device that only records: bytes, multiply-adds and barriers of each launch.

use std::collections::BTreeMap;
use std::sync::Mutex;
use sunzi_device::{Buffer, DeviceInfo, GpuError, LaunchWork, Recorder};
use sunzi_field::AnyField;
use sunzi_gpu::big_prime::{BigPrimeConfig, BigPrimeContext};
use sunzi_gpu::determinant::{
    DeterminantConfig, DeterminantContext, DeterminantPlan, FloatContext, FloatPivoting,
    PanelConfig,
};
use sunzi_gpu::euclid::{EuclidConfig, EuclidContext};
use sunzi_gpu::tree::{SubproductTree, TreePlan};
use sunzi_gpu::tuning::machine_program;
use sunzi_gpu::{ResidueWord, Word};
use sunzi_tune::MachineModel;

/// What is computed of a pair.
#[derive(Clone, Copy)]
pub enum EuclidWork {
    Division,
    Gcd,
    Cofactors,
}

/// What is done with a tree.
#[derive(Clone, Copy)]
pub enum TreeWork {
    Preparation,
    Evaluation,
    /// Where a polynomial was interpolated before.
    Interpolation,
}

/// The field modulo radix^digits + 1, which is proved to be one once.
fn field(of: (u64, usize)) -> Result<AnyField, GpuError> {
    static PROVED: Mutex<BTreeMap<(u64, usize), AnyField>> = Mutex::new(BTreeMap::new());
    let mut proved = PROVED.lock().unwrap();
    if let Some(field) = proved.get(&of) {
        return Ok(field.clone());
    }
    let field = AnyField::generalized_fermat(of.0, of.1);
    let field = field.map_err(|error| GpuError::Shape(error.to_string()))?;
    proved.insert(of, field.clone());
    Ok(field)
}

/// Transforms modulo radix^digits + 1, forward.
pub fn big_prime_counts(
    config: BigPrimeConfig,
    of: (u64, usize),
    log_n: u32,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let (field, recorder) = (field(of)?, Recorder::new(device)?);
    let context = BigPrimeContext::with_config(recorder.device(), &field, log_n, batch, config)?;
    let mut data = recorder.device().buffer((batch * of.1) << log_n)?;
    recorder.launches(|stream| context.forward(stream, (&mut data, 0), batch))
}

/// Determinants modulo a prime of regular matrices, whose pivots are in the leading columns.
pub fn determinant_counts(
    plan: DeterminantPlan,
    (word, prime): (Word, u64),
    order: usize,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let recorder = Recorder::new(device)?;
    let on = recorder.device();
    let context = DeterminantContext::with_plan(on, word, &[prime], order, plan)?;
    let words = |elements| on.buffer::<u32>(elements * word.bytes() / size_of::<u32>());
    let (from, mut to) = (words(batch * order * order)?, words(batch)?);
    recorder.launches(|stream| context.run(stream, (&from, 0), (&mut to, 0), batch))
}

/// Determinants of matrices of doubles, none of which loses a row.
pub fn float_determinant_counts(
    order: usize,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let recorder = Recorder::new(device)?;
    let context = FloatContext::new(recorder.device())?;
    let matrices = vec![1.0; batch * order * order];
    recorder.launches(|stream| context.pivots(stream, FloatPivoting::Largest, &matrices, order))
}

/// Pairs that Euclid's algorithm takes longest for: coprime, and degrees drop by one.
pub fn euclid_counts<E: ResidueWord>(
    config: EuclidConfig,
    work: EuclidWork,
    lengths: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    // Of the word's range, with no bits to spare.
    let prime = match size_of::<E>() {
        4 => (1 << 31) - 1,
        _ => (1 << 63) - 25,
    };
    let config = EuclidConfig {
        pairs: config.pairs.max(batch),
        ..config
    };
    let recorder = Recorder::new(device)?;
    let context = EuclidContext::with_config(recorder.device(), E::WORD, prime, config)?;
    let operands = lengths.map(|len| vec![E::from_residue(1); len]);
    let pairs = vec![operands.each_ref().map(|operand| &operand[..]); batch];
    recorder.launches(|stream| match work {
        EuclidWork::Division => context.divide_all(stream, &pairs).map(drop),
        EuclidWork::Gcd => context.gcd_all(stream, &pairs).map(drop),
        EuclidWork::Cofactors => context.xgcd_all(stream, &pairs).map(drop),
    })
}

/// Trees modulo a prime of a word.
pub fn tree_counts<E: ResidueWord>(
    plan: TreePlan,
    prime: u64,
    work: TreeWork,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let recorder = Recorder::new(device)?;
    let (on, stream) = (recorder.device(), recorder.stream());
    let vector = on.buffer::<E>(plan.points)?;
    let tree = SubproductTree::with_plan(on, stream, prime, (&vector, 0), plan)?;
    on_tree(&recorder, work, (&vector.cast(), plan.points), &tree)
}

/// Trees modulo radix^digits + 1.
pub fn element_tree_counts(
    points: usize,
    of: (u64, usize),
    work: TreeWork,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let (field, recorder) = (field(of)?, Recorder::new(device)?);
    let (on, stream) = (recorder.device(), recorder.stream());
    let vector = on.buffer::<u64>(points * of.1)?;
    let tree = SubproductTree::of_elements(on, stream, &field, (&vector, 0), points)?;
    on_tree(&recorder, work, (&vector.cast(), points), &tree)
}

/// The launches on a tree, where a vector serves for points, coefficients and values.
fn on_tree(
    recorder: &Recorder,
    work: TreeWork,
    (vector, points): (&Buffer<u32>, usize),
    tree: &SubproductTree,
) -> Result<Vec<LaunchWork>, GpuError> {
    let grown = recorder.take();
    let stream = recorder.stream();
    let mut to = recorder.device().buffer::<u32>(vector.len())?;
    match work {
        TreeWork::Preparation => return Ok(grown),
        TreeWork::Evaluation => tree.evaluate(stream, (vector, 0), points, (&mut to, 0))?,
        TreeWork::Interpolation => {
            tree.interpolate(stream, (vector, 0), (&mut to, 0))?;
            drop(recorder.take());
            tree.interpolate(stream, (vector, 0), (&mut to, 0))?;
        }
    }
    Ok(recorder.take())
}

const P8: (u64, usize) = ((1 << 59) + (1 << 57) + (1 << 39), 8);

#[test]
fn passes_modulo_a_big_prime() {
    let h100 = DeviceInfo::h100();
    let config = BigPrimeConfig {
        threads: 16,
        slots: 64,
    };
    let launches = big_prime_counts(config, P8, 5, 3, &h100).unwrap();
    let found: Vec<_> = launches
        .iter()
        .map(|launch| (launch.groups, launch.barriers, launch.multiplications))
        .collect();
    // 3 times 32 elements of 8 digits; passes of 4 and 8 points.
    let words = 3 * 32 * 8;
    assert_eq!(
        found,
        [(12, 3 + 2 + 24, words * 60), (12, 3 + 3, words * 7)]
    );
    let launches = big_prime_counts(config, ((1 << 63) + (1 << 34), 8), 2, 1, &h100).unwrap();
    let found = launches.iter().map(|launch| (launch.kernel, launch.groups));
    assert!(found.eq([("big_prime_step", 1); 2]));
    for (digits, log_n) in [(3, 1), (32, 1), (8, 31)] {
        assert!(big_prime_counts(config, (P8.0, digits), log_n, 1, &h100).is_err());
    }
}

fn by_plan(plan: DeterminantPlan, n: usize) -> Vec<LaunchWork> {
    determinant_counts(plan, (Word::U32, 101), n, 3, &DeviceInfo::h100()).unwrap()
}

#[test]
fn determinants_of_one_group_and_by_panels() {
    let config = DeterminantConfig {
        threads: 1,
        order: 8,
    };
    let [launch] = &by_plan(DeterminantPlan::Shared(config), 3)[..] else {
        panic!("one launch")
    };
    // A product for each entry, then 4 and 1 sums of two.
    assert_eq!(launch.multiplications, 3 * (9 * 5 + 5 * 7));
    assert_eq!((launch.groups, launch.bytes), (3, 3 * 4 * 10));
    let plan = DeterminantPlan::Panels(PanelConfig { rows: 4, side: 2 });
    for n in [1, 3, 4, 5, 8, 9, 33] {
        assert_eq!(by_plan(plan, n).len(), plan.launches(n), "{n}");
    }
    let launches = by_plan(plan, 14);
    let updates = launches
        .iter()
        .filter(|launch| launch.kernel == "determinant_update");
    let found: Vec<_> = updates
        .map(|launch| (launch.groups, launch.bytes, launch.multiplications))
        .collect();
    // 10, 6 and 2 rows are left, in tiles of 8.
    let expected = [(10, 2), (6, 1), (2, 1)].map(|(left, tiles)| {
        let bytes = 3 * 4 * 2 * left * (left + 4);
        let groups = 3 * tiles * tiles;
        (groups, bytes as u64, groups as u64 * 64 * (4 * 2 + 3))
    });
    assert_eq!(found, expected);
}

#[test]
fn steps_in_floating_point_lose_a_row_and_a_column_each() {
    let h100 = DeviceInfo::h100();
    let launches = float_determinant_counts(3, 2, &h100).unwrap();
    let found: Vec<_> = launches
        .iter()
        .map(|launch| (launch.groups, launch.bytes, launch.multiplications))
        .collect();
    // Of 3 entries a row, 2, and 1.
    let bytes = [3 + 2 * 5, 2 + 3, 1].map(|words| 2 * 8 * words);
    assert_eq!(
        found,
        [(4, bytes[0], 16), (2, bytes[1], 4), (2, bytes[2], 0)]
    );
    for (order, batch) in [(0, 1), (1 << 31, 0)] {
        assert!(float_determinant_counts(order, batch, &h100).is_err());
    }
}

#[test]
fn what_no_plan_of_determinants_takes_is_refused() {
    let h100 = DeviceInfo::h100();
    let refused = |plan, order, batch| {
        let counts = determinant_counts(plan, (Word::U64, 101), order, batch, &h100);
        assert!(counts.is_err(), "{counts:?}");
    };
    let small = DeterminantPlan::for_device(&h100, Word::U64, 100);
    refused(small, 0, 1);
    refused(small, 1000, 1);
    let large = DeterminantPlan::for_device(&h100, Word::U64, 1000);
    refused(large, 0, 1);
    refused(large, 1 << 16, 1);
    refused(
        DeterminantPlan::Panels(PanelConfig { rows: 3, side: 2 }),
        8,
        1,
    );
}

#[test]
fn trees_modulo_a_big_prime() {
    let h100 = DeviceInfo::h100();
    let p8 = ((1 << 59) + (1 << 57) + (1 << 39), 8);
    let names = |work| -> Vec<_> {
        let launches = element_tree_counts(3, p8, work, &h100).unwrap();
        launches.iter().map(|launch| launch.kernel).collect()
    };
    // Transforms of 2, 4 and 8 points take a pass each.
    let (pass, part) = ("big_prime_pass", "element_part");
    let level = [pass, "element_down", pass, "element_upper"];
    let expected = [
        &[part, part, pass, "big_prime_products", pass, part][..],
        &level,
        &level,
        &[part],
    ];
    assert_eq!(names(TreeWork::Evaluation), expected.concat());
    let level = ["element_spread", pass, "element_up", pass];
    let expected = [
        &[part, "big_prime_products", part][..],
        &level,
        &level,
        &[part],
    ];
    assert_eq!(names(TreeWork::Interpolation), expected.concat());
    assert_eq!(
        names(TreeWork::Preparation).len(),
        2 + 2 * 4 + 2 + 2 * 11 + 2
    );
    let launches = element_tree_counts(3, p8, TreeWork::Evaluation, &h100).unwrap();
    // 4 nodes of 8 digits, read once with two factors, and both products.
    assert_eq!((launches[7].bytes, launches[7].groups), (5 * 4 * 64, 1));
    assert_eq!(launches[7].multiplications, 2 * 4 * 8 * (8 * 4 + 21));
    let by_steps =
        element_tree_counts(3, ((1 << 63) + (1 << 34), 8), TreeWork::Evaluation, &h100).unwrap();
    assert!(
        by_steps
            .iter()
            .any(|launch| launch.kernel == "big_prime_pointwise")
    );
    for (points, of) in [(0, p8), (5, (100, 8)), (5, (1 << 40, 3))] {
        assert!(element_tree_counts(points, of, TreeWork::Evaluation, &h100).is_err());
    }
}

fn pairs(work: EuclidWork, lengths: [usize; 2]) -> LaunchWork {
    let config = EuclidConfig {
        threads: 1,
        row: 100,
        pairs: 1,
        steps: 4,
    };
    let launches = euclid_counts::<u32>(config, work, lengths, 3, &DeviceInfo::h100());
    let [launch] = &launches.unwrap()[..] else {
        panic!("one launch")
    };
    launch.clone()
}

#[test]
fn steps_of_euclids_algorithm() {
    // What is loaded takes a product a coefficient.
    let division = pairs(EuclidWork::Division, [10, 4]);
    assert_eq!(
        (division.barriers, division.multiplications),
        (1 + 7, 3 * 5 * (14 + 7 * 3))
    );
    assert_eq!(pairs(EuclidWork::Division, [4, 10]).barriers, 1);
    // 5, 4: 5 becomes 3 by two steps, 4 becomes 2 against 3, 3 becomes 1 against 2.
    let gcd = pairs(EuclidWork::Gcd, [4, 5]);
    assert_eq!(
        (gcd.barriers, gcd.multiplications),
        (1 + 3, 3 * (5 * 9 + 9 * (3 + 2 + 1)))
    );
    assert_eq!(gcd.bytes, 3 * 4 * (9 + 5));
    // Equal lengths begin with a single step; a constant is left out without cofactors.
    assert_eq!(pairs(EuclidWork::Gcd, [2, 2]).barriers, 1 + 1);
    assert_eq!(pairs(EuclidWork::Cofactors, [2, 2]).barriers, 1 + 2);
    assert_eq!(pairs(EuclidWork::Gcd, [1, 100]).barriers, 1);
}

fn by_rounds(work: EuclidWork, lengths: [usize; 2]) -> Vec<LaunchWork> {
    let config = EuclidConfig {
        threads: 1,
        row: 4,
        pairs: 1,
        steps: 4,
    };
    euclid_counts::<u32>(config, work, lengths, 3, &DeviceInfo::h100()).unwrap()
}

#[test]
fn rounds_of_euclids_algorithm() {
    // Seven coefficients of the quotient, 4 and 3 at a time.
    let division = by_rounds(EuclidWork::Division, [10, 4]);
    let found: Vec<_> = division
        .iter()
        .map(|launch| (launch.kernel, launch.barriers))
        .collect();
    let round = |count: usize| [("quotients", count + 1), ("apply", 2)];
    let expected = [&[("enter", 0)][..], &round(4), &round(3), &[("leave", 1)]];
    assert_eq!(found, expected.concat());
    // 6 products in sums of their own find 4 coefficients; 10 coefficients, in groups of 5, lose 4 products each.
    assert_eq!(division[1].multiplications, 3 * 6 * 5);
    assert_eq!(division[2].multiplications, 3 * 10 * (4 * 2 + 3));
    assert_eq!(by_rounds(EuclidWork::Division, [4, 10]).len(), 2);
    let gcd = by_rounds(EuclidWork::Gcd, [9, 9]);
    assert_eq!(gcd.len(), 2 + 2 * (18 / 8 + 2));
    // 4 steps with windows of 8, 7, 6 and 5 coefficients, and twice 0, 1, 2 and 3 of the matrix.
    assert_eq!(gcd[1].multiplications, 3 * (26 + 12) * (3 * 2 + 3));
    // Two rows of 9, two terms of 4 products.
    assert_eq!(gcd[2].multiplications, 3 * 20 * (8 * 2 + 3));
    let cofactors = by_rounds(EuclidWork::Cofactors, [9, 9]);
    assert_eq!(cofactors[2].bytes, 3 * 4 * 2 * (18 + 16));
}

#[test]
fn trees_modulo_a_prime() {
    let h100 = DeviceInfo::h100();
    let plan = TreePlan {
        points: 20,
        leaf: 8,
    };
    let names = |work| -> Vec<_> {
        let launches = tree_counts::<u32>(plan, 469_762_049, work, &h100).unwrap();
        launches.iter().map(|launch| launch.kernel).collect()
    };
    // Leaves of 8, nodes of 16, and the root of 32: transforms of 16, 32 and 64 points take a pass each.
    let level = ["ntt_pass", "tree_down", "ntt_pass", "tree_upper"];
    let expected = [
        &[
            "tree_part",
            "tree_part",
            "ntt_pass",
            "pointwise",
            "ntt_pass",
            "tree_part",
        ][..],
        &level,
        &level,
        &["tree_values"],
    ];
    assert_eq!(names(TreeWork::Evaluation), expected.concat());
    let level = ["tree_spread", "ntt_pass", "tree_up", "ntt_pass"];
    let expected = [
        &["tree_weights", "tree_leaves"][..],
        &level,
        &level,
        &["tree_part"],
    ];
    assert_eq!(names(TreeWork::Interpolation), expected.concat());
    let launches = tree_counts::<u32>(plan, 469_762_049, TreeWork::Evaluation, &h100).unwrap();
    let values = launches.last().unwrap();
    // 32 points: 8 products of 2 multiply-adds and 1 reduction in 3, then 8 of 5.
    assert_eq!((values.groups, values.bytes), (4, 32 * 4 * 4));
    assert_eq!(values.multiplications, 32 * (8 * 2 + 3 + 8 * 5));
    assert_eq!(
        names(TreeWork::Preparation).len(),
        2 + 2 * 4 + 2 + 2 * 11 + 2
    );
}

/// What plans say of launches by the model is what is counted of them.
#[test]
fn plans_are_programs_of_the_model() {
    let h100 = DeviceInfo::h100();
    let machine = MachineModel {
        u: 20_u8.into(),
        z: 0,
        sms: h100.units as u64,
    };
    for points in [20_usize, 5000, 1 << 14, 1 << 17] {
        for leaf in [8, 64, 256] {
            let plan = TreePlan {
                points: points.max(leaf).next_power_of_two(),
                leaf,
            };
            let counted = tree_counts::<u32>(plan, 469_762_049, TreeWork::Evaluation, &h100);
            let counted = machine_program(&counted.unwrap()).costs(&machine);
            assert_eq!(
                plan.evaluation_program(&h100).costs(&machine),
                counted,
                "{plan:?}"
            );
        }
    }
    for (lengths, steps) in [([5000, 2000], 64), ([9000, 9000], 32), ([9001, 8000], 512)] {
        let config = EuclidConfig {
            threads: 256,
            row: 1000,
            pairs: 3,
            steps,
        };
        for (divides, work) in [(true, EuclidWork::Division), (false, EuclidWork::Gcd)] {
            let counted = euclid_counts::<u32>(config, work, lengths, 3, &h100).unwrap();
            // Between the launches that bring them in and out there are two for each round.
            let rounds = counted[1..counted.len() - 1].chunks_exact(2).take(3);
            for (number, round) in rounds.enumerate() {
                let counted = machine_program(round).costs(&machine);
                let done = number * steps;
                let program = config.round_program(Word::U32, divides, lengths, done, 3);
                assert_eq!(
                    program.costs(&machine),
                    counted,
                    "{lengths:?} {steps} {number}"
                );
            }
        }
    }
}

/// The steps and leaves that are chosen for a GPU have nearly the least bound of all launches.
#[test]
fn chosen_steps_and_leaves_have_nearly_the_least_bound() {
    let h100 = DeviceInfo::h100();
    let machine = MachineModel {
        u: 20_u8.into(),
        z: 0,
        sms: h100.units as u64,
    };
    let bound = |launches: &[LaunchWork]| {
        let program = machine_program(launches);
        program
            .bound_with_launches(&machine, &4400_u16.into())
            .to_f64()
    };
    let near = |chosen: f64, all: &[f64], what: &str| {
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(chosen <= 1.03 * least, "{what}: {}", chosen / least);
    };
    for length in [40_001, 100_001] {
        let suited = EuclidConfig::for_device(&h100, Word::U32, length);
        let of = |steps| {
            let config = EuclidConfig { steps, ..suited };
            let both = [
                (EuclidWork::Division, length / 2),
                (EuclidWork::Gcd, length),
            ];
            let of_one = |(work, shorter)| {
                bound(&euclid_counts::<u32>(config, work, [length, shorter], 1, &h100).unwrap())
            };
            both.map(of_one).into_iter().sum::<f64>()
        };
        let all = [64, 128, 256, 512, 1024].map(of);
        near(of(suited.steps), &all, &format!("{suited:?}"));
    }
    for log_points in [9, 11, 13, 15, 17, 19, 21] {
        let suited = TreePlan::for_device(&h100, 1 << log_points);
        for work in [TreeWork::Evaluation, TreeWork::Interpolation] {
            let of = |leaf| {
                let plan = TreePlan { leaf, ..suited };
                bound(&tree_counts::<u32>(plan, 469_762_049, work, &h100).unwrap())
            };
            let all = [16, 32, 64, 128, 256, 512].map(of);
            near(of(suited.leaf), &all, &format!("{suited:?}"));
        }
    }
}

#[test]
fn what_is_no_tree_is_refused() {
    let h100 = DeviceInfo::h100();
    for (points, leaf) in [(0, 8), (5, 3)] {
        let plan = TreePlan { points, leaf };
        let refused = tree_counts::<u32>(plan, 469_762_049, TreeWork::Evaluation, &h100);
        assert!(matches!(refused, Err(GpuError::Shape(_))));
    }
    let plan = TreePlan::for_device(&h100, 1 << 27);
    let refused = tree_counts::<u32>(plan, 101, TreeWork::Evaluation, &h100);
    assert!(matches!(refused, Err(GpuError::TooFewPrimes { .. })));
}

#[test]
fn several_primes_are_gone_to_and_come_back_from() {
    let h100 = DeviceInfo::h100();
    let plan = TreePlan {
        points: 20,
        leaf: 8,
    };
    let work = TreeWork::Interpolation;
    let launches = tree_counts::<u64>(plan, (1 << 63) - 25, work, &h100).unwrap();
    let names: Vec<_> = launches.iter().map(|launch| launch.kernel).collect();
    let level = [
        "tree_spread",
        "project",
        "ntt_pass",
        "tree_up",
        "ntt_pass",
        "combine_modulo",
    ];
    let expected = [
        &["tree_weights", "tree_leaves"][..],
        &level,
        &level,
        &["tree_part"],
    ];
    assert_eq!(names, expected.concat());
    // 2^132 is exceeded by 5 primes: two words come for two chunks of them, 64 elements of them.
    assert_eq!(launches[3].bytes, 64 * 4 * (2 * 2 + 5));
    assert_eq!(launches[5].bytes, 5 * 32 * 5 * 4);
    assert_eq!(launches[7].bytes, 32 * 4 * (2 + 5));
}
