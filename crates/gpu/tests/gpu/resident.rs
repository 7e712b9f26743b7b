//! Memory of products that stay on the device, and streams that share it.

use sunzi_device::{GpuError, Stream};
use sunzi_gpu::products::{
    Finish, Operand, ProductForm, ResidentPolynomials, TransformContext, TransformPlan,
};
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![
    products_after_the_first_take_memory_for_themselves_alone,
    streams_get_workspaces_that_nobody_uses,
    products_are_used_on_other_streams_without_a_wait,
    a_stream_of_another_device_is_refused,
];

const TERMS: usize = 100;
const LOG_POINTS: u32 = 8;

/// Products of integers of up to `TERMS` digits.
fn plan() -> TransformPlan {
    TransformPlan {
        log_points: LOG_POINTS,
        left: ProductForm::INTEGERS.left,
        right: ProductForm::INTEGERS.right,
        bits: 90,
        finish: Finish::Carry,
    }
}

/// Random integers, on the device.
fn integers(stream: &Stream, seed: u64, count: usize) -> ResidentPolynomials {
    integers_of(TERMS, stream, seed, count)
}

fn integers_of(terms: usize, stream: &Stream, seed: u64, count: usize) -> ResidentPolynomials {
    let mut random = Random::new(seed);
    let mut row = || {
        let words = (0..terms).map(|_| random.word() as u32);
        words.collect::<Vec<_>>()
    };
    let rows: Vec<_> = (0..count).map(|_| row()).collect();
    let operands: Vec<_> = rows.iter().map(|row| Operand::new(row, 1)).collect();
    ResidentPolynomials::upload(stream, plan().left, &operands).unwrap()
}

fn products_after_the_first_take_memory_for_themselves_alone(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let context = TransformContext::new(&device, plan()).unwrap();
    let (a, b) = (integers(&stream, 1, 5), integers(&stream, 2, 5));
    let first = context.multiply_resident(&stream, &a, &b).unwrap();
    let expected = first.download(&stream).unwrap();
    let before = device.memory_used();
    let product_bytes = 4 * (5 << LOG_POINTS);
    let mut all = vec![first];
    for more in 1..6 {
        all.push(context.multiply_resident(&stream, &a, &b).unwrap());
        assert_eq!(device.memory_used(), before + more * product_bytes);
    }
    // Smaller batches have room in the same memory; their places are other ones, of two words each.
    let (few, one) = (integers(&stream, 1, 3), integers(&stream, 2, 1));
    let before = device.memory_used();
    let fewer = context.multiply_resident(&stream, &few, &one).unwrap();
    let taken = device.memory_used() - before;
    assert!(taken <= 4 * ((3 << LOG_POINTS) + 6), "{taken}");
    assert_eq!(fewer.download(&stream).unwrap()[0], expected[0]);
    for product in all {
        assert_eq!(product.download(&stream).unwrap(), expected);
    }
}

fn streams_get_workspaces_that_nobody_uses(place: Place) {
    let Some(device) = place.device() else { return };
    let streams: Vec<_> = (0..5).map(|_| device.stream().unwrap()).collect();
    let context = TransformContext::new(&device, plan()).unwrap();
    let (a, b) = (integers(&streams[0], 1, 4), integers(&streams[0], 2, 4));
    let (c, d) = (integers(&streams[0], 3, 2), integers(&streams[0], 4, 2));
    let expected = [(&a, &b), (&c, &d)].map(|(left, right)| {
        let product = context.multiply_resident(&streams[0], left, right).unwrap();
        product.download(&streams[0]).unwrap()
    });
    // More streams than workspaces, with batches of two sizes in turn, and no wait in between.
    let products: Vec<_> = (0..20)
        .map(|index| {
            let stream = &streams[index % streams.len()];
            let (left, right) = if index % 2 == 0 { (&a, &b) } else { (&c, &d) };
            let product = context.multiply_resident(stream, left, right).unwrap();
            (stream, index % 2, product)
        })
        .collect();
    for (stream, which, product) in products {
        assert_eq!(product.download(stream).unwrap(), expected[which]);
    }
    // From threads of their own, too.
    std::thread::scope(|scope| {
        for stream in &streams {
            scope.spawn(|| {
                for _ in 0..4 {
                    let product = context.multiply_resident(stream, &a, &b).unwrap();
                    assert_eq!(product.download(stream).unwrap(), expected[0]);
                }
            });
        }
    });
}

fn products_are_used_on_other_streams_without_a_wait(place: Place) {
    let Some(device) = place.device() else { return };
    let [first, second, third] = [(); 3].map(|()| device.stream().unwrap());
    let context = TransformContext::new(&device, plan()).unwrap();
    let (a, b) = (integers(&first, 1, 3), integers(&first, 2, 3));
    let c = integers_of(50, &first, 3, 3);
    let of_two = context.multiply_resident(&first, &a, &b).unwrap();
    let of_three = context.multiply_resident(&first, &of_two, &c).unwrap();
    let expected = [&of_two, &of_three].map(|product| product.download(&first).unwrap());
    let of_two = context.multiply_resident(&first, &a, &b).unwrap();
    let of_three = context.multiply_resident(&second, &of_two, &c).unwrap();
    assert_eq!(of_three.download(&third).unwrap(), expected[1]);
    assert_eq!(of_two.download(&third).unwrap(), expected[0]);
    // One that was prepared, on a stream after the other, of which one is gone before the next.
    let mut prepared = context.prepare_resident(&first, &a, &b).unwrap();
    prepared.run(&second).unwrap();
    drop(second);
    let fourth = device.stream().unwrap();
    prepared.run(&fourth).unwrap();
    prepared.run(&first).unwrap();
    assert_eq!(prepared.products().download(&third).unwrap(), expected[0]);
}

fn a_stream_of_another_device_is_refused(place: Place) {
    let [Some(device), Some(other)] = [place.device(), place.device()] else {
        return;
    };
    let (stream, foreign) = (device.stream().unwrap(), other.stream().unwrap());
    let context = TransformContext::new(&device, plan()).unwrap();
    let (a, b) = (integers(&stream, 1, 2), integers(&stream, 2, 2));
    let refused = context.multiply_resident(&foreign, &a, &b);
    assert!(
        matches!(&refused, Err(GpuError::Shape(said)) if said.contains("the stream is of another")),
        "{refused:?}"
    );
    // Nothing of the other device was kept.
    let product = context.multiply_resident(&stream, &a, &b).unwrap();
    assert_eq!(product.download(&stream).unwrap().len(), 2);
}
