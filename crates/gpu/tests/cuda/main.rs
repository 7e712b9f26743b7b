//! What the CUDA backend does when the driver fails: every call of it, one after the other, on the stand-in.
//!
//! A program of its own, since failures are ordered for a process. The answer is right or an error, whatever fails; and
//! nothing is left on the device, nor of the backend in the thread.

mod launches;
mod work;

use rug::Integer;
use rug::integer::Order;
use std::ffi::c_void;
use std::process::Command;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use sunzi_device::{
    Backend, CacheFolder, Device, DeviceOptions, Discovery, GpuError, Selection, Source, Stream,
    discover,
};
use sunzi_gpu::Word;
use sunzi_gpu::products::{Operand, PolynomialMultiplier, ProductForm};
use sunzi_gpu::schoolbook::{SchoolbookContext, SchoolbookPlan};
use sunzi_testkit::streams::{COUNT, add, kernel, use_memory_in_turn};
use sunzi_testkit::{CudaStandIn, LoadedStandIn, Random, required_or_skipped};

/// The driver's codes.
const OUT_OF_MEMORY: u32 = 2;
const COMPILATION: u32 = 6;
const ILLEGAL_ADDRESS: u32 = 700;
const LAUNCH_FAILED: u32 = 719;
const SYSTEM_NOT_READY: u32 = 802;

/// The stand-in, for one test at a time.
struct Scene {
    stand_in: LoadedStandIn,
    options: DeviceOptions,
    _alone: MutexGuard<'static, ()>,
}

impl Scene {
    /// `None` after a word on why there is no stand-in.
    fn new() -> Option<Self> {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let built = required_or_skipped(CudaStandIn::build())?;
        let stand_in = required_or_skipped(built.load())?;
        stand_in.reset();
        Some(Self {
            stand_in,
            options: DeviceOptions {
                cache: CacheFolder::None,
                compiler: Some(built.compiler()),
                ..DeviceOptions::default()
            },
            _alone: alone,
        })
    }

    fn open(&self) -> Result<Device, GpuError> {
        Device::open_with(Selection::Of(Backend::Cuda, None), &self.options)
    }

    /// Opens a device and computes there; the product is right or there is none.
    fn compute(&self) -> Result<(), GpuError> {
        let device = self.open()?;
        let computed = product(&device);
        assert_eq!(device.memory_used(), 0, "all memory is given back");
        computed
    }

    /// Fails if anything went against the driver's rules.
    fn nothing_seen(&self) {
        assert_eq!(self.stand_in.violations(), [""; 0]);
    }
}

/// A product by transforms, which must be right.
fn product(device: &Device) -> Result<(), GpuError> {
    let mut random = Random::new(3);
    let mut words = || -> Vec<u32> { (0..20).map(|_| random.word() as u32).collect() };
    let (a, b) = (words(), words());
    let mut found = None;
    PolynomialMultiplier::new(device).multiply(
        &ProductForm::INTEGERS,
        &[[Operand::new(&a, 1), Operand::new(&b, 1)]],
        |_, words| found = Some(Integer::from_digits(words, Order::Lsf)),
    )?;
    let [a, b] = [a, b].map(|words| Integer::from_digits(&words, Order::Lsf));
    assert!(found == Some(a * b), "a wrong product");
    Ok(())
}

#[test]
fn every_call_may_be_the_last_of_a_device() {
    let Some(scene) = Scene::new() else { return };
    scene.stand_in.reset();
    scene.compute().unwrap();
    let calls = scene.stand_in.calls();
    assert!(calls > 50, "{calls}");
    scene.nothing_seen();
    for (code, step) in [(LAUNCH_FAILED, 1), (ILLEGAL_ADDRESS, 7)] {
        for call in (1..=calls).step_by(step) {
            scene.stand_in.fail(&format!("*:{call}={code}"));
            match scene.compute() {
                // It was among the last calls, which free what there is.
                Ok(()) => assert!(2 * call > calls, "{call} of {calls}"),
                Err(GpuError::NoDevice { found, .. }) => assert!(!found.is_empty()),
                Err(error) => {
                    assert!(
                        matches!(error, GpuError::DeviceLost { .. }),
                        "{call}: {error:?}"
                    );
                    assert!(error.to_string().contains("started again"), "{error}");
                }
            }
            scene.nothing_seen();
            scene.stand_in.reset();
        }
    }
    // And the next device is as good as new.
    scene.compute().unwrap();
    scene.nothing_seen();
}

