//! Plans for devices with small groups are within their limits, and what is beyond them is refused before it runs.

use crate::counts::{
    EuclidWork, TreeWork, big_prime_counts, determinant_counts, element_tree_counts, euclid_counts,
    float_determinant_counts, tree_counts,
};
use sunzi_device::{Argument, DeviceInfo, DeviceKind, GpuError, Launch, Source};
use sunzi_device::{LaunchWork, Recorder};
use sunzi_field::generalized_fermat::named_prime;
use sunzi_gpu::big_prime::BigPrimeConfig;
use sunzi_gpu::determinant::DeterminantPlan;
use sunzi_gpu::euclid::EuclidConfig;
use sunzi_gpu::integer::{IntegerContext, IntegerKernel, IntegerPlan};
use sunzi_gpu::internals::CarryContext;
use sunzi_gpu::ntt::NttParameters;
use sunzi_gpu::products::{CarryPlan, Finish, ProductConfig, ProductForm, ProductProblem};
use sunzi_gpu::schoolbook::{SchoolbookContext, SchoolbookPlan};
use sunzi_gpu::tree::{SubproductTree, TreePlan};
use sunzi_gpu::tuning::{candidates, counts_by, transform_counts};
use sunzi_gpu::{ResidueWord, Word};
use sunzi_testkit::{Place, as_gpu, on_every_device};

on_every_device![
    plans_beyond_a_device_are_refused_before_they_are_compiled,
    kernels_beyond_a_device_are_refused_before_they_are_launched,
];
as_gpu![plans_beyond_a_device_are_refused_before_they_are_compiled];

const PRIME: u64 = 469_762_049;

/// GPUs and processors with groups of all sizes.
fn devices() -> Vec<DeviceInfo> {
    let mut all = Vec::new();
    for kind in [DeviceKind::Gpu, DeviceKind::Cpu] {
        for group_threads in [32, 48, 64, 96, 128, 256, 1024] {
            for kibibytes in [16, 32, 48] {
                all.push(DeviceInfo {
                    kind,
                    group_threads,
                    shared_memory: kibibytes << 10,
                    ..DeviceInfo::h100()
                });
            }
        }
    }
    all
}

/// Launches of residues of a word.
fn of_word<E: ResidueWord>(device: &DeviceInfo, prime: u64) -> Vec<LaunchWork> {
    let mut all = Vec::new();
    for (log_points, batch) in [(0, 1), (5, 3), (13, 1), (13, 1000), (20, 1)] {
        let parameters = NttParameters::for_device(device, E::WORD, log_points, batch);
        all.extend(transform_counts(parameters, E::WORD, log_points, batch, device).unwrap());
    }
    for order in [1, 30, 60, 100, 500] {
        let plan = DeterminantPlan::for_device(device, E::WORD, order);
        all.extend(determinant_counts(plan, (E::WORD, prime), order, 3, device).unwrap());
    }
    for longest in [1, 100, 10_000] {
        let config = EuclidConfig::for_device(device, E::WORD, longest);
        let length = longest.min(config.row);
        for work in [EuclidWork::Division, EuclidWork::Gcd] {
            // By a group of threads each, and by rounds.
            for length in [length, longest.max(config.row + 1)] {
                all.extend(euclid_counts::<E>(config, work, [length; 2], 3, device).unwrap());
            }
        }
    }
    for points in [1, 300, 5000] {
        let plan = TreePlan::for_device(device, points);
        for work in [
            TreeWork::Preparation,
            TreeWork::Evaluation,
            TreeWork::Interpolation,
        ] {
            all.extend(tree_counts::<E>(plan, prime, work, device).unwrap());
        }
    }
    all
}

