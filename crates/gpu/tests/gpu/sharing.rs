//! A device that several use: streams that share memory, threads that share programs, and all of them what memory there
//! is.

use std::process::Command;
use sunzi_gpu::{Argument, Device, GpuError, Kernel, Launch, Source, Stream};
use sunzi_testkit::{CudaStandIn, Place, on_every_device, required_or_skipped};

on_every_device![
    memory_is_freed_after_its_last_use_on_any_stream,
    a_program_is_gone_after_its_last_use,
    threads_compile_what_they_share_once,
    times_are_told_where_they_were_asked_for,
];

const GROUP: usize = 64;
const COUNT: usize = 1 << 12;

/// Adds a constant to every element.
const ADD: &str = "
KERNEL add(GLOBAL u32* x, u32 more) {
  u32 i = BLOCK * GROUP + THREAD;
  x[i] += more + OWN;
}
";

/// The kernel of a program that differs from others by a number.
fn kernel(device: &Device, own: u32) -> Result<Kernel, GpuError> {
    let source = Source::new("add", GROUP).define("OWN", own).part(ADD);
    device.program(&source)?.kernel("add")
}

fn add(stream: &Stream, kernel: &Kernel, to: Argument, more: u32) {
    let launch = Launch {
        groups: [COUNT / GROUP, 1, 1],
        threads: GROUP,
        shared_bytes: 0,
    };
    // SAFETY: the arguments are those of the kernel, for as many elements as every buffer here has.
    unsafe { stream.launch(kernel, launch, &[to, more.into()]) }.unwrap();
}

fn memory_is_freed_after_its_last_use_on_any_stream(place: Place) {
    let Some(device) = place.device() else { return };
    let kernel = kernel(&device, 0).unwrap();
    let [first, second] = [device.stream().unwrap(), device.stream().unwrap()];
    for round in 0..10 {
        let gone = device.stream().unwrap();
        let mut buffer = device.filled(&first, &vec![round; COUNT]).unwrap();
        add(&first, &kernel, (&mut buffer).into(), 1);
        second.wait_on(&first.record().unwrap()).unwrap();
        add(&second, &kernel, (&mut buffer).into(), 2);
        gone.wait_on(&second.record().unwrap()).unwrap();
        add(&gone, &kernel, (&mut buffer).into(), 3);
        let mut copy = device.buffer(COUNT).unwrap();
        gone.copy((&buffer, 0), (&mut copy, 0), COUNT).unwrap();
        first.wait_on(&gone.record().unwrap()).unwrap();
        // A last use that no other stream waits for.
        add(&gone, &kernel, (&mut buffer).into(), 4);
        // In every order: the stream before its memory, and memory before the streams that it was used on.
        if round % 2 == 0 {
            drop(gone);
            drop(buffer);
        } else {
            drop(buffer);
            drop(gone);
        }
        let next = device.filled(&second, &[0u32; COUNT]).unwrap();
        let mut found = vec![0; COUNT];
        first.read(&copy, &mut found).unwrap();
        assert_eq!(found, vec![round + 6; COUNT]);
        second.read(&next, &mut found).unwrap();
        assert_eq!(found, vec![0; COUNT]);
    }
    assert_eq!(device.memory_used(), 0);
}

fn a_program_is_gone_after_its_last_use(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let mut buffer = device.filled(&stream, &[0u32; COUNT]).unwrap();
    // Each is dropped while it may still run, and the next one is loaded.
    for own in 0..5 {
        let kernel = kernel(&device, own).unwrap();
        add(&stream, &kernel, (&mut buffer).into(), 1);
    }
    let mut found = vec![0; COUNT];
    stream.read(&buffer, &mut found).unwrap();
    assert_eq!(found, vec![5 + 10; COUNT]);
}

fn threads_compile_what_they_share_once(place: Place) {
    let Some(device) = place.device() else { return };
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let device = &device;
            scope.spawn(move || {
                let stream = device.stream().unwrap();
                let kernel = kernel(device, 100 + thread % 2).unwrap();
                let mut buffer = device.filled(&stream, &[0u32; COUNT]).unwrap();
                add(&stream, &kernel, (&mut buffer).into(), 1);
                let mut found = vec![0; COUNT];
                stream.read(&buffer, &mut found).unwrap();
                assert_eq!(found, vec![101 + thread % 2; COUNT]);
            });
        }
    });
}

fn times_are_told_where_they_were_asked_for(place: Place) {
    let Some(device) = place.device() else { return };
    let (timed, other) = (device.timed_stream().unwrap(), device.stream().unwrap());
    let start = timed.record().unwrap();
    let mut buffer = device.filled(&timed, &[0u32; COUNT]).unwrap();
    timed.clear(&mut buffer, 0, COUNT).unwrap();
    let end = timed.record().unwrap();
    assert!(end.since(&start).unwrap().as_nanos() > 0);
    let untimed = other.record().unwrap();
    for told in [untimed.since(&start), end.since(&untimed)] {
        assert!(matches!(told, Err(GpuError::Shape(_))), "{told:?}");
    }
}

/// The test that a process of its own runs, on a driver that fails where it is told to.
const OTHER_PROCESS: &str = "sharing::memory_is_freed_after_its_last_use_on_any_stream::cuda";

/// Runs a test in another process, and returns what it said: `Err` if it failed.
fn in_another_process(prepare: impl FnOnce(&mut Command)) -> Result<String, String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", OTHER_PROCESS, "--nocapture"]);
    command.env("RUST_BACKTRACE", "0");
    prepare(&mut command);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(!said.contains("violation"), "{said}");
    if output.status.success() {
        assert!(said.contains("1 passed"), "{said}");
        Ok(said)
    } else {
        Err(said)
    }
}

#[test]
fn memory_that_is_short_is_reclaimed_and_asked_for_again() {
    let Some(stand_in) = required_or_skipped(CudaStandIn::build()) else {
        return;
    };
    let with = |rules: &str| {
        in_another_process(|command| {
            stand_in.lend(command).env("SUNZI_STAND_IN_FAIL", rules);
        })
    };
    with("cuMemAllocFromPoolAsync:3=2").unwrap();
    let refused = with("cuMemAllocFromPoolAsync:3=2,cuMemAllocFromPoolAsync:4=2").unwrap_err();
    assert!(refused.contains("OutOfMemory"), "{refused}");
    // A device that has no pool, by what it says and by what it does, and a driver that knows of none.
    with("cuMemPoolCreate:1=801").unwrap();
    with("cuMemPoolSetAttribute:2=801").unwrap();
    in_another_process(|command| {
        stand_in.lend_old(command);
    })
    .unwrap();
    // Without an order of streams, the host waits: when the stream is gone, and when the memory is. The first three
    // waits are the test's own.
    with("cuStreamWaitEvent:4=999").unwrap();
    with("cuStreamWaitEvent:5=999").unwrap();
}