#[test]
fn every_call_may_fail_once() {
    let Some(scene) = Scene::new() else { return };
    scene.stand_in.reset();
    scene.compute().unwrap();
    let calls = scene.stand_in.calls();
    for call in 1..=calls {
        scene.stand_in.fail(&format!("*:{call}={SYSTEM_NOT_READY}"));
        if let Err(error) = scene.compute() {
            // The compiler's call of that number fails too.
            let told = match &error {
                GpuError::Driver { code, .. } => code.contains("802"),
                GpuError::Compile { log, .. } => log.contains("NVRTC_ERROR_UNKNOWN"),
                GpuError::NoCompiler { .. } | GpuError::NoDevice { .. } => true,
                _ => false,
            };
            assert!(told, "{call}: {error:?}");
        }
        scene.stand_in.reset();
    }
    scene.compute().unwrap();
    scene.nothing_seen();
}

#[test]
fn every_piece_of_memory_may_be_missing() {
    let Some(scene) = Scene::new() else { return };
    for function in ["cuMemAllocFromPoolAsync", "cuMemHostAlloc"] {
        let mut refused = 0;
        loop {
            // What a pool keeps is given back, and then it is tried once more.
            let (first, again) = (refused + 1, refused + 2);
            let rule =
                format!("{function}:{first}={OUT_OF_MEMORY},{function}:{again}={OUT_OF_MEMORY}");
            scene.stand_in.fail(&rule);
            let computed = scene.compute();
            scene.nothing_seen();
            match computed {
                Ok(()) => break,
                Err(error) => {
                    assert!(
                        matches!(error, GpuError::OutOfMemory { .. }),
                        "{rule}: {error:?}"
                    );
                    assert!(error.to_string().contains("too little memory"), "{error}");
                }
            }
            refused += 1;
        }
        assert!(refused > 0, "{function} is never called");
    }
}

#[test]
fn memory_that_is_short_is_reclaimed_and_asked_for_again() {
    let Some(scene) = Scene::new() else { return };
    let with = |rules: &str| {
        scene.stand_in.reset();
        scene.stand_in.fail(rules);
        let used = scene.open().and_then(|device| use_memory_in_turn(&device));
        scene.nothing_seen();
        used
    };
    with("cuMemAllocFromPoolAsync:3=2").unwrap();
    let refused = with("cuMemAllocFromPoolAsync:3=2,cuMemAllocFromPoolAsync:4=2").unwrap_err();
    assert!(
        matches!(refused, GpuError::OutOfMemory { .. }),
        "{refused:?}"
    );
    // A device that has no pool, by what it says and by what it does.
    with("cuMemPoolCreate:1=801").unwrap();
    with("cuMemPoolSetAttribute:2=801").unwrap();
    // Without an order of streams, the host waits: when the stream is gone, and when the memory is. The first three
    // waits are the test's own.
    with("cuStreamWaitEvent:4=999").unwrap();
    with("cuStreamWaitEvent:5=999").unwrap();
}

#[test]
fn buffers_that_are_freed_together_are_put_in_order_once() {
    let Some(scene) = Scene::new() else { return };
    let device = scene.open().unwrap();
    let streams = [device.stream().unwrap(), device.stream().unwrap()];
    let mut buffers: Vec<_> = (0..4).map(|_| device.buffer::<u32>(8).unwrap()).collect();
    let mut calls_of_a_free = |stream: &Stream, writes: bool| {
        let mut buffer = buffers.pop().unwrap();
        if writes {
            stream.write(&mut buffer, &[7; 8]).unwrap();
        }
        scene.stand_in.reset();
        drop(buffer);
        scene.stand_in.calls()
    };
    let first = calls_of_a_free(&streams[0], true);
    let next = calls_of_a_free(&streams[0], false);
    let after_the_other = calls_of_a_free(&streams[1], true);
    let last = calls_of_a_free(&streams[1], false);
    // A point of each stream is recorded and waited for.
    let following = 2 * streams.len() as u64;
    assert_eq!([first, after_the_other], [next + following; 2]);
    assert_eq!(next, last);
    drop((streams, device));
    scene.nothing_seen();
}

