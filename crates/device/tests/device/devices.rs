//! Memory, streams, programs and their cache, and what happens when something is missing.

use std::fs;
use std::path::Path;
use sunzi_device::{
    Argument, Backend, CacheFolder, Device, DeviceOptions, Discovery, GpuError, Launch, Selection,
    Source, discover,
};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, on_every_device};

on_every_device![
    a_kernel_computes_what_it_says,
    a_program_that_does_not_compile_comes_with_the_log,
    a_kernel_that_is_not_there_is_an_error,
    a_launch_beyond_the_limits_is_refused,
    copies_reach_every_place_and_none_beyond,
    what_belongs_to_another_open_device_is_refused,
    staging_waits_for_its_copies,
    too_little_memory_is_an_error_that_says_how_much_there_was,
    compiled_programs_are_kept_and_rebuilt_when_damaged,
    a_cache_that_cannot_be_written_is_told_once,
];
as_gpu![a_kernel_computes_what_it_says];

as_ptx![a_kernel_computes_what_it_says,];

const GROUP: usize = 64;

/// Every element becomes its square plus a constant.
const SQUARES: &str = "
KERNEL squares(GLOBAL u64* RESTRICT to, GLOBAL const u32* RESTRICT from, u32 count, u64 plus) {
  SHARED_TILE(u32, tile, GROUP);
  u32 i = BLOCK * GROUP + THREAD;
  tile[THREAD] = i < count ? from[i] : 0u;
  BARRIER();
  if (i < count) to[i] = mulwide32(tile[THREAD], tile[THREAD]) + plus + ADDEND;
}
";

fn source(addend: u64) -> Source<'static> {
    Source::new("squares", GROUP)
        .define_u64("ADDEND", addend)
        .part(SQUARES)
}

/// Runs the program on some numbers and compares.
fn check_squares(device: &Device, count: usize, addend: u64) -> Result<(), GpuError> {
    let kernel = device.program(&source(addend))?.kernel("squares")?;
    let stream = device.stream()?;
    let mut random = Random::new(count as u64);
    let numbers: Vec<u32> = (0..count).map(|_| random.word() as u32).collect();
    let mut from = device.buffer::<u32>(count)?;
    let mut to = device.buffer::<u64>(count)?;
    stream.write(&mut from, &numbers)?;
    let launch = Launch {
        groups: [count.div_ceil(GROUP), 1, 1],
        threads: [GROUP, 1, 1],
        shared_bytes: 4 * GROUP,
    };
    let arguments = [
        (&mut to).into(),
        (&from).into(),
        Argument::U32(count as u32),
        Argument::U64(7),
    ];
    // SAFETY: the arguments are those of the kernel, which checks the count.
    unsafe { stream.launch_unchecked(&kernel, launch, &arguments)? };
    let mut squares = vec![0; count];
    stream.read(&to, &mut squares)?;
    for (&square, &number) in squares.iter().zip(&numbers) {
        let expected = u64::from(number)
            .pow(2)
            .wrapping_add(7)
            .wrapping_add(addend);
        assert_eq!(square, expected, "{number}");
    }
    Ok(())
}

fn a_kernel_computes_what_it_says(place: Place) {
    let Some(device) = place.device() else { return };
    for count in [0, 1, 63, 64, 65, 1000, 100_000] {
        check_squares(&device, count, 1 << 63).unwrap();
    }
    assert_eq!(device.memory_used(), 0, "what was dropped is free again");
    assert_eq!(device.take_warnings(), [""; 0]);
}

fn a_program_that_does_not_compile_comes_with_the_log(place: Place) {
    let Some(device) = place.device() else { return };
    let wrong =
        Source::new("wrong", GROUP).part("KERNEL wrong(GLOBAL u32* x) { x[0] = undeclared_name; }");
    let error = device.program(&wrong).unwrap_err();
    assert!(matches!(error, GpuError::Compile { .. }), "{error:?}");
    assert!(error.to_string().contains("undeclared_name"), "{error}");
    // And the device is none the worse for it.
    check_squares(&device, 100, 5).unwrap();
}

fn a_kernel_that_is_not_there_is_an_error(place: Place) {
    let Some(device) = place.device() else { return };
    let program = device.program(&source(0)).unwrap();
    assert!(program.kernel("cubes").is_err());
    assert!(matches!(program.kernel("a\0b"), Err(GpuError::Shape(_))));
}

