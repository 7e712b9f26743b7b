//! What the layer adds to a launch, before drivers that do nothing: nanoseconds of four `clSetKernelArg` and one `clEnqueueNDRangeKernel`,
//! and of one `cuLaunchKernel`, with the layer and without, in processor time. The library is built before: `cargo build --release -p sunzi-layer`. The
//! driver of CUDA is compiled by `cc`.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

use sunzi_tune::live::RunPlan;
use sunzi_tune::{AnchoredModel, Constants, Description, Device, Sample};

/// Launches of a pass, and passes, whose median counts.
const LAUNCHES: u32 = 200_000;
const PASSES: usize = 9;
/// Functions in the table of the loader.
const FUNCTIONS: usize = 149;
/// Places in it, and numbers of queries.
const DEVICE_INFO: usize = 3;
const QUEUE_INFO: usize = 12;
const PROGRAM_INFO: usize = 32;
const BUILD_INFO: usize = 33;
const CREATE_KERNEL: usize = 34;
const SET_ARGUMENT: usize = 38;
const KERNEL_INFO: usize = 39;
const GROUP_INFO: usize = 40;
const EVENT_INFO: usize = 42;
const RELEASE_EVENT: usize = 44;
const PROFILING_INFO: usize = 45;
const FINISH: usize = 47;
const LAUNCH: usize = 59;

/// Handles: numbers that are no addresses.
const HANDLE: *mut c_void = 0x1000 as *mut c_void;

type SetArgument = unsafe extern "C" fn(*mut c_void, u32, usize, *const c_void) -> i32;
type Launch = unsafe extern "C" fn(
    *mut c_void,
    *mut c_void,
    u32,
    *const usize,
    *const usize,
    *const usize,
    u32,
    *const *mut c_void,
    *mut *mut c_void,
) -> i32;

/// Writes a value of a query.
unsafe fn tell(bytes: &[u8], room: usize, value: *mut c_void, size: *mut usize) -> i32 {
    // SAFETY: as callers of queries promise.
    unsafe {
        if !size.is_null() {
            *size = bytes.len();
        }
        if !value.is_null() {
            ptr::copy_nonoverlapping(bytes.as_ptr(), value.cast(), bytes.len().min(room));
        }
    }
    0
}