#[test]
fn order_costs_calls_only_where_a_stream_meets_anothers_work() {
    let Some(scene) = Scene::new() else { return };
    let device = scene.open().unwrap();
    let kernel = kernel(&device, 0).unwrap();
    let streams = [(); 2].map(|()| device.stream().unwrap());
    let buffer = device.filled(&streams[0], &[0u32; COUNT]).unwrap();
    let calls_of_a_launch = |stream: usize| {
        scene.stand_in.reset();
        add(&streams[stream], &kernel, (&buffer).into(), 1).unwrap();
        scene.stand_in.calls()
    };
    let own = calls_of_a_launch(0);
    // An event is made, recorded and waited for.
    for (stream, more) in [(0, 0), (1, 3), (1, 0), (0, 3), (0, 0)] {
        assert_eq!(calls_of_a_launch(stream), own + more, "on stream {stream}");
    }
    let mut found = [0; COUNT];
    streams[1].read(&buffer, &mut found).unwrap();
    assert_eq!(found, [6; COUNT]);
    // The host has seen all of it done.
    assert_eq!(calls_of_a_launch(0), own);
    drop((buffer, kernel, streams, device));
    scene.nothing_seen();
}

#[test]
fn a_driver_that_knows_of_no_pools_serves_as_well() {
    // A process finds one driver: another one is for a process of its own, which runs this test again.
    const OTHER_PROCESS: &str = "SUNZI_TEST_OLD_DRIVER";
    if std::env::var_os(OTHER_PROCESS).is_some() {
        let options = DeviceOptions::from_env().unwrap();
        let device = Device::open_with(Selection::Of(Backend::Cuda, None), &options).unwrap();
        return use_memory_in_turn(&device).unwrap();
    }
    let Some(stand_in) = required_or_skipped(CudaStandIn::build()) else {
        return;
    };
    let mut command = Command::new(std::env::current_exe().unwrap());
    let name = "a_driver_that_knows_of_no_pools_serves_as_well";
    command.args(["--exact", name, "--nocapture"]);
    let output = stand_in.lend_old(command.env(OTHER_PROCESS, "1")).output();
    let output = output.unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let passed = output.status.success() && said.contains("1 passed");
    assert!(passed && !said.contains("violation"), "{said}");
}

#[test]
fn a_compiler_that_fails_or_is_missing_is_told() {
    let Some(mut scene) = Scene::new() else {
        return;
    };
    // The first program is the one that a compiler is tried by.
    scene
        .stand_in
        .fail(&format!("nvrtcCompileProgram:1={COMPILATION}"));
    let error = scene.open().unwrap_err();
    assert!(matches!(error, GpuError::NoCompiler { .. }), "{error:?}");
    assert!(
        error.to_string().contains("NVRTC_ERROR_COMPILATION"),
        "{error}"
    );
    scene
        .stand_in
        .fail(&format!("nvrtcCompileProgram:2={COMPILATION}"));
    let error = scene.compute().unwrap_err();
    assert!(matches!(error, GpuError::Compile { .. }), "{error:?}");
    scene.stand_in.reset();
    scene.options.compiler = Some("/no-such-folder/libnvrtc.so.12".into());
    let error = scene.open().unwrap_err();
    assert!(matches!(error, GpuError::NoCompiler { .. }), "{error:?}");
    let said = error.to_string();
    for part in ["/no-such-folder", "install", "--device opencl"] {
        assert!(said.contains(part), "{said}");
    }
    // Whoever leaves the choice to us gets what else there is.
    if let Ok(device) = Device::open_with(Selection::Any, &scene.options) {
        assert_eq!(device.info().backend, Backend::OpenCl);
        let warnings = device.take_warnings();
        assert!(
            warnings.len() == 1
                && warnings[0].starts_with(&device.info().name)
                && warnings[0].contains("/no-such-folder"),
            "{warnings:?}"
        );
    }
    scene.nothing_seen();
}

#[test]
fn another_librarys_context_stays_current() {
    let Some(scene) = Scene::new() else { return };
    type Create = unsafe extern "C" fn(*mut *mut c_void, u32, i32) -> u32;
    type Current = unsafe extern "C" fn(*mut *mut c_void) -> u32;
    let (mut theirs, mut now) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the types are those of the driver's documentation, and the pointers are to live variables.
    unsafe {
        assert_eq!(
            scene.stand_in.function::<Create>("cuCtxCreate_v2")(&mut theirs, 0, 0),
            0
        );
    }
    scene.compute().unwrap();
    // SAFETY: likewise.
    unsafe {
        assert_eq!(
            scene.stand_in.function::<Current>("cuCtxGetCurrent")(&mut now),
            0
        );
    }
    assert_eq!(now, theirs);
    scene.nothing_seen();
}

