//! Carry propagation against GMP.

use rug::{Integer, integer::Order};
use sunzi_device::{Device, GpuError, Stream};
use sunzi_gpu::internals::{CarryContext, Coefficients};
use sunzi_gpu::products::CarryPlan;
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, on_every_device};

on_every_device![
    lengths_around_blocks,
    carries_through_more_blocks_than_one_pass_of_the_scan_takes,
    every_run_of_ones,
    the_default_plan,
    many_short_vectors,
    a_million_coefficients,
    numbers_that_just_fit,
    what_does_not_fit_is_refused,
];
as_gpu![lengths_around_blocks];

as_ptx![
    lengths_around_blocks,
    carries_through_more_blocks_than_one_pass_of_the_scan_takes,
    every_run_of_ones,
    the_default_plan,
    many_short_vectors,
    a_million_coefficients,
    numbers_that_just_fit,
];

const ONES: u32 = u32::MAX;
const MARK: u32 = 0xabcd_ef01;

/// Small blocks, so that short vectors have many.
const SMALL: CarryPlan = CarryPlan {
    threads: 16,
    words: 3,
};

/// The number of planar coefficients, by GMP: each plane is a number at its own place.
fn number(planes: usize, coefficients: &[u32], out_words: usize) -> Vec<u32> {
    let n = coefficients.len() / planes;
    let mut sum = Integer::new();
    for (plane, words) in coefficients.chunks(n.max(1)).enumerate() {
        sum += Integer::from_digits(words, Order::Lsf) << (32 * plane) as u32;
    }
    let mut words = sum.to_digits::<u32>(Order::Lsf);
    assert!(words.len() <= out_words, "the test's number fits");
    words.resize(out_words, 0);
    words
}

/// Propagates vectors, not at the beginning of their buffers, and compares with GMP.
fn check(
    context: &mut CarryContext,
    stream: &Stream,
    planes: usize,
    n: usize,
    vectors: &[Vec<u32>],
    out_words: usize,
) {
    let device = stream.device();
    let count = vectors.len();
    let mut coefficients = device.buffer::<u32>(planes * n * count + 3).unwrap();
    let mut words = device.buffer::<u32>(out_words * count + 4).unwrap();
    stream
        .write_at(&mut coefficients, 3, &vectors.concat())
        .unwrap();
    stream
        .write(&mut words, &vec![MARK; out_words * count + 4])
        .unwrap();
    let which = Coefficients { n, count };
    context
        .propagate(
            stream,
            (&coefficients, 3),
            which,
            (&mut words, 1),
            out_words,
        )
        .unwrap();
    let mut got = vec![0; out_words * count + 4];
    stream.read(&words, &mut got).unwrap();
    assert_eq!(
        (got[0], &got[1 + out_words * count..]),
        (MARK, &[MARK; 3][..]),
        "what is around is left alone"
    );
    for (v, (vector, got)) in vectors.iter().zip(got[1..].chunks(out_words)).enumerate() {
        let expected = number(planes, vector, out_words);
        let wrong = got
            .iter()
            .zip(&expected)
            .position(|(got, expected)| got != expected);
        assert_eq!(
            wrong, None,
            "vector {v} of {count}, {planes} planes of {n}, to {out_words} words"
        );
    }
}