#[test]
fn every_plan_for_a_device_is_within_its_limits() {
    for device in devices() {
        let recorder = Recorder::new(&device).unwrap();
        let mut all = of_word::<u32>(&device, PRIME);
        all.extend(of_word::<u32>(&device, (1 << 31) - 1));
        all.extend(of_word::<u64>(&device, (1 << 60) - (1 << 18) + 1));
        all.extend(float_determinant_counts(100, 3, &device).unwrap());
        for form in [
            ProductForm::INTEGERS,
            ProductForm::modulo(PRIME, 1),
            ProductForm::modulo((1 << 61) - 1, 2),
            ProductForm {
                finish: Finish::Words {
                    words: 5,
                    signed: true,
                },
                ..ProductForm::INTEGERS
            },
        ] {
            for terms in [
                [1, 1],
                [16, 16],
                [1000, 3],
                [1024, 1000],
                [1100, 1100],
                [60_000, 50_000],
            ] {
                for batch in [1, 100] {
                    let problem = ProductProblem { form, terms, batch };
                    let configs = candidates(&device, &problem);
                    assert_eq!(configs[0], ProductConfig::for_device(&device));
                    for config in configs {
                        all.extend(counts_by(&recorder, &config, &problem).unwrap());
                    }
                }
            }
        }
        let p8 = ((1 << 59) + (1 << 57) + (1 << 39), 8);
        // By steps: digits from 2^62 on leave no room for carries.
        let full = ((1 << 63) + (1 << 34), 8);
        let others = ["P32", "P64"].map(|name| named_prime(name).unwrap());
        let others = others.map(|prime| (prime.radix, prime.digits));
        for of in [(256, 2), p8, full, others[0], others[1], (278, 256)] {
            let (_, digits) = of;
            let fits = digits <= device.group_threads;
            let config = BigPrimeConfig::for_device(&device, digits, 10, 3);
            for launches in [
                big_prime_counts(config, of, 10, 3, &device),
                element_tree_counts(20, of, TreeWork::Preparation, &device),
            ] {
                match launches {
                    Ok(launches) if fits => all.extend(launches),
                    Err(GpuError::Limits { .. }) if !fits => {}
                    launches => panic!("{digits} digits: {launches:?}, {device:?}"),
                }
            }
        }
        for launch in all {
            assert!(
                (1..=device.group_threads).contains(&launch.threads),
                "{launch:?} {device:?}"
            );
            assert!(
                launch.shared_bytes <= device.shared_memory,
                "{launch:?} {device:?}"
            );
        }
    }
}

/// What was chosen before there were smaller devices is chosen still.
#[test]
fn usual_devices_have_the_usual_plans() {
    for (group_threads, kibibytes) in [(256, 32), (1024, 48), (1024, 227)] {
        let info = DeviceInfo {
            group_threads,
            shared_memory: kibibytes << 10,
            ..DeviceInfo::h100()
        };
        let carries = |words| CarryPlan::for_device(&info, words);
        let carry_plan = |threads, words| CarryPlan { threads, words };
        assert_eq!(carries(1), carry_plan(32, 1));
        assert_eq!(carries(100), carry_plan(32, 4));
        assert_eq!(carries(1000), carry_plan(128, 8));
        assert_eq!(carries(1 << 20), carry_plan(256, 8));
        let integers = |kernel, a, b| {
            let plan = IntegerPlan::for_device(&info, kernel, a, b).unwrap();
            (plan.threads, plan.products, plan.columns)
        };
        assert_eq!(integers(IntegerKernel::Schoolbook, 20, 12), (128, 1, 8));
        for (a, b, expected) in [
            (8, 8, (64, 32, 8)),
            (64, 64, (256, 32, 8)),
            (100, 7, (256, 16, 8)),
            (1024, 1024, (256, 2, 8)),
            (2048, 2048, (256, 1, 8)),
            (2049, 1, (256, 1, 16)),
            (4096, 3000, (256, 1, 16)),
        ] {
            let found = integers(IntegerKernel::Columns, a, b);
            assert_eq!(found, expected, "{a} {b}");
        }
        let config = ProductConfig::for_device(&info);
        assert_eq!((config.most_words, config.threads), (1024, 256));
        let leaves = [1 << 14, 1 << 20].map(|points| TreePlan::for_device(&info, points).leaf);
        assert_eq!(leaves, [256, 64]);
        let steps = [40_001, 100_001].map(|n| EuclidConfig::for_device(&info, Word::U32, n).steps);
        assert_eq!(steps, [(group_threads / 2).min(256); 2]);
        assert_eq!(BigPrimeConfig::for_device(&info, 8, 20, 1).threads, 256);
    }
}