fn a_launch_beyond_the_limits_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let kernel = device
        .program(&source(0))
        .unwrap()
        .kernel("squares")
        .unwrap();
    let stream = device.stream().unwrap();
    for (groups, threads, shared_bytes) in [
        ([1; 3], [device.info().group_threads + 1, 1, 1], 0),
        ([1; 3], [device.info().group_threads, 1, 2], 0),
        ([1; 3], [usize::MAX, usize::MAX, 2], 0),
        ([1; 3], [GROUP, 0, 1], 0),
        ([1; 3], [GROUP, 1, 1], device.info().shared_memory + 1),
        ([1, 1 << 31, 1], [GROUP, 1, 1], 0),
    ] {
        let launch = Launch {
            groups,
            threads,
            shared_bytes,
        };
        // SAFETY: it is refused before anything runs.
        let refused = unsafe { stream.launch_unchecked(&kernel, launch, &[]) };
        assert!(
            matches!(&refused, Err(GpuError::Limits { kernel, .. }) if kernel == "squares"),
            "{refused:?}"
        );
    }
}

fn copies_reach_every_place_and_none_beyond(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let mut buffer = device.buffer::<u32>(10).unwrap();
    let mut other = device.buffer::<u32>(4).unwrap();
    stream.write(&mut buffer, &[1; 10]).unwrap();
    stream.write_at(&mut buffer, 8, &[2, 3]).unwrap();
    stream.clear(&mut buffer, 1, 2).unwrap();
    stream.copy((&buffer, 7), (&mut other, 1), 3).unwrap();
    stream.write_at(&mut other, 0, &[9]).unwrap();
    stream.write_at(&mut other, 4, &[]).unwrap();
    let (mut all, mut four) = ([0; 10], [0; 4]);
    stream.read(&buffer, &mut all).unwrap();
    stream.read(&other, &mut four).unwrap();
    assert_eq!(all, [1, 0, 0, 1, 1, 1, 1, 1, 2, 3]);
    assert_eq!(four, [9, 1, 2, 3]);
    for refused in [
        stream.write_at(&mut buffer, 9, &[1, 2]),
        stream.write_at(&mut buffer, usize::MAX, &[1]),
        stream.read_at(&buffer, 1, &mut all),
        stream.clear(&mut buffer, 11, 0),
        stream.copy((&buffer, 0), (&mut other, 0), 5),
    ] {
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}

fn what_belongs_to_another_open_device_is_refused(place: Place) {
    let (Some(device), Some(other)) = (place.device(), place.device()) else {
        return;
    };
    let (stream, elsewhere) = (device.stream().unwrap(), other.stream().unwrap());
    let mut buffer = other.filled(&elsewhere, &[1u32; 4]).unwrap();
    let mut here = device.buffer::<u32>(4).unwrap();
    let mut staging = other.staging::<u32>(4).unwrap();
    let event = elsewhere.record().unwrap();
    let kernel = other
        .program(&source(0))
        .unwrap()
        .kernel("squares")
        .unwrap();
    let launch = Launch {
        groups: [1; 3],
        threads: [GROUP, 1, 1],
        shared_bytes: 0,
    };
    for refused in [
        stream.write(&mut buffer, &[2]),
        stream.read(&buffer, &mut [0; 4]),
        stream.clear(&mut buffer, 0, 1),
        stream.copy((&buffer, 0), (&mut here, 0), 1),
        stream.upload(&mut here, 0, &mut staging, 1),
        stream.wait_on(&event),
        stream.record().unwrap().since(&event).map(|_| ()),
        // SAFETY: it is refused before anything runs.
        unsafe { stream.launch_unchecked(&kernel, launch, &[]) },
    ] {
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}

fn staging_waits_for_its_copies(place: Place) {
    let Some(device) = place.device() else { return };
    let (there, back) = (device.timed_stream().unwrap(), device.stream().unwrap());
    let count = 1 << 16;
    let mut buffer = device.buffer::<u64>(count).unwrap();
    let mut from = device.staging::<u64>(count).unwrap();
    let mut to = device.staging::<u64>(count).unwrap();
    let start = there.record().unwrap();
    for round in 0..5 {
        for (index, value) in from.get_mut().unwrap().iter_mut().enumerate() {
            *value = index as u64 * round;
        }
        there.upload(&mut buffer, 0, &mut from, count).unwrap();
        let written = there.record().unwrap();
        back.wait_on(&written).unwrap();
        back.download(&buffer, 0, &mut to, count).unwrap();
        there.wait_on(&back.record().unwrap()).unwrap();
        let right = (0..)
            .zip(to.get().unwrap())
            .all(|(index, &value)| value == index * round);
        assert!(right, "round {round}");
    }
    let end = there.record().unwrap();
    assert!(end.since(&start).unwrap().as_nanos() > 0);
    let untimed = back.record().unwrap().since(&start);
    assert!(matches!(untimed, Err(GpuError::Shape(_))), "{untimed:?}");
    assert!(there.upload(&mut buffer, 1, &mut from, count).is_err());
    assert!(back.download(&buffer, 0, &mut to, count + 1).is_err());
}

fn too_little_memory_is_an_error_that_says_how_much_there_was(place: Place) {
    let options = DeviceOptions {
        memory_limit: Some(64 << 20),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let first = device.buffer::<u8>(40 << 20).unwrap();
    let error = device.buffer::<u64>(4 << 20).unwrap_err();
    assert!(
        matches!(error, GpuError::OutOfMemory { wanted, free, .. } if wanted == 32 << 20 && free == 24 << 20)
    );
    drop(first);
    let again = device.buffer::<u64>(4 << 20).unwrap();
    assert_eq!(device.memory_free(), 32 << 20);
    drop(again);
    assert!(matches!(
        device.buffer::<u64>(usize::MAX),
        Err(GpuError::Shape(_))
    ));
    assert!(device.buffer::<u64>(usize::MAX / 16).is_err());
}

/// A device that keeps its kernels in a folder.
fn device_with_cache(place: Place, folder: &Path) -> Option<Device> {
    let options = DeviceOptions {
        cache: CacheFolder::At(folder.to_owned()),
        ..DeviceOptions::default()
    };
    place.device_with(&options)
}

/// PoCL keeps compiled programs itself; those of all other runtimes are kept in the folder.
fn keeps_programs_itself(device: &Device) -> bool {
    device.info().driver.contains("PoCL")
}

fn compiled_programs_are_kept_and_rebuilt_when_damaged(place: Place) {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("kernels");
    let Some(device) = device_with_cache(place, &cache) else {
        return;
    };
    check_squares(&device, 100, 1).unwrap();
    if keeps_programs_itself(&device) {
        assert!(!cache.exists());
        return;
    }
    let files: Vec<_> = fs::read_dir(&cache)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let [file] = &files[..] else {
        panic!("one file, not {files:?}")
    };
    let whole = fs::read(file).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() - 100] ^= 1;
    for damaged in [
        &[][..],
        &whole[..20],
        &whole[..whole.len() - 1],
        &flipped,
        b"something else entirely",
    ] {
        fs::write(file, damaged).unwrap();
        let device = device_with_cache(place, &cache).unwrap();
        check_squares(&device, 100, 1).unwrap();
        assert!(fs::read(file).unwrap().len() > 100, "it is whole again");
        assert_eq!(device.take_warnings(), [""; 0]);
    }
    // Other constants are another program.
    check_squares(&device, 100, 2).unwrap();
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 2);
}

fn a_cache_that_cannot_be_written_is_told_once(place: Place) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    fs::write(&file, "not a folder").unwrap();
    let Some(device) = device_with_cache(place, &file) else {
        return;
    };
    check_squares(&device, 100, 1).unwrap();
    check_squares(&device, 100, 2).unwrap();
    let warnings = device.take_warnings();
    if keeps_programs_itself(&device) {
        assert_eq!(warnings, [""; 0]);
        return;
    }
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("a-file") && warnings[0].contains("SUNZI_GPU_CACHE"),
        "{warnings:?}"
    );
}

