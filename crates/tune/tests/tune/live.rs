//! Kernels of programs that run, on a device that only tells times and results.

use sunzi_tune::live::{Choice, Launched, Limits, LiveKernel, Ran, Spare, Unchanged};
use sunzi_tune::{Constants, Description, Device, Sample};

/// A device whose times are those of a function of threads and block.
struct Fake<T> {
    time: T,
    /// Whether results are as those of the first run.
    same: fn(&Launched, usize) -> bool,
    runs: usize,
}

impl<T: Fn(u64, u64) -> f64> Spare for Fake<T> {
    type Error = &'static str;

    fn run(&mut self, launched: &Launched) -> Result<Option<Ran>, Self::Error> {
        self.runs += 1;
        let block = launched.block.map_or(64, |block| block.iter().product());
        if block == 13 {
            return Err("thirteen");
        }
        let threads = launched.threads.iter().product();
        Ok(Some(Ran {
            milliseconds: (self.time)(threads, block),
            same: (self.same)(launched, self.runs),
        }))
    }
}

fn fake<T: Fn(u64, u64) -> f64>(time: T) -> Fake<T> {
    Fake {
        time,
        same: |_, _| true,
        runs: 0,
    }
}

const LIMITS: Limits = Limits {
    sides: [256, 256, 64],
    threads: 256,
};

fn device() -> Device {
    Device::new(4, 64, 16, 1 << 22, 100.0)
}

fn launched(threads: u64, block: Option<u64>) -> Launched {
    Launched {
        dimensions: 1,
        threads: [threads, 1, 1],
        block: block.map(|block| [block, 1, 1]),
    }
}

fn kernel() -> LiveKernel {
    LiveKernel::plain("sums", device(), 1, LIMITS)
}

/// The fastest block is 128 at all sizes.
fn best_at_128(threads: u64, block: u64) -> f64 {
    1e-6 * threads as f64 * (1.0 + (block as f64 / 128.0).log2().abs())
}

/// The block that is chosen for a launch.
fn chosen(kernel: &LiveKernel, launched: &Launched) -> Option<u64> {
    let data = kernel.data(launched, |_| None).unwrap();
    match kernel.choose(&data, launched) {
        Choice::Shape(by) => by.block.map(|block| block.iter().product()),
        _ => None,
    }
}

fn learn<S: Spare>(kernel: &mut LiveKernel, launched: &Launched, spare: &mut S) {
    let data = kernel.data(launched, |_| None).unwrap();
    assert_eq!(kernel.choose(&data, launched), Choice::Learn);
    kernel.learn(&data, launched, spare, 60.0);
}

#[test]
fn shapes_are_learned_at_some_sizes_and_compared_at_others() {
    let (mut kernel, mut spare) = (kernel(), fake(best_at_128));
    for threads in [4096, 16384, 65536, 262_144] {
        learn(&mut kernel, &launched(threads, Some(32)), &mut spare);
        assert_eq!(chosen(&kernel, &launched(threads, Some(32))), Some(128));
    }
    // All shapes were tried at four sizes; at a fifth the chosen one is compared.
    let runs = spare.runs;
    let fifth = launched(1 << 20, Some(32));
    learn(&mut kernel, &fifth, &mut spare);
    assert_eq!((spare.runs - runs, chosen(&kernel, &fifth)), (5, Some(128)));
    // Where 128 threads do not divide all, another block is chosen.
    let odd = launched(96 * 1024 + 32, Some(32));
    let data = kernel.data(&odd, |_| None).unwrap();
    kernel.learn(&data, &odd, &mut spare, 60.0);
    assert!(chosen(&kernel, &odd).is_none_or(|block| (96 * 1024 + 32) % block == 0));
}

#[test]
fn what_is_hardly_faster_is_not_chosen() {
    let mut kernel = kernel();
    let by_noise =
        |threads: u64, block: u64| 1e-6 * threads as f64 * (1.0 + (block % 7) as f64 / 1000.0);
    for own in [Some(32), None] {
        let launch = launched(if own.is_some() { 4096 } else { 1 << 16 }, own);
        learn(&mut kernel, &launch, &mut fake(by_noise));
        assert_eq!((chosen(&kernel, &launch), kernel.unchanged()), (None, None));
    }
}

#[test]
fn what_takes_longer_than_there_is_time_is_not_tried() {
    let (mut kernel, launch) = (kernel(), launched(4096, Some(32)));
    let mut spare = fake(|_, _| 2000.0);
    kernel.learn(&[4096], &launch, &mut spare, 5.0);
    assert_eq!(
        (spare.runs, kernel.choose(&[4096], &launch)),
        (1, Choice::AsItIs)
    );
}