unsafe extern "C" fn info(
    _: *mut c_void,
    what: u32,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> i32 {
    let word = |word: usize| word.to_ne_bytes();
    // SAFETY: as the driver's queries are called.
    unsafe {
        match what {
            // Names and versions.
            0x102B | 0x102D | 0x102F | 0x1190 | 0x1164 => tell(b"nothing\0", room, value, size),
            // Sides of groups.
            0x1005 => tell(&[word(1024); 3].concat(), room, value, size),
            0x1004 => tell(&word(1024), room, value, size),
            // Arguments of the kernel.
            0x1191 => tell(&word(4), room, value, size),
            // The status of events.
            0x11D3 => tell(&word(0), room, value, size),
            _ => tell(&word(HANDLE as usize), room, value, size),
        }
    }
}

unsafe extern "C" fn info_of_two(
    _: *mut c_void,
    _: *mut c_void,
    what: u32,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> i32 {
    // SAFETY: as the driver's queries are called.
    unsafe {
        match what {
            0x11B0 => tell(&1024_usize.to_ne_bytes(), room, value, size),
            // No block that the kernel was compiled for.
            0x11B1 => tell(&[0; 24], room, value, size),
            _ => tell(b"\0", room, value, size),
        }
    }
}

unsafe extern "C" fn create_kernel(_: *mut c_void, _: *const c_char, _: *mut i32) -> *mut c_void {
    HANDLE
}

unsafe extern "C" fn set_argument(_: *mut c_void, _: u32, _: usize, value: *const c_void) -> i32 {
    std::hint::black_box(value);
    0
}

unsafe extern "C" fn of_handle(_: *mut c_void) -> i32 {
    0
}

unsafe extern "C" fn launch(
    _: *mut c_void,
    _: *mut c_void,
    _: u32,
    _: *const usize,
    _: *const usize,
    block: *const usize,
    _: u32,
    _: *const *mut c_void,
    event: *mut *mut c_void,
) -> i32 {
    std::hint::black_box(block);
    if !event.is_null() {
        // SAFETY: there is a place for it.
        unsafe { *event = HANDLE };
    }
    0
}

fn table() -> Vec<*const c_void> {
    let mut table = vec![ptr::null(); FUNCTIONS];
    for place in [
        DEVICE_INFO,
        QUEUE_INFO,
        PROGRAM_INFO,
        KERNEL_INFO,
        EVENT_INFO,
        PROFILING_INFO,
    ] {
        table[place] = info as *const c_void;
    }
    for place in [BUILD_INFO, GROUP_INFO] {
        table[place] = info_of_two as *const c_void;
    }
    for place in [RELEASE_EVENT, FINISH] {
        table[place] = of_handle as *const c_void;
    }
    table[CREATE_KERNEL] = create_kernel as *const c_void;
    table[SET_ARGUMENT] = set_argument as *const c_void;
    table[LAUNCH] = launch as *const c_void;
    table
}

/// Loads a library.
fn open(library: &Path) -> Result<*mut c_void, Box<dyn Error>> {
    let name = CString::new(library.as_os_str().as_encoded_bytes())?;
    // SAFETY: the libraries that are loaded here do nothing then.
    unsafe {
        let library = libc::dlopen(name.as_ptr(), libc::RTLD_NOW);
        match library.is_null() {
            true => Err(CStr::from_ptr(libc::dlerror()).to_string_lossy().into()),
            false => Ok(library),
        }
    }
}

/// The layer's table before that of the driver.
fn with_layer(
    library: &Path,
    target: &[*const c_void],
) -> Result<Vec<*const c_void>, Box<dyn Error>> {
    type Init =
        unsafe extern "C" fn(u32, *const *const c_void, *mut u32, *mut *const *const c_void) -> i32;
    let (mut length, mut new) = (0, ptr::null());
    // SAFETY: the library is the layer, whose function has this type; its table stays.
    unsafe {
        let library = open(library)?;
        let init = libc::dlsym(library, c"clInitLayer".as_ptr());
        let init = std::mem::transmute::<*mut c_void, Init>(init);
        init(
            target.len() as u32,
            target.as_ptr(),
            &raw mut length,
            &raw mut new,
        );
        Ok(std::slice::from_raw_parts(new, length as usize).to_vec())
    }
}

/// Nanoseconds of processor time of this thread: others that have the processor do not count.
fn processor_time() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: it writes a time.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Nanoseconds of a launch and its arguments: the median of all passes.
fn measure(table: &[*const c_void]) -> f64 {
    type CreateKernel = unsafe extern "C" fn(*mut c_void, *const c_char, *mut i32) -> *mut c_void;
    type OfHandle = unsafe extern "C" fn(*mut c_void) -> i32;
    let [buffer, n] = [HANDLE as usize, 4096];
    let (threads, block) = ([4096_usize], [32_usize]);
    let mut times: Vec<f64> = (0..PASSES)
        .map(|_| {
            // SAFETY: the functions have these types, and the values are theirs.
            unsafe {
                let create =
                    std::mem::transmute::<*const c_void, CreateKernel>(table[CREATE_KERNEL]);
                let set = std::mem::transmute::<*const c_void, SetArgument>(table[SET_ARGUMENT]);
                let launch = std::mem::transmute::<*const c_void, Launch>(table[LAUNCH]);
                let finish = std::mem::transmute::<*const c_void, OfHandle>(table[FINISH]);
                let kernel = create(HANDLE, c"nothing".as_ptr(), ptr::null_mut());
                let start = processor_time();
                for index in 0..LAUNCHES {
                    for place in 0..2 {
                        set(kernel, place, 8, (&raw const buffer).cast());
                    }
                    set(kernel, 2, 8, (&raw const n).cast());
                    set(kernel, 3, 4, (&raw const index).cast());
                    launch(
                        HANDLE,
                        kernel,
                        1,
                        ptr::null(),
                        threads.as_ptr(),
                        block.as_ptr(),
                        0,
                        ptr::null(),
                        ptr::null_mut(),
                    );
                    if index % 64 == 0 {
                        finish(HANDLE);
                    }
                }
                (processor_time() - start) / f64::from(LAUNCHES)
            }
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[PASSES / 2]
}

/// A driver of CUDA that does nothing.
const CUDA: &str = "
#include <stddef.h>
#include <string.h>
int cuCtxGetDevice(int *d) { return *d = 0; }
int cuDeviceGetName(char *name, int room, int d) { strncpy(name, \"nothing\", room); return 0; }
int cuDeviceGetAttribute(int *value, int what, int d) { *value = 1024; return 0; }
int cuDriverGetVersion(int *version) { *version = 12090; return 0; }
int cuFuncGetAttribute(int *value, int what, void *f) { *value = 1024; return 0; }
int cuFuncGetParamInfo(void *f, size_t index, size_t *offset, size_t *size) { return index < 4 ? (*offset = 8 * index, *size = 8, 0) : 1; }
int cuModuleGetFunction(void **f, void *module, const char *name) { *f = module; return 0; }
int cuStreamIsCapturing(void *stream, int *status) { return *status = 0; }
int cuEventCreate(void **event, unsigned flags) { *event = event; return 0; }
int cuEventElapsedTime(float *time, void *from, void *to) { *time = 1; return 0; }
int cuLaunchKernel(void *f, unsigned x, unsigned y, unsigned z, unsigned a, unsigned b, unsigned c, unsigned shared, void *stream,
                   void **values, void **extra) { return 0; }
#define NOTHING(name) int name(void) { return 0; }
NOTHING(cuMemAlloc_v2) NOTHING(cuMemFree_v2) NOTHING(cuMemcpyDtoDAsync_v2) NOTHING(cuMemcpyDtoHAsync_v2) NOTHING(cuStreamCreate)
NOTHING(cuStreamDestroy_v2) NOTHING(cuStreamSynchronize) NOTHING(cuEventRecord) NOTHING(cuEventQuery) NOTHING(cuEventDestroy_v2)
";

type Find = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// Nanoseconds of a launch of CUDA, with the functions that this `dlsym` gives: the median of all passes.
fn measure_cuda(driver: &Path, find: Find) -> Result<f64, Box<dyn Error>> {
    type GetFunction = unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const c_char) -> i32;
    type Synchronize = unsafe extern "C" fn(*mut c_void) -> i32;
    #[rustfmt::skip]
    type LaunchKernel = unsafe extern "C" fn(
        *mut c_void, u32, u32, u32, u32, u32, u32, u32, *mut c_void, *mut *mut c_void, *mut *mut c_void,
    ) -> i32;
    // SAFETY: the library is the one above, whose functions have these types.
    let (get_function, launch, synchronize) = unsafe {
        let library = open(driver)?;
        let get = find(library, c"cuModuleGetFunction".as_ptr());
        let launch = find(library, c"cuLaunchKernel".as_ptr());
        let synchronize = find(library, c"cuStreamSynchronize".as_ptr());
        (
            std::mem::transmute::<*mut c_void, GetFunction>(get),
            std::mem::transmute::<*mut c_void, LaunchKernel>(launch),
            std::mem::transmute::<*mut c_void, Synchronize>(synchronize),
        )
    };
    let mut numbers = [0x7f00_0000_0000_u64, 0x7f00_0000_1000, 4096, 0];
    let mut values = numbers
        .each_mut()
        .map(|number| ptr::from_mut(number).cast::<c_void>());
    let mut function = ptr::null_mut();
    // SAFETY: as above.
    unsafe { get_function(&raw mut function, HANDLE, c"nothing".as_ptr()) };
    let mut pass = || {
        let start = processor_time();
        for index in 0..LAUNCHES {
            // SAFETY: there is a value for each parameter.
            unsafe {
                launch(
                    function,
                    128,
                    1,
                    1,
                    32,
                    1,
                    1,
                    0,
                    HANDLE,
                    values.as_mut_ptr(),
                    ptr::null_mut(),
                );
                if index % 64 == 0 {
                    synchronize(HANDLE);
                }
            }
        }
        (processor_time() - start) / f64::from(LAUNCHES)
    };
    let mut times: Vec<f64> = (0..PASSES).map(|_| pass()).collect();
    times.sort_by(f64::total_cmp);
    Ok(times[PASSES / 2])
}

/// The kernel, described for CUDA.
const DESCRIBED: &str = "version = 1\n[[kernel]]\nname = \"nothing\"\ndata = { n = { from = 1, to = 65536 } }
program = { bx = { values = [32, 64] } }\nblock = [\"bx\"]\ngrid = [\"ceil(n / bx)\"]
arguments = [{ buffer = \"a\", element = \"u32\", length = \"n\" }, { buffer = \"b\", element = \"u32\", length = \"n\" },
  { value = \"n\", element = \"u64\" }, { value = \"0\", element = \"u64\" }]\n";
/// The same as a layer sees it in OpenCL.
const PLAIN: &str = "version = 1\n[[kernel]]\nname = \"nothing\"\ndata = { global_x = { from = 1, to = 65536 } }
program = { block_x = { values = [32, 64] } }\nblock = [\"block_x\"]\ngrid = [\"ceil(global_x / block_x)\"]\n";

/// A model that prefers 64 threads to 32.
fn model(text: &str) -> Result<AnchoredModel, Box<dyn Error>> {
    let description = Description::parse(text, "nothing.toml")?;
    let time = |n, block, milliseconds| Sample {
        data: vec![n],
        shape: vec![block],
        milliseconds,
    };
    let times = [
        time(64, 32, 9.0),
        time(64, 64, 1.0),
        time(128, 32, 18.0),
        time(128, 64, 2.0),
    ];
    let device = Device::new(2, 64, 16, 1 << 22, 100.0);
    Ok(AnchoredModel::fit(
        &description.kernels()[0],
        &device,
        Constants::default(),
        &times,
    )?)
}

fn library() -> Result<PathBuf, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let folder = program
        .parent()
        .and_then(Path::parent)
        .ok_or("the program is in no folder")?;
    Ok(folder.join("libsunzi_layer.so"))
}

/// Compiles the driver of CUDA.
fn cuda(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let (source, library) = (folder.join("nothing.c"), folder.join("libcuda.so.1"));
    std::fs::write(&source, CUDA)?;
    let compiled = Command::new("cc")
        .args([
            "-shared",
            "-fPIC",
            "-O1",
            "-w",
            "-Wl,-soname,libcuda.so.1",
            "-o",
        ])
        .args([&library, &source])
        .output()?;
    match compiled.status.success() {
        true => Ok(library),
        false => Err(String::from_utf8_lossy(&compiled.stderr).into()),
    }
}

/// What a process with a plan measures: OpenCL, or CUDA by the driver that is named.
fn with_plan() -> Result<f64, Box<dyn Error>> {
    match std::env::args_os().nth(1) {
        None => Ok(measure(&with_layer(&library()?, &table())?)),
        Some(driver) => {
            // SAFETY: the library is the layer, whose function has this type.
            let find = unsafe {
                let find = libc::dlsym(open(&library()?)?, c"dlsym".as_ptr());
                std::mem::transmute::<*mut c_void, Find>(find)
            };
            measure_cuda(Path::new(&driver), find)
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::var_os(RunPlan::VARIABLE).is_some() {
        println!("{}", with_plan()?);
        return Ok(());
    }
    let folder = std::env::temp_dir().join(format!("overhead-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let cuda = cuda(&folder)?;
    let alone = [measure(&table()), measure_cuda(&cuda, libc::dlsym)?];
    println!(
        "without the layer: {:.0} and {:.0} ns\n",
        alone[0], alone[1]
    );
    println!("| launches | OpenCL, with four arguments, ns | CUDA, ns |\n|---|--:|--:|");
    let mut plain = [
        RunPlan::new(folder.join("findings")),
        RunPlan::new(folder.join("findings")),
    ];
    plain[1].descriptions.push(DESCRIBED.to_owned());
    let mut chosen = plain.clone();
    chosen[0].models.push(model(PLAIN)?);
    chosen[1].models.push(model(DESCRIBED)?);
    let mut recorded = chosen.clone();
    for plan in &mut recorded {
        plan.record = Some(folder.join("record"));
    }
    for (name, plans) in [
        ("as they are", plain),
        ("by a chosen shape", chosen),
        ("by a chosen shape, recorded", recorded),
    ] {
        let mut row = format!("| {name} |");
        for (index, plan) in plans.iter().enumerate() {
            let file = folder.join("plan");
            std::fs::write(&file, plan.to_json())?;
            // The layer's state is its process's.
            let mut process = Command::new(std::env::current_exe()?);
            process
                .args([&cuda].into_iter().take(index))
                .env(RunPlan::VARIABLE, &file);
            let told = process.output()?;
            let time: Result<f64, _> = String::from_utf8(told.stdout)?.trim().parse();
            let time = time.map_err(|_| String::from_utf8_lossy(&told.stderr).into_owned())?;
            row += &format!(" {:.0} |", time - alone[index]);
        }
        println!("{row}");
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