#[test]
fn a_device_that_is_not_there_is_an_error_that_says_what_is() {
    let error = Device::open(Selection::Of(Backend::OpenCl, Some(1000))).unwrap_err();
    assert!(
        matches!(&error, GpuError::NoDevice { wanted, .. } if wanted == "opencl:1000"),
        "{error}"
    );
    let nothing = Discovery {
        devices: Vec::new(),
        absent: vec![(Backend::OpenCl, "hidden".to_owned())],
        unusable: Vec::new(),
    };
    let error = nothing.select(Selection::Any).unwrap_err().to_string();
    assert!(error.contains("no device by OpenCL: hidden"), "{error}");
    // Who names an interface is told of that one alone.
    let none = Discovery {
        absent: vec![
            (Backend::Cuda, "no driver".to_owned()),
            (Backend::OpenCl, "hidden".to_owned()),
        ],
        ..nothing
    };
    let error = none.select(Selection::Of(Backend::Cuda, None)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no device for `cuda`: no device by CUDA: no driver"
    );
}

#[test]
fn what_is_found_has_limits_that_make_sense() {
    for device in discover().devices {
        assert!(
            !device.name.is_empty() && device.units > 0 && device.group_threads > 0,
            "{device:?}"
        );
        assert!(
            device.largest_buffer <= device.memory && device.shared_memory >= 16 << 10,
            "{device:?}"
        );
    }
}
