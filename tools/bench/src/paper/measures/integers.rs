//! Batches of products of integers on a device.

use super::{Asked, Ours, failed, ms};
use crate::gpu::case::Problem;
use crate::gpu::rig::Rig;
use crate::subject::Sample;
use std::hint::black_box;
use sunzi::gpu::{Buffer, GpuError, Stream};
use sunzi::integer::Multiplier;
use sunzi_files::failure::Failure;
use sunzi_gpu::integer::{IntegerContext, IntegerKernel};
use sunzi_measure::Work;

/// Digits of 32 bits in the three figures, and in a quick run.
const FIGURE_3: &[usize] = &[256];
const FIGURE_5: &[usize] = &[32, 64, 128];
const FIGURE_6: &[usize] = &[256, 512, 1024];
/// log2 of the batches.
const BATCHES: &[u32] = &[4, 6, 8, 10, 12, 14];
/// What a batch may take of the device at most.
const MOST_BYTES: usize = 1 << 30;

/// Figures 5.3 to 5.6 of the thesis of 2021.
pub fn batches(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let lengths = match &*asked.entry.id {
        "2021-figure-5.3" => FIGURE_3,
        "2021-figure-5.5" => FIGURE_5,
        _ => FIGURE_6,
    };
    let mut ours = Ours::of(&[
        "M5Mult, ms",
        "schoolbook, ms",
        "GMP, ms",
        "Sunzi's processor, ms",
        "schoolbook over M5Mult",
        "GMP over M5Mult",
    ]);
    let rig = Rig::open(asked.selection()?, asked.seconds).map_err(failed)?;
    ours.on(rig.device.info());
    super::without_gmp(&mut ours);
    ours.notes.push(
        "Digits have 32 bits; copies are left out; GMP and the processor have one thread."
            .to_owned(),
    );
    for &words in asked.sizes(lengths, &lengths[..1]) {
        for &log in asked.sizes(BATCHES, &BATCHES[..2]) {
            let count = 1_usize << log;
            if 16 * words * count > MOST_BYTES {
                continue;
            }
            match batch(asked, &rig, words, count) {
                Ok([m5, schoolbook, gmp, processor]) => {
                    let over = |time: Option<f64>| Some(time? / m5?);
                    let times = [m5, schoolbook, gmp, processor];
                    let times = times.map(|time| time.and_then(ms)).into_iter();
                    let values = times.chain([over(schoolbook), over(gmp)]);
                    ours.push([&words, &count], values.collect());
                }
                Err(Problem::Gpu(error)) => {
                    let what = format!("{count} products of {words} digits");
                    ours.notes.push(format!("{what}: left out: {error}."));
                }
                Err(Problem::Other(failure)) => return Err(failure),
            }
        }
    }
    Ok(ours)
}

#[cfg(feature = "gmp")]
fn gmp_batch(x: &[u64], y: &[u64], limbs: usize) -> Option<Work<'static>> {
    Some(super::gmp::batch(x, y, limbs))
}

#[cfg(not(feature = "gmp"))]
fn gmp_batch(_: &[u64], _: &[u64], _: usize) -> Option<Work<'static>> {
    None
}

/// Seconds of a batch by Karatsuba's intermediate products and by the kernel that products are computed by, both checked
/// against the processor; by GMP, and by the processor, on one thread.
fn batch(
    asked: &Asked<'_>,
    rig: &Rig,
    words: usize,
    count: usize,
) -> Result<[Option<f64>; 4], Problem> {
    let (device, stream) = (&rig.device, &rig.stream);
    let mut sample = Sample::new(words as u64);
    let limbs = words / 2;
    let mut operand = || -> Vec<u64> { (0..count * limbs).map(|_| sample.word()).collect() };
    let operands = [operand(), operand()];
    let [x, y] = &operands;
    let multiplier = Multiplier::new();
    let mut product = vec![0; 2 * count * limbs];
    let single = crate::speedup::pool(1)?;
    let mut multiply = |times: usize| {
        single.install(|| {
            (0..times)
                .try_for_each(|_| multiplier.mul_batch(&mut product, black_box(x), y, limbs, limbs))
        })
    };
    multiply(1).map_err(failed)?;
    let host: Work = Box::new(|times: usize| {
        // It succeeded before with the same operands.
        let _ = black_box(multiply(times));
    });
    let mut works = vec![host];
    works.extend(gmp_batch(x, y, limbs));
    let on_the_processor = asked.time(&mut works);
    drop(works);
    let expected = crate::gpu::products::words_of(&product);
    let on_device = operands
        .each_ref()
        .map(|limbs| device.filled(stream, &crate::gpu::products::words_of(limbs)));
    let [a, b] = on_device;
    let (a, b) = (a?, b?);
    let mut result = device.buffer::<u32>(2 * words * count)?;
    let mut found = vec![0; 2 * words * count];
    let mut times = [None; 2];
    let kernels = [
        IntegerKernel::M5,
        IntegerKernel::best(device.info(), words, words),
    ];
    for (kernel, time) in kernels.into_iter().zip(&mut times) {
        if !kernel.supports(device.info(), words, words) {
            continue;
        }
        let context = IntegerContext::new(device, words, words, kernel, None)?;
        let run = |stream: &Stream, result: &mut Buffer<u32>| -> Result<(), GpuError> {
            context.multiply(stream, (&a, 0), (&b, 0), (result, 0), count, false)
        };
        stream.clear(&mut result, 0, 2 * words * count)?;
        run(stream, &mut result)?;
        stream.read(&result, &mut found)?;
        if found != expected {
            let what = format!("{count} products of {words} digits by {}", kernel.name());
            return Err(Problem::Other(failed(format!("{what} are wrong"))));
        }
        let result = &mut result;
        let timings = rig.time(&mut [rig.work(|stream| run(stream, result))])?;
        *time = timings.first().map(|timing| timing.median);
    }
    let [processor, gmp] = [0, 1].map(|place| on_the_processor.get(place).copied());
    Ok([times[0], times[1], gmp, processor])
}
