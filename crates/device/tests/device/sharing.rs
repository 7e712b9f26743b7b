//! A device that several use: streams that share memory, threads that share programs, and all of them what memory there
//! is.

use sunzi_device::GpuError;
use sunzi_testkit::streams::{COUNT, add, kernel, use_memory_in_turn};
use sunzi_testkit::{Place, on_every_device};

on_every_device![
    memory_is_freed_after_its_last_use_on_any_stream,
    a_program_is_gone_after_its_last_use,
    threads_compile_what_they_share_once,
    times_are_told_where_they_were_asked_for,
];

fn memory_is_freed_after_its_last_use_on_any_stream(place: Place) {
    let Some(device) = place.device() else { return };
    use_memory_in_turn(&device).unwrap();
}

fn a_program_is_gone_after_its_last_use(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let mut buffer = device.filled(&stream, &[0u32; COUNT]).unwrap();
    // Each is dropped while it may still run, and the next one is loaded.
    for own in 0..5 {
        let kernel = kernel(&device, own).unwrap();
        add(&stream, &kernel, (&mut buffer).into(), 1).unwrap();
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
                add(&stream, &kernel, (&mut buffer).into(), 1).unwrap();
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