fn plans_beyond_a_device_are_refused_before_they_are_compiled(place: Place) {
    let Some(device) = place.device_limited(64, 16 << 10) else {
        return;
    };
    let (group_threads, shared_memory) = (device.info().group_threads, device.info().shared_memory);
    assert_eq!((group_threads, shared_memory), (64, 16 << 10));
    let is_told = |what: &str, refused: Result<(), GpuError>| match refused {
        Err(error @ GpuError::Limits { .. }) => {
            let said = error.to_string();
            let limits = "a group has 1 to 64 threads, which share 16384 bytes at most";
            assert!(said.ends_with(limits), "{what}: {said}");
        }
        other => panic!("{what}: {other:?}"),
    };
    let carries = |threads, words| {
        let plan = CarryPlan { threads, words };
        CarryContext::new(&device, 3, Some(plan)).map(drop)
    };
    is_told("carries", carries(128, 8));
    let columns = |threads, products| {
        let plan = IntegerPlan {
            threads,
            products,
            columns: 32,
            ..IntegerPlan::for_device(device.info(), IntegerKernel::Columns, 9, 9).unwrap()
        };
        IntegerContext::new(&device, 64, 64, IntegerKernel::Columns, Some(plan)).map(drop)
    };
    is_told("columns", columns(128, 2));
    is_told("columns", columns(64, 32));
    let long = IntegerContext::new(&device, 4000, 3, IntegerKernel::Columns, None);
    is_told("long integers", long.map(drop));
    let rows = |threads, rows| {
        let plan = SchoolbookPlan { threads, rows };
        SchoolbookContext::with_plan(&device, Word::U64, PRIME, 9, 9, 1, plan).map(drop)
    };
    is_told("term by term", rows(128, 8));
    is_told("term by term", rows(64, 4096));
    let stream = device.stream().unwrap();
    let points = device.filled(&stream, &[1u32, 2, 3]).unwrap();
    let plan = TreePlan {
        points: 3,
        leaf: 128,
    };
    let tree = SubproductTree::with_plan(&device, &stream, PRIME, (&points, 0), plan);
    is_told("tree", tree.map(drop));
    is_told(
        "program",
        device.program(&Source::new("none", 65)).map(drop),
    );
}

fn kernels_beyond_a_device_are_refused_before_they_are_launched(place: Place) {
    let Some(device) = place.device_limited(64, 16 << 10) else {
        return;
    };
    let stream = device.stream().unwrap();
    let launched = |shared: &str, bytes: usize, tile: usize| {
        let text = KERNEL.replace("MEMORY", shared);
        let source = Source::new("memory", 32).define("WORDS", bytes / 4);
        let kernel = device.program(&source.part(&text))?.kernel("memory")?;
        let memory = device.filled(&stream, &[5u32; 32])?;
        let launch = Launch {
            groups: [1; 3],
            threads: [32, 1, 1],
            shared_bytes: tile,
        };
        // SAFETY: the argument is that of the kernel, whose threads have a word each.
        unsafe { stream.launch_unchecked(&kernel, launch, &[Argument::of(&memory)]) }?;
        let mut words = [0; 32];
        stream.read(&memory, &mut words)?;
        assert_eq!(words, [31; 32]);
        Ok(())
    };
    for (bytes, fits) in [(8 << 10, true), (16 << 10, true), ((16 << 10) + 128, false)] {
        for (shared, tile) in [
            ("SHARED u32 words[WORDS]", 0),
            ("SHARED_TILE(u32, words, WORDS)", bytes),
        ] {
            match launched(shared, bytes, tile) {
                Ok(()) => assert!(fits, "{bytes} {shared}"),
                Err(GpuError::Limits { kernel, .. }) => {
                    assert!(!fits && kernel == "memory", "{bytes} {shared}");
                }
                Err(error) => panic!("{bytes} {shared}: {error}"),
            }
        }
    }
}

/// A kernel whose memory no compiler can do without.
const KERNEL: &str = "
KERNEL memory(GLOBAL u32* x) {
  MEMORY;
  // Zero, which no compiler knows.
  u32 shift = x[31 - THREAD] - x[THREAD];
  for (u32 i = THREAD; i < WORDS; i += GROUP) words[i] = i % GROUP;
  BARRIER();
  x[THREAD] = words[WORDS - 1 + shift];
}
";