/// Coefficients whose carries go far, in blocks of `block` words.
fn edges(planes: usize, n: usize, block: usize) -> Vec<Vec<u32>> {
    let plane_words = |f: &dyn Fn(usize, usize) -> u32| -> Vec<u32> {
        (0..planes)
            .flat_map(|plane| (0..n).map(move |i| (plane, i)))
            .map(|(plane, i)| f(plane, i))
            .collect()
    };
    let mut edges = vec![
        plane_words(&|_, _| 0),
        // All columns at their most.
        plane_words(&|_, _| ONES),
        plane_words(&|plane, _| if plane == 0 { ONES } else { 0 }),
        // Only words of one plane, at the end, at the beginning.
        plane_words(&|plane, i| {
            if plane + 1 == planes && i + 1 == n {
                ONES
            } else {
                0
            }
        }),
        plane_words(&|plane, i| {
            if plane + 1 == planes && i == 0 {
                ONES
            } else {
                0
            }
        }),
    ];
    if planes > 1 {
        // Ones everywhere, and one more at the second word, or where blocks meet: the carry ripples to the very end.
        for at in [0, block - 2, block - 1, block, 3 * block - 1] {
            edges.push(plane_words(&|plane, i| match plane {
                0 => ONES,
                1 => u32::from(i == at),
                _ => 0,
            }));
            // And is stopped again, twice, and starts anew.
            edges.push(plane_words(&|plane, i| match plane {
                0 if i == 2 * block + 1 || i == 4 * block => ONES - 1,
                0 => ONES,
                1 => u32::from(i == at || i == 4 * block + 1),
                _ => 0,
            }));
        }
        // Sums that are all ones after one step only: the high word of each makes its neighbour full.
        edges.push(plane_words(&|plane, i| match plane {
            0 if i == 0 => ONES,
            0 => ONES - 5,
            1 if i == 0 => 6,
            1 => 5,
            _ => 0,
        }));
    }
    if planes > 2 {
        // Every column leaves two, and the next is two below full.
        edges.push(plane_words(&|plane, i| match (plane, i % 2) {
            (_, 0) => ONES,
            (0, _) => ONES - 2,
            (1, _) => 0,
            _ => 0,
        }));
        edges.push(plane_words(&|plane, i| match plane {
            0 => ONES - 2,
            1 => u32::from(i % block != 0) * 2,
            2 => u32::from(i == 0) * ONES,
            _ => 0,
        }));
    }
    let mut random = Random::new((n * planes) as u64);
    for full in [2, 16, 1000] {
        edges.push(
            (0..planes * n)
                .map(|_| {
                    if random.below(full) == 0 {
                        random.word() as u32
                    } else {
                        ONES
                    }
                })
                .collect(),
        );
        edges.push(
            (0..planes * n)
                .map(|_| {
                    if random.below(full) == 0 {
                        random.word() as u32
                    } else {
                        0
                    }
                })
                .collect(),
        );
    }
    edges.push(
        random
            .words(planes * n)
            .into_iter()
            .map(|word| word as u32)
            .collect(),
    );
    edges
}

fn check_lengths(device: &Device, planes: &[usize], plan: CarryPlan, lengths: &[usize]) {
    let stream = device.stream().unwrap();
    for &planes in planes {
        let mut context = CarryContext::new(device, planes, Some(plan)).unwrap();
        for &n in lengths {
            let vectors = edges(planes, n, plan.block());
            for more in [0, 1, plan.block()] {
                check(
                    &mut context,
                    &stream,
                    planes,
                    n,
                    &vectors,
                    n + planes + more,
                );
            }
        }
    }
}

fn lengths_around_blocks(place: Place) {
    let Some(device) = place.device() else { return };
    let block = SMALL.block();
    let mut lengths = vec![1, 2, 3, 4, 5, 7, 15, 16, 17];
    for blocks in [1, 2, 3, 5, 16, 17] {
        let around = (blocks * block).saturating_sub(5)..=blocks * block + 1;
        lengths.extend(around);
    }
    check_lengths(&device, &[1, 2, 3, 4], SMALL, &lengths);
}

fn carries_through_more_blocks_than_one_pass_of_the_scan_takes(place: Place) {
    let Some(device) = place.device() else { return };
    let block = SMALL.block();
    // A pass takes `block` blocks.
    let passes = block * block;
    check_lengths(
        &device,
        &[2, 3],
        SMALL,
        &[passes - 4, passes, passes + 1, 3 * passes + block + 7],
    );
}

/// Runs of ones that begin and end anywhere, with a carry into them, and numbers that are sums of two powers of two:
/// every place where a carry can begin, ripple and end in four blocks of sixteen runs of one word, and around the ends
/// of the blocks that two passes of the scan take.
fn every_run_of_ones(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let plan = CarryPlan {
        threads: 16,
        words: 1,
    };
    let block = plan.block();
    let runs = |n: usize, places: &[usize]| -> Vec<Vec<u32>> {
        let pairs = places
            .iter()
            .flat_map(|&from| places.iter().map(move |&to| (from, to)));
        let run = |(from, to): (usize, usize)| {
            let mut coefficients = vec![0; 2 * n];
            coefficients[from..to].fill(ONES);
            // What word `from` is given by the coefficient before it.
            if from > 0 {
                coefficients[n + from - 1] = 1;
            }
            coefficients
        };
        pairs.filter(|(from, to)| from < to).map(run).collect()
    };
    let mut context = CarryContext::new(&device, 2, Some(plan)).unwrap();
    let n = 4 * block;
    let everywhere: Vec<usize> = (0..=n).collect();
    check(&mut context, &stream, 2, n, &runs(n, &everywhere), n + 2);
    // A pass of the scan takes `block` blocks.
    let pass = block * block;
    let n = 2 * pass + block + 3;
    let ends = [
        0,
        block,
        2 * block,
        pass - block,
        pass,
        pass + block,
        2 * pass,
        n - 2,
    ];
    let around: Vec<usize> = ends
        .iter()
        .flat_map(|&end| [end.saturating_sub(1), end, end + 1, end + 2])
        .filter(|&end| end <= n)
        .collect();
    check(&mut context, &stream, 2, n, &runs(n, &around), n + 2);
}

