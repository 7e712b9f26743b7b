//! Batches of integer products against GMP.

use sunzi_device::{Device, DeviceInfo, GpuError, Stream};
use sunzi_gpu::integer::{IntegerContext, IntegerKernel, IntegerPlan};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, mul_limbs, on_every_device};

on_every_device![
    short_integers_of_all_lengths,
    short_integers_a_product_a_thread,
    integers_around_powers_of_two,
    batches_of_all_counts,
    long_integers,
    long_integers_against_shorter_ones,
    plans_are_program_parameters,
    what_does_not_fit_is_refused,
];
as_gpu![batches_of_all_counts, long_integers];

as_ptx![
    short_integers_of_all_lengths,
    short_integers_a_product_a_thread,
    integers_around_powers_of_two,
    batches_of_all_counts,
    long_integers_against_shorter_ones,
    plans_are_program_parameters,
];

const ONES: u32 = u32::MAX;

/// The product by GMP.
fn product(a: &[u32], b: &[u32]) -> Vec<u32> {
    let limbs = |words: &[u32]| -> Vec<u64> {
        let pairs = words.chunks(2);
        pairs
            .map(|pair| u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32)
            .collect()
    };
    let product = mul_limbs(&limbs(a), &limbs(b));
    let words = product
        .iter()
        .flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
    words.take(a.len() + b.len()).collect()
}

/// Integers of `words` words whose products carry far, cancel, or vanish: the worst first.
fn edges(words: usize) -> Vec<Vec<u32>> {
    let from = |f: &dyn Fn(usize) -> u32| (0..words).map(f).collect::<Vec<_>>();
    let mut random = Random::new(words as u64);
    let low_halves_zero = (0..words).map(|_| (random.word() as u32) << 16).collect();
    vec![
        from(&|_| ONES),
        from(&|j| if j % 2 == 0 { ONES } else { 0 }),
        from(&|j| if j == 0 { 0 } else { ONES }),
        from(&|j| u32::from(j == 0)),
        from(&|j| if j % 2 == 1 { ONES } else { 0 }),
        from(&|j| if j + 1 == words { ONES } else { 0 }),
        from(&|j| if j == 0 { ONES } else { 0 }),
        from(&|j| if j == 0 { 0 } else { ONES << (j % 32) }),
        from(&|j| if j < words / 2 { ONES } else { 0 }),
        from(&|_| 0),
        from(&|j| u32::from(j + 1 == words)),
        low_halves_zero,
    ]
}

/// Pairs of edges of both lengths, crossed: the worst first, so many that a processor multiplies them in a blink.
fn edge_pairs(a_words: usize, b_words: usize) -> (Vec<u32>, Vec<u32>) {
    let (of_a, of_b) = (edges(a_words), edges(b_words));
    let mut places: Vec<_> = (0..of_a.len())
        .flat_map(|i| (0..of_b.len()).map(move |j| (i, j)))
        .collect();
    places.sort_by_key(|&(i, j)| i.max(j));
    places.truncate(((1 << 22) / (a_words * b_words)).max(9));
    let pairs = places.iter();
    let (a, b): (Vec<_>, Vec<_>) = pairs.map(|&(i, j)| (&of_a[i][..], &of_b[j][..])).unzip();
    (a.concat(), b.concat())
}

/// `count` random integers, one after the other; one word in eight is an edge.
fn numbers(random: &mut Random, words: usize, count: usize) -> Vec<u32> {
    let word = |_| match random.below(16) {
        0 => 0,
        1 => ONES,
        _ => random.word() as u32,
    };
    (0..words * count).map(word).collect()
}

/// Multiplies on the device, operands and products not at the beginning of their buffers, and compares with GMP.
fn check(
    batch: &IntegerContext,
    stream: &Stream,
    words: (usize, usize),
    a: &[u32],
    b: &[u32],
    broadcast: bool,
) {
    let (a_words, b_words) = words;
    let (device, count) = (stream.device(), a.len() / a_words);
    let all = (a_words + b_words) * count;
    let mut of_a = device.buffer::<u32>(a.len() + 3).unwrap();
    let mut of_b = device.buffer::<u32>(b.len() + 1).unwrap();
    let mut of_product = device.buffer::<u32>(all + 7).unwrap();
    stream.write_at(&mut of_a, 3, a).unwrap();
    stream.write_at(&mut of_b, 1, b).unwrap();
    stream
        .write(&mut of_product, &vec![0xabcd_ef01; all + 7])
        .unwrap();
    batch
        .multiply(
            stream,
            (&of_a, 3),
            (&of_b, 1),
            (&mut of_product, 5),
            count,
            broadcast,
        )
        .unwrap();
    let mut got = vec![0; all + 7];
    stream.read(&of_product, &mut got).unwrap();
    for (i, (x, got)) in a
        .chunks(a_words)
        .zip(got[5..].chunks(a_words + b_words))
        .enumerate()
    {
        let y = if broadcast {
            b
        } else {
            &b[i * b_words..(i + 1) * b_words]
        };
        let expected = product(x, y);
        assert!(
            got == expected,
            "{:?} {words:?} pair {i} of {count}:\n{x:x?}\n{y:x?}\n{got:x?}\n{expected:x?}",
            batch.kernel()
        );
    }
    let around = [&got[..5], &got[5 + all..]].concat();
    assert_eq!(
        around, [0xabcd_ef01; 7],
        "what is around the products is left alone"
    );
}