#[test]
fn results_that_change_leave_launches_as_they_are() {
    let launch = launched(4096, Some(32));
    let mut changes = kernel();
    let mut spare = Fake {
        same: |launched, _| launched.block == Some([32, 1, 1]),
        ..fake(best_at_128)
    };
    learn(&mut changes, &launch, &mut spare);
    assert!(
        matches!(changes.unchanged(), Some(Unchanged::Changed(_))),
        "{changes:?}"
    );
    assert_eq!(changes.choose(&[4096], &launch), Choice::AsItIs);
    let mut may_change = kernel().that_may_change();
    learn(&mut may_change, &launch, &mut spare);
    assert_eq!(chosen(&may_change, &launch), Some(128));
    let mut unsteady = kernel();
    let mut spare = Fake {
        same: |_, run| run < 3,
        ..fake(best_at_128)
    };
    learn(&mut unsteady, &launch, &mut spare);
    assert_eq!(unsteady.unchanged(), Some(&Unchanged::Unsteady));
    let mut failing = kernel();
    learn(
        &mut failing,
        &launched(13 * 64, Some(13)),
        &mut fake(best_at_128),
    );
    assert_eq!(
        failing.unchanged(),
        Some(&Unchanged::Spare("thirteen".to_owned()))
    );
}

#[test]
fn what_was_learned_is_compared_and_what_was_given_is_not() {
    let (mut first, launch) = (kernel(), launched(4096, Some(32)));
    learn(&mut first, &launch, &mut fake(best_at_128));
    let model = first.learned_model().unwrap().clone();
    let given = kernel().with_model(model.clone()).unwrap();
    assert_eq!(
        (chosen(&given, &launch), given.learned_model()),
        (Some(128), None)
    );
    let mut learned = kernel().with_learned(model.clone()).unwrap();
    assert_eq!(chosen(&learned, &launch), None);
    let mut spare = fake(best_at_128);
    learn(&mut learned, &launch, &mut spare);
    assert_eq!((chosen(&learned, &launch), spare.runs), (Some(128), 5));
    let plane = LiveKernel::plain("sums", device(), 2, LIMITS);
    assert!(matches!(
        plane.with_model(model),
        Err(Unchanged::NotLegal(_))
    ));
}

const DESCRIBED: &str = "version = 1
[[kernel]]
name = \"rows\"
data = { n = { from = 1, to = 65536 } }
program = { bx = { values = [32, 64, 128] }, rows = { values = [1, 2] } }
block = [\"bx\"]
grid = [\"ceil(n / (bx * rows))\"]
arguments = [{ buffer = \"x\", element = \"f32\", length = \"n\" }, { value = \"n\", element = \"i32\" }, { value = \"rows\", element = \"i32\" }]
";

#[test]
fn described_kernels_are_launched_as_described() {
    let described = |text: &str| {
        let description = Description::parse(text, "rows.toml").unwrap();
        LiveKernel::described(&description.kernels()[0], device())
    };
    let kernel = described(DESCRIBED).unwrap();
    let own = launched(1024, Some(32));
    let argument = |index: usize| [None, Some(1000), Some(1)][index];
    assert_eq!(kernel.data(&own, argument), Some(vec![1000]));
    assert_eq!(kernel.own_shape(&[1000], &own), Ok(vec![32, 1]));
    let other = launched(1024, Some(16));
    assert!(matches!(
        kernel.own_shape(&[1000], &other),
        Err(Unchanged::NotAsDescribed { .. })
    ));
    let mut wrong = kernel.clone();
    wrong.learn(&[1000], &other, &mut fake(best_at_128), 60.0);
    assert!(matches!(
        wrong.unchanged(),
        Some(Unchanged::NotAsDescribed { .. })
    ));
    for (from, to, says) in [
        (
            "{ value = \"n\", element = \"i32\" }, ",
            "",
            "no integer argument that it is `n`",
        ),
        (
            "block =",
            "definitions = { ROWS = \"rows\" }\nblock =",
            "has `definitions`",
        ),
    ] {
        let error = described(&DESCRIBED.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn shapes_that_the_arguments_depend_on_are_not_chosen() {
    // The program has passed `rows` already: another shape would need another argument.
    let description = Description::parse(DESCRIBED, "rows.toml").unwrap();
    let mut kernel = LiveKernel::described(&description.kernels()[0], device()).unwrap();
    let own = launched(1024, Some(32));
    kernel.learn(
        &[1000],
        &own,
        &mut fake(|_, block| 1.0 / block as f64),
        60.0,
    );
    assert_eq!(
        kernel.choose(&[1000], &own),
        Choice::Shape(launched(1024, Some(128)))
    );
    let samples = [16, 64].map(|n| Sample {
        data: vec![n],
        shape: vec![64, 2],
        milliseconds: n as f64,
    });
    let model = sunzi_tune::AnchoredModel::fit(
        &description.kernels()[0],
        &device(),
        Constants::default(),
        &samples,
    );
    let given = LiveKernel::described(&description.kernels()[0], device())
        .unwrap()
        .with_model(model.unwrap())
        .unwrap();
    assert_eq!(given.choose(&[1000], &own), Choice::AsItIs);
}
