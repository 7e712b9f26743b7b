//! Streams that share buffers, without an event that a caller has recorded: what they find there is what it would be if
//! everything ran in the order in which it was submitted. The stand-in for CUDA sees every order that is missing; under the
//! layer before OpenCL (the module `late`) one that is missing gives other numbers.

use sunzi_device::{Argument, Buffer, Device, Kernel, Launch, Source, Stream};
use sunzi_testkit::streams::{COUNT, kernel};
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![
    shared_buffers_keep_the_order_of_submission,
    what_a_stream_that_is_gone_wrote_is_there,
    threads_share_what_they_read,
];

const GROUP: usize = 64;
/// to[i] = from[i] + more, where `from` is only read.
const ADD_TO: &str = "
KERNEL add_to(GLOBAL u32* RESTRICT to, GLOBAL const u32* RESTRICT from, u32 more) {
  u32 i = BLOCK * GROUP + THREAD;
  to[i] = from[i] + more;
}
";

fn add_to(device: &Device) -> Kernel {
    let source = Source::new("add to", GROUP).part(ADD_TO);
    device.program(&source).unwrap().kernel("add_to").unwrap()
}

fn launch(stream: &Stream, kernel: &Kernel, arguments: &[Argument]) {
    let config = Launch {
        groups: [COUNT / GROUP, 1, 1],
        threads: [GROUP, 1, 1],
        shared_bytes: 0,
    };
    // SAFETY: the callers' arguments are those of the kernels here, for as many elements as every buffer has.
    unsafe { stream.launch_unchecked(kernel, config, arguments) }.unwrap();
}

fn read(stream: &Stream, buffer: &Buffer<u32>) -> Vec<u32> {
    let mut found = vec![0; COUNT];
    stream.read(buffer, &mut found).unwrap();
    found
}

fn shared_buffers_keep_the_order_of_submission(place: Place) {
    let Some(device) = place.device() else { return };
    let (add, add_to) = (kernel(&device, 0).unwrap(), add_to(&device));
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let mut streams: Vec<Stream> = (0..4).map(|_| device.stream().unwrap()).collect();
        let mut buffers: Vec<Buffer<u32>> = (0..4).map(|_| device.buffer(COUNT).unwrap()).collect();
        let mut staging = device.staging::<u32>(COUNT).unwrap();
        // What all elements of a buffer are.
        let mut values = [0u32; 4];
        for buffer in &mut buffers {
            streams[0].clear(buffer, 0, COUNT).unwrap();
        }
        for step in 1..200u32 {
            let on = random.below(4) as usize;
            let from = random.below(4) as usize;
            let to = (from + 1 + random.below(3) as usize) % 4;
            let [source, target] = buffers.get_disjoint_mut([from, to]).unwrap();
            let stream = &streams[on];
            match random.below(12) {
                0 => {
                    stream.write(target, &[step; COUNT]).unwrap();
                    values[to] = step;
                }
                1 => {
                    stream.clear(target, 0, COUNT).unwrap();
                    values[to] = 0;
                }
                2 => {
                    stream.copy((source, 0), (target, 0), COUNT).unwrap();
                    values[to] = values[from];
                }
                3 => {
                    staging.get_mut().unwrap().fill(step);
                    stream.upload(target, 0, &mut staging, COUNT).unwrap();
                    values[to] = step;
                }
                4 => {
                    stream.download(source, 0, &mut staging, COUNT).unwrap();
                    let found = staging.get().unwrap();
                    assert!(found.iter().all(|&value| value == values[from]));
                }
                5 => assert_eq!(read(stream, source), [values[from]; COUNT]),
                6 => stream.finish().unwrap(),
                7 => stream.record().unwrap().wait().unwrap(),
                8 => streams[on] = device.stream().unwrap(),
                9 => {
                    launch(stream, &add, &[(&mut *target).into(), step.into()]);
                    values[to] += step;
                }
                _ => {
                    let arguments = [(&mut *target).into(), (&*source).into(), step.into()];
                    launch(stream, &add_to, &arguments);
                    values[to] = values[from] + step;
                }
            }
        }
        let last = device.stream().unwrap();
        for (buffer, value) in buffers.iter().zip(values) {
            assert_eq!(read(&last, buffer), [value; COUNT], "seed {seed}");
        }
    }
    assert_eq!(device.memory_used(), 0);
}

fn what_a_stream_that_is_gone_wrote_is_there(place: Place) {
    let Some(device) = place.device() else { return };
    let add_to = add_to(&device);
    let passing = || device.stream().unwrap();
    let table = device.filled(&passing(), &[7; COUNT]).unwrap();
    let mut results: Vec<Buffer<u32>> = (0..20).map(|_| device.buffer(COUNT).unwrap()).collect();
    for (more, result) in (0u32..).zip(&mut results) {
        launch(
            &passing(),
            &add_to,
            &[result.into(), (&table).into(), more.into()],
        );
    }
    // Readers of the table that are gone hold up who writes it.
    let mut table = table;
    passing().clear(&mut table, 0, COUNT).unwrap();
    for (more, result) in (0..).zip(&results) {
        assert_eq!(read(&passing(), result), [7 + more; COUNT]);
    }
    assert_eq!(read(&passing(), &table), [0; COUNT]);
}

fn threads_share_what_they_read(place: Place) {
    let Some(device) = place.device() else { return };
    let add_to = add_to(&device);
    let table = device
        .filled(&device.stream().unwrap(), &[5; COUNT])
        .unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (device, table, add_to) = (&device, &table, &add_to);
            scope.spawn(move || {
                let (one, other) = (device.stream().unwrap(), device.stream().unwrap());
                let mut result = device.buffer::<u32>(COUNT).unwrap();
                let mut sum = device.buffer::<u32>(COUNT).unwrap();
                for round in 0..10 {
                    let more = Argument::U32(thread + round);
                    launch(&one, add_to, &[(&mut result).into(), table.into(), more]);
                    launch(&other, add_to, &[(&mut sum).into(), (&result).into(), more]);
                    assert_eq!(read(&one, &sum), [5 + 2 * (thread + round); COUNT]);
                }
            });
        }
    });
}

/// Its signature is not read, and a stream follows what it may have written. The stand-in for CUDA compiles no text but what is
/// written over the prelude.
#[test]
fn a_verbatim_kernel_is_taken_to_write_its_buffers() {
    let Some(device) = Place::OpenCl.device() else {
        return;
    };
    let text = "__kernel void times(__global uint* x, uint n) { x[get_global_id(0)] *= n; }";
    let source = Source::verbatim("times").part(text);
    let times = device.program(&source).unwrap().kernel("times").unwrap();
    let (one, other) = (device.stream().unwrap(), device.stream().unwrap());
    let mut buffer = device.filled(&one, &[3; COUNT]).unwrap();
    launch(&other, &times, &[(&mut buffer).into(), Argument::U32(2)]);
    launch(&one, &times, &[(&mut buffer).into(), Argument::U32(5)]);
    assert_eq!(read(&other, &buffer), [30; COUNT]);
}
