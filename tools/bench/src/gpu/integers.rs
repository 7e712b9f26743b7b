//! Products of integers: batches of equal lengths, and long ones.

use super::case::{Case, Findings, Problem, impossible, wrong};
use super::peers::{Request, Task};
use super::products::{Product, words_of};
use super::rig::{Rig, processor};
use crate::subject::Sample;
use std::hint::black_box;
use sunzi::{
    gpu::{Buffer, CoefficientForm, Finish, GpuError, Staging, Stream, TransformPlan},
    integer::{MulError, Multiplier},
};
use sunzi_files::failure::Failure;
use sunzi_gpu::integer::{IntegerContext, IntegerKernel};
use sunzi_measure::Work;

/// Words of 32 bits of an operand.
const WORDS: [usize; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// A batch has at least this many products.
const FEWEST: usize = 16;
/// Words from which half of the device's multiplications are to be useful ones.
const FULL: usize = 64;
/// Bits of products by transforms.
const LONG_BITS: [u64; 3] = [1_000_000, 10_000_000, 100_000_000];
/// Bytes on the device for a bit of an operand, amply: residues modulo three primes and what carries take.
const LONG_BYTES: u64 = 8;

/// Times batches by every kernel, and long products.
pub fn measure(rig: &Rig, found: &mut Findings) -> Result<(), Failure> {
    for words in WORDS {
        // Operands and products are read or written once; there are four words of them for each of an operand.
        let count = (rig.bytes / 8) / (16 * words);
        if count >= FEWEST || words == WORDS[0] {
            let what = format!("products of {words} words");
            found.take(&what, batches(rig, words, count.max(FEWEST)))?;
        }
    }
    for bits in LONG_BITS {
        if bits * LONG_BYTES <= rig.bytes as u64 {
            let what = format!("the product of {bits} bits");
            found.take(&what, long(rig, bits, &what))?;
        }
    }
    Ok(())
}

/// Operands and products of a batch on the host.
struct Operands {
    limbs: usize,
    a: Vec<u64>,
    b: Vec<u64>,
    product: Vec<u64>,
}

impl Operands {
    fn new(words: usize, count: usize) -> Self {
        let limbs = words / 2;
        let mut sample = Sample::new(words as u64);
        let mut operand = || (0..count * limbs).map(|_| sample.word()).collect();
        Self {
            limbs,
            a: operand(),
            b: operand(),
            product: vec![0; 2 * count * limbs],
        }
    }

    /// All products by the processor, on all threads.
    fn multiply(&mut self, multiplier: &Multiplier) -> Result<(), MulError> {
        let Self {
            limbs,
            a,
            b,
            product,
        } = self;
        multiplier.mul_batch(product, a, b, *limbs, *limbs)
    }
}

/// Checks and times all kernels that take such lengths, copies with the best of them, and the processor.
fn batches(rig: &Rig, words: usize, count: usize) -> Result<Vec<Case>, Problem> {
    let (device, stream) = (&rig.device, &rig.stream);
    let multiplier = Multiplier::new();
    let mut host = Operands::new(words, count);
    host.multiply(&multiplier).map_err(impossible)?;
    let expected = words_of(&host.product);
    let (a, b) = (words_of(&host.a), words_of(&host.b));
    let on_device = [device.filled(stream, &a)?, device.filled(stream, &b)?];
    let mut product = device.buffer::<u32>(2 * words * count)?;
    let mut found = vec![0; 2 * words * count];

    let bytes = 4 * words * count;
    let operations = (words * words * count) as f64;
    let floor = rig.floor((4 * bytes) as f64, operations);
    let case = |contender: String, timing, floor, goal| Case {
        section: "integers",
        group: "batches of products".to_owned(),
        size: words as u64,
        batch: count as u64,
        contender,
        threads: 1,
        timing,
        floor,
        goal,
        operations,
        passes: None,
        request: None,
    };
    let info = device.info();
    let best = IntegerKernel::best(info, words, words);
    let mut cases = Vec::new();
    for &kernel in IntegerKernel::ALL {
        if !kernel.supports(info, words, words) {
            continue;
        }
        let batch = IntegerContext::new(device, words, words, kernel, None)?;
        let run = |stream: &Stream, product: &mut Buffer<u32>| {
            let [a, b] = &on_device;
            batch.multiply(stream, (a, 0), (b, 0), (product, 0), count, false)
        };
        // What the last kernel left shall not be taken for this one's.
        stream.clear(&mut product, 0, 2 * words * count)?;
        run(stream, &mut product)?;
        stream.read(&product, &mut found)?;
        check(&found, &expected, words, kernel.name())?;
        let product = &mut product;
        let timing = rig.time(&mut [rig.work(|stream| run(stream, product))])?;
        let goal = (kernel == best && words >= FULL).then_some(2.0);
        let name = || kernel.name().to_owned();
        // Others are compared with the one that products are computed by.
        let request = (kernel == best).then_some(Request {
            task: Task::Multiply,
            word: u32::BITS,
            size: words as u64,
            batch: count as u64,
        });
        cases.extend(timing.into_iter().map(|timing| Case {
            request,
            ..case(name(), timing, Some(floor), goal)
        }));
    }
    drop((on_device, product));

    let batch = IntegerContext::best(device, words, words)?;
    let mut copied = Copied::new(rig, &a, &b)?;
    copied.multiply(stream, &batch, count)?;
    check(copied.staged[2].get()?, &expected, words, "copies")?;
    let with_copies: Work = rig.work(|stream| copied.multiply(stream, &batch, count));
    let on_host: Work = Box::new(|times: usize| {
        for _ in 0..times {
            // It succeeded before with the same operands.
            let _ = black_box(host.multiply(&multiplier));
        }
    });
    let timings = rig.time(&mut [with_copies, on_host])?;
    let names = [format!("{} with copies", best.name()), processor()];
    let floors = [
        Some(rig.floor_with_copies(floor, [2 * bytes, 2 * bytes])),
        None,
    ];
    let rows = timings.into_iter().zip(names).zip(floors);
    cases.extend(rows.map(|((timing, name), floor)| case(name, timing, floor, None)));
    if let Some(last) = cases.last_mut() {
        last.threads = sunzi_machine::threads::count();
    }
    Ok(cases)
}

/// Compares products word by word.
fn check(found: &[u32], expected: &[u32], words: usize, kernel: &str) -> Result<(), Problem> {
    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
    match differs {
        Some(index) => Err(wrong(
            &format!("products of {words} words by {kernel}"),
            index / (2 * words),
        )),
        None => Ok(()),
    }
}

/// A batch that comes from the host and goes back: two operands and their products.
struct Copied {
    staged: [Staging<u32>; 3],
    buffers: [Buffer<u32>; 3],
}

impl Copied {
    fn new(rig: &Rig, a: &[u32], b: &[u32]) -> Result<Self, GpuError> {
        let lengths = [a.len(), b.len(), a.len() + b.len()];
        let [x, y, z] = lengths.map(|len| rig.device.staging(len));
        let mut staged = [x?, y?, z?];
        let [x, y, z] = lengths.map(|len| rig.device.buffer(len));
        staged[0].get_mut()?.copy_from_slice(a);
        staged[1].get_mut()?.copy_from_slice(b);
        Ok(Self {
            staged,
            buffers: [x?, y?, z?],
        })
    }

    /// Submits copies, kernel and copy back.
    fn multiply(
        &mut self,
        stream: &Stream,
        batch: &IntegerContext,
        count: usize,
    ) -> Result<(), GpuError> {
        let ([staged_a, staged_b, staged], [a, b, product]) = (&mut self.staged, &mut self.buffers);
        let (words_a, words_b, words) = (a.len(), b.len(), product.len());
        stream.upload(a, 0, staged_a, words_a)?;
        stream.upload(b, 0, staged_b, words_b)?;
        batch.multiply(stream, (a, 0), (b, 0), (product, 0), count, false)?;
        stream.download(product, 0, staged, words)
    }
}

/// One product by transforms.
fn long(rig: &Rig, bits: u64, what: &str) -> Result<Vec<Case>, Problem> {
    let mut host = Operands::new(2 * (bits as usize).div_ceil(64), 1);
    let multiplier = Multiplier::new();
    host.multiply(&multiplier).map_err(impossible)?;
    let digits = CoefficientForm {
        words: 1,
        signed: false,
    };
    let log_points = words_of(&host.product).len().next_power_of_two().ilog2();
    let product = Product {
        section: "integers",
        group: "long products".to_owned(),
        size: bits,
        plan: TransformPlan {
            log_points,
            left: digits,
            right: digits,
            bits: 64 + u64::from(log_points),
            finish: Finish::Carry,
        },
        pairs: vec![[words_of(&host.a), words_of(&host.b)]],
        expected: vec![words_of(&host.product)],
        on_host: Box::new(|times: usize| {
            for _ in 0..times {
                let _ = black_box(host.multiply(&multiplier));
            }
        }),
    };
    product.measure(rig, what)
}