/// All edges against all edges, then random pairs in batches of several counts, then one b for all.
fn check_all(
    device: &Device,
    stream: &Stream,
    kernel: IntegerKernel,
    a_words: usize,
    b_words: usize,
    counts: &[usize],
) {
    let batch = IntegerContext::new(device, a_words, b_words, kernel, None).unwrap();
    let words = (a_words, b_words);
    let (a, b) = edge_pairs(a_words, b_words);
    check(&batch, stream, words, &a, &b, false);
    let mut random = Random::new((a_words * 5000 + b_words) as u64);
    for &count in counts {
        let a = numbers(&mut random, a_words, count);
        let b = numbers(&mut random, b_words, count);
        check(&batch, stream, words, &a, &b, false);
        check(&batch, stream, words, &a, &b[..b_words], true);
    }
}

/// Every kernel that takes the lengths.
fn check_kernels(
    place: Place,
    kernels: &[IntegerKernel],
    sizes: impl Iterator<Item = (usize, usize)>,
    counts: &[usize],
) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    for (a_words, b_words) in sizes {
        for &kernel in kernels
            .iter()
            .filter(|kernel| kernel.supports(device.info(), a_words, b_words))
        {
            check_all(&device, &stream, kernel, a_words, b_words, counts);
        }
    }
}

const GROUP_KERNELS: [IntegerKernel; 4] = [
    IntegerKernel::Columns,
    IntegerKernel::M5,
    IntegerKernel::Naive,
    IntegerKernel::OperandScanning,
];

fn short_integers_of_all_lengths(place: Place) {
    // By the shortest and the longest, by a power of two, and by themselves.
    let lengths = (1..=20).step_by(place.pick(1, 6));
    let sizes = lengths.flat_map(|a| [1, 2, 8, 20, a].map(|b| (a, b)));
    check_kernels(place, &GROUP_KERNELS, sizes, &[1, 2]);
}

fn short_integers_a_product_a_thread(place: Place) {
    let sizes = [
        (1, 1),
        (2, 1),
        (2, 2),
        (5, 3),
        (3, 7),
        (8, 8),
        (9, 11),
        (1, 39),
        (16, 16),
    ];
    check_kernels(
        place,
        &[IntegerKernel::Schoolbook],
        sizes.into_iter(),
        &[1, 2, 3, 65, 1000],
    );
}

fn integers_around_powers_of_two(place: Place) {
    let equal = [31, 32, 33, 63, 64, 65].map(|words| (words, words));
    let unequal = [(31, 33), (33, 64), (64, 63), (65, 31), (32, 65), (64, 8)];
    let sizes = equal.into_iter().chain(unequal);
    check_kernels(place, &GROUP_KERNELS, sizes, &[3]);
}

fn batches_of_all_counts(place: Place) {
    check_kernels(
        place,
        &GROUP_KERNELS,
        [(32, 32), (20, 8)].into_iter(),
        &[1, 2, 3, 65, 1000],
    );
}

fn long_integers(place: Place) {
    let all: &[usize] = &[96, 1024, 128, 200, 256];
    let sizes = place.pick(all, &all[..2]);
    check_kernels(
        place,
        &GROUP_KERNELS,
        sizes.iter().map(|&words| (words, words)),
        &[1, 5],
    );
}

fn long_integers_against_shorter_ones(place: Place) {
    let all: &[_] = &[
        (1000, 7),
        (1, 1024),
        (511, 130),
        (256, 1000),
        (1024, 8),
        (2000, 33),
        (4096, 3),
    ];
    let sizes = place.pick(all, &all[..2]);
    check_kernels(place, &GROUP_KERNELS, sizes.iter().copied(), &[1, 5]);
}