fn the_default_plan(place: Place) {
    let Some(device) = place.device() else { return };
    let plan = CarryPlan::for_device(device.info(), 1 << 20);
    check_lengths(
        &device,
        &[3],
        plan,
        &[
            1,
            2,
            1000,
            plan.block() - 1,
            plan.block(),
            3 * plan.block() + 1,
        ],
    );
}

fn many_short_vectors(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let plan = CarryPlan::for_device(device.info(), 100);
    assert!((100..=128).contains(&plan.block()));
    let mut context = CarryContext::new(&device, 3, Some(plan)).unwrap();
    let mut random = Random::new(3);
    for n in [1, 64, 97] {
        let mut vectors = edges(3, n, 32);
        vectors.extend((0..3000).map(|_| {
            random
                .words(3 * n)
                .iter()
                .map(|&word| word as u32)
                .collect()
        }));
        check(&mut context, &stream, 3, n, &vectors, n + 3);
    }
}

fn a_million_coefficients(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let n = 1 << 20;
    let mut context = CarryContext::new(&device, 3, None).unwrap();
    let mut random = Random::new(20);
    let any: Vec<u32> = (0..3 * n).map(|_| random.word() as u32).collect();
    // A carry from the second word to the last.
    let mut ripples = vec![0; 3 * n];
    ripples[..n].fill(ONES);
    ripples[n] = 1;
    for vector in [any, ripples, vec![ONES; 3 * n]] {
        check(&mut context, &stream, 3, n, &[vector], n + 3);
    }
}

fn numbers_that_just_fit(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let block = SMALL.block();
    let mut context = CarryContext::new(&device, 2, Some(SMALL)).unwrap();
    for n in [1, 2, block, block + 1, 10 * block] {
        let mut vector = vec![0; 2 * n];
        vector[..n].fill(ONES);
        // n words of ones; then one more than that, at the word after the first: a carry out of the last word.
        check(&mut context, &stream, 2, n, &[vector.clone()], n);
        vector[n] = 1;
        check(&mut context, &stream, 2, n, &[vector], n + 1);
    }
}

fn what_does_not_fit_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    for (planes, plan) in [
        (0, None),
        (5, None),
        (
            3,
            Some(CarryPlan {
                threads: 0,
                words: 8,
            }),
        ),
        (
            3,
            Some(CarryPlan {
                threads: 40,
                words: 8,
            }),
        ),
        (
            3,
            Some(CarryPlan {
                threads: 64,
                words: 0,
            }),
        ),
        (
            3,
            Some(CarryPlan {
                threads: 1024,
                words: 32,
            }),
        ),
        (
            3,
            Some(CarryPlan {
                threads: usize::MAX,
                words: 1,
            }),
        ),
    ] {
        let refused = CarryContext::new(&device, planes, plan);
        assert!(
            matches!(refused, Err(GpuError::Shape(_))),
            "{planes} {plan:?} {refused:?}"
        );
    }
    let mut context = CarryContext::new(&device, 2, None).unwrap();
    let coefficients = device.buffer::<u32>(40).unwrap();
    let mut words = device.buffer::<u32>(30).unwrap();
    for (first, n, count, words_first, out_words) in [
        (1, 20, 1, 0, 30),
        (0, 20, 1, 1, 30),
        (0, 10, 2, 0, 16),
        (0, 10, 3, 0, 5),
        (0, usize::MAX, 1, 0, 5),
        (0, 2, usize::MAX, 0, 5),
        (usize::MAX, 0, 1, 0, 5),
    ] {
        let vectors = Coefficients { n, count };
        let refused = context.propagate(
            &stream,
            (&coefficients, first),
            vectors,
            (&mut words, words_first),
            out_words,
        );
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
    let none = Coefficients { n: 20, count: 0 };
    context
        .propagate(&stream, (&coefficients, 40), none, (&mut words, 30), 30)
        .unwrap();
    // Numbers of no coefficients are zero.
    stream.write(&mut words, &[7; 30]).unwrap();
    let empty = Coefficients { n: 0, count: 3 };
    context
        .propagate(&stream, (&coefficients, 0), empty, (&mut words, 0), 5)
        .unwrap();
    let mut got = [1; 16];
    stream.read(&words, &mut got).unwrap();
    assert_eq!((&got[..15], got[15]), (&[0; 15][..], 7));
}