#[test]
fn a_driver_that_does_not_start_is_a_reason() {
    let Some(scene) = Scene::new() else { return };
    for (rule, said, there) in [
        ("cuInit:1=100", "finds no GPU", false),
        ("cuInit:1=34", "toolkit's stub", true),
        ("cuInit:1=999", "does not start", true),
        ("cuDeviceGetCount:1=3", "does not list its devices", true),
    ] {
        scene.stand_in.fail(rule);
        let found = discover();
        let Discovery {
            devices,
            absent,
            unusable,
        } = &found;
        assert_eq!(unusable.contains(&Backend::Cuda), there, "{rule}");
        let refused = found.select(Selection::Of(Backend::Cuda, None));
        assert!(
            matches!(&refused, Err(GpuError::NoDevice { unusable, .. }) if *unusable == there),
            "{rule}: {refused:?}"
        );
        assert!(devices.iter().all(|device| device.backend != Backend::Cuda));
        let reason = absent.iter().find(|(backend, _)| *backend == Backend::Cuda);
        assert!(
            reason.is_some_and(|(_, reason)| reason.contains(said)),
            "{absent:?}"
        );
    }
    // What does not tell its memory has as much as the device says.
    scene.stand_in.fail("cuMemGetInfo_v2:1=1");
    let device = scene.open().unwrap();
    assert_eq!(device.memory_limit(), device.info().memory);
    drop(device);
    scene.nothing_seen();
}

#[test]
fn a_kernel_that_reads_memory_nobody_wrote_gives_poison() {
    let Some(scene) = Scene::new() else { return };
    let device = scene.open().unwrap();
    let stream = device.stream().unwrap();
    let program = Source::new("copy", 64)
        .part("KERNEL copy(GLOBAL u32* to, GLOBAL const u32* from) { to[THREAD] = from[THREAD]; }");
    let kernel = device.program(&program).unwrap().kernel("copy").unwrap();
    let (to, from) = (
        device.buffer::<u32>(64).unwrap(),
        device.buffer::<u32>(64).unwrap(),
    );
    let launch = sunzi_device::Launch {
        groups: [1, 1, 1],
        threads: [64, 1, 1],
        shared_bytes: 0,
    };
    // SAFETY: the arguments are those of the kernel, which stays inside both buffers.
    unsafe {
        stream
            .launch_unchecked(&kernel, launch, &[(&to).into(), (&from).into()])
            .unwrap()
    };
    let mut words = [0; 64];
    stream.read(&to, &mut words).unwrap();
    assert_eq!(words, [0xa5a5_a5a5; 64]);
    // One argument too few is the driver's to refuse.
    // SAFETY: it is refused before anything runs.
    let refused = unsafe { stream.launch_unchecked(&kernel, launch, &[(&to).into()]) };
    assert!(
        matches!(refused, Err(GpuError::Driver { .. })),
        "{refused:?}"
    );
    let seen = scene.stand_in.violations();
    assert!(
        seen.len() == 1 && seen[0].contains("its 2 parameters take 16 bytes"),
        "{seen:?}"
    );
    scene.stand_in.reset();
}

#[test]
fn a_product_that_fails_halfway_leaves_its_memory_to_the_next() {
    let Some(scene) = Scene::new() else { return };
    let device = scene.open().unwrap();
    let [first, second] = [(); 2].map(|()| device.stream().unwrap());
    let plan = SchoolbookPlan {
        threads: 64,
        rows: 16,
    };
    let context = SchoolbookContext::with_plan(&device, Word::U32, 101, 40, 40, 1, plan).unwrap();
    let (a, b) = (
        device.filled(&first, &[1; 40]).unwrap(),
        device.filled(&first, &[2; 40]).unwrap(),
    );
    let mut products = [(); 2].map(|()| device.buffer(79).unwrap());
    let [of_first, of_second] = &mut products;
    // The parts are computed, but neither added nor is there an event after them.
    scene
        .stand_in
        .fail(&format!("cuLaunchKernel:2={SYSTEM_NOT_READY}"));
    let failed = context.multiply(&first, (&a, 0), (&b, 0), (of_first, 0), 1, false);
    assert!(matches!(failed, Err(GpuError::Driver { .. })), "{failed:?}");
    context
        .multiply(&second, (&a, 0), (&b, 0), (of_second, 0), 1, false)
        .unwrap();
    let mut found = vec![0; 79];
    second.read(of_second, &mut found).unwrap();
    let expected: Vec<u32> = (0..79)
        .map(|i: u32| 2 * (i + 1).min(79 - i) % 101)
        .collect();
    assert_eq!(found, expected);
    scene.nothing_seen();
}