fn plans_are_program_parameters(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let mut random = Random::new(1);
    let plan = |threads, products, columns, chunk| IntegerPlan {
        threads,
        products,
        columns,
        chunk,
    };
    for (kernel, words, plan) in [
        (IntegerKernel::Schoolbook, (4, 6), plan(33, 1, 0, 0)),
        (IntegerKernel::Columns, (37, 40), plan(10, 1, 4, 0)),
        (IntegerKernel::Columns, (41, 40), plan(50, 8, 7, 0)),
        (IntegerKernel::M5, (40, 40), plan(7, 1, 0, 2)),
        (IntegerKernel::M5, (40, 40), plan(7, 1, 0, 14)),
        (IntegerKernel::M5, (40, 40), plan(64, 1, 0, 64)),
        (IntegerKernel::Naive, (40, 30), plan(3, 1, 0, 0)),
        (IntegerKernel::OperandScanning, (40, 30), plan(3, 1, 0, 0)),
    ] {
        let batch = IntegerContext::new(&device, words.0, words.1, kernel, Some(plan)).unwrap();
        assert_eq!(batch.plan(), plan);
        for count in [1, 70] {
            let a = numbers(&mut random, words.0, count);
            let b = numbers(&mut random, words.1, count);
            check(&batch, &stream, words, &a, &b, false);
            let ones = (vec![ONES; a.len()], vec![ONES; b.len()]);
            check(&batch, &stream, words, &ones.0, &ones.1, false);
        }
    }
}

#[test]
fn the_best_kernel_takes_every_length_up_to_a_few_thousand_words() {
    let h100 = DeviceInfo::h100();
    for (a, b) in [
        (1, 1),
        (1, 4096),
        (16, 16),
        (16, 17),
        (1024, 1024),
        (2048, 2048),
        (4096, 3000),
    ] {
        assert!(
            IntegerKernel::best(&h100, a, b).supports(&h100, a, b),
            "{a} {b}"
        );
    }
    for words in [32, 64, 100, 512, 1024] {
        for kernel in GROUP_KERNELS {
            assert!(kernel.supports(&h100, words, words), "{kernel:?} {words}");
        }
    }
}

fn what_does_not_fit_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let plan = |threads, products, columns, chunk| {
        Some(IntegerPlan {
            threads,
            products,
            columns,
            chunk,
        })
    };
    for (kernel, a_words, b_words, plan) in [
        (IntegerKernel::Schoolbook, 17, 17, None),
        (IntegerKernel::Schoolbook, 0, 1, None),
        (IntegerKernel::Schoolbook, usize::MAX, 1, None),
        (IntegerKernel::Columns, 1, 4097, None),
        (IntegerKernel::Columns, 4096, 4096, None),
        (IntegerKernel::Columns, 64, 64, plan(64, 16, 8, 0)),
        (IntegerKernel::Columns, 64, 64, plan(96, 12, 8, 0)),
        (IntegerKernel::Columns, 64, 64, plan(64, 1, 1, 0)),
        (IntegerKernel::M5, 64, 63, None),
        (IntegerKernel::M5, 1025, 1025, None),
        (IntegerKernel::M5, 64, 64, plan(64, 1, 8, 3)),
        (IntegerKernel::M5, 64, 64, plan(0, 1, 8, 32)),
        (IntegerKernel::Naive, 2048, 1, None),
        (IntegerKernel::Naive, usize::MAX, usize::MAX, None),
        (IntegerKernel::OperandScanning, 2000, 2000, None),
    ] {
        let refused = IntegerContext::new(&device, a_words, b_words, kernel, plan);
        assert!(
            matches!(refused, Err(GpuError::Shape(_))),
            "{kernel:?} {a_words} {b_words}: {refused:?}"
        );
        assert!(plan.is_some() || !kernel.supports(device.info(), a_words, b_words));
    }
    let batch = IntegerContext::best(&device, 20, 30).unwrap();
    let a = device.buffer::<u32>(41).unwrap();
    let b = device.buffer::<u32>(60).unwrap();
    let mut product = device.buffer::<u32>(100).unwrap();
    for (a_first, b_first, first, count, broadcast) in [
        (2, 0, 0, 2, false),
        (0, 1, 0, 2, false),
        (0, 0, 1, 2, false),
        (0, 31, 0, 2, true),
        (0, 0, 0, usize::MAX, false),
        (usize::MAX, 0, 0, 1, false),
    ] {
        let refused = batch.multiply(
            &stream,
            (&a, a_first),
            (&b, b_first),
            (&mut product, first),
            count,
            broadcast,
        );
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
    batch
        .multiply(&stream, (&a, 41), (&b, 60), (&mut product, 100), 0, true)
        .unwrap();
    batch
        .multiply(&stream, (&a, 1), (&b, 30), (&mut product, 0), 2, true)
        .unwrap();
    stream.finish().unwrap();
}
