//! CUDA: the driver's functions that are put before its own, and how programs come to be given them.
//!
//! A program may be linked with the driver: then the linker finds the functions here first, since this library is loaded before. It may
//! load the driver and ask for functions by name, as CUDA's runtime does: then it asks `dlsym`, which is here, too, and
//! `cuGetProcAddress`, which it was given by that.

mod driver;
mod find;
mod launches;
mod spare;

use std::ffi::{CStr, c_char, c_void};

use driver::{Code, Handle};
use find::{Ours, real};
use launches::{Cuda, Submitted};

use crate::guard::guarded;

/// What a launch is, for `cuLaunchKernelEx`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Config {
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    stream: Handle,
    attributes: *const c_void,
    attribute_count: u32,
}

type LaunchEx =
    unsafe extern "C" fn(*const Config, Handle, *mut *mut c_void, *mut *mut c_void) -> Code;
type GetFunction = unsafe extern "C" fn(*mut Handle, Handle, *const c_char) -> Code;
type GetAddress = unsafe extern "C" fn(*const c_char, *mut *const c_void, i32, u64) -> Code;
type GetAddress2 =
    unsafe extern "C" fn(*const c_char, *mut *const c_void, i32, u64, *mut i32) -> Code;

/// Writes down launches whose time nobody has waited for.
pub fn give_up_pending() {
    if let Some(cuda) = Cuda::get() {
        cuda.give_up();
    }
}

/// Does something with the layer, guarded.
fn with<T>(work: impl FnOnce(&'static Cuda) -> Option<T>) -> Option<T> {
    guarded(|| work(Cuda::get()?))
}

/// Calls the driver's own function; [`driver::NOT_FOUND`] where there is none.
macro_rules! next {
    ($ours:expr, $type:ty, $($argument:expr),*) => {
        match real($ours) {
            // SAFETY: the driver's function of that name has this type, and is called with what the program gave.
            Some(function) => unsafe { std::mem::transmute::<*const c_void, $type>(function)($($argument),*) },
            None => driver::NOT_FOUND,
        }
    };
}

/// Launches by a chosen shape, or as the program does: `launch` calls the driver's function.
fn submit(
    mut submitted: Option<Submitted>,
    launch: impl Fn(Option<([u32; 3], [u32; 3])>) -> Code,
) -> Code {
    let chosen = submitted.as_ref().and_then(Submitted::chosen);
    let started = submitted
        .as_ref()
        .and_then(|submitted| with(|cuda| submitted.start(cuda)));
    let mut code = chosen.map_or(driver::NOT_FOUND, |chosen| launch(Some(chosen)));
    if chosen.is_none() || code != driver::SUCCESS {
        if let (Some(submitted), Some(_)) = (&mut submitted, chosen) {
            with(|cuda| submitted.take_back(cuda, code));
        }
        code = launch(None);
    }
    if let (Some(submitted), Some(started)) = (submitted, started) {
        with(|cuda| submitted.end(cuda, started, code));
    }
    code
}

/// `cuLaunchKernel` in both forms: of streams for all threads, and for each.
macro_rules! launches {
    ($launch:ident, $launch_ex:ident, $is_per_thread:literal) => {
        #[doc(hidden)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $launch(
            function: Handle,
            x: u32,
            y: u32,
            z: u32,
            block_x: u32,
            block_y: u32,
            block_z: u32,
            shared_bytes: u32,
            stream: Handle,
            parameters: *mut *mut c_void,
            extra: *mut *mut c_void,
        ) -> Code {
            let (grid, block) = ([x, y, z], [block_x, block_y, block_z]);
            // SAFETY: the arguments are those of a launch.
            let submitted = with(|cuda| unsafe {
                Submitted::new(
                    cuda,
                    function,
                    (grid, block, shared_bytes),
                    (stream, $is_per_thread),
                    (parameters, extra),
                )
            });
            submit(submitted, |chosen| {
                let ([x, y, z], [a, b, c]) = chosen.unwrap_or((grid, block));
                next!(
                    Ours::$launch,
                    driver::Launch,
                    function,
                    x,
                    y,
                    z,
                    a,
                    b,
                    c,
                    shared_bytes,
                    stream,
                    parameters,
                    extra
                )
            })
        }

        #[doc(hidden)]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $launch_ex(
            config: *const Config,
            function: Handle,
            parameters: *mut *mut c_void,
            extra: *mut *mut c_void,
        ) -> Code {
            // SAFETY: the program hands it over to be read.
            let of = (!config.is_null()).then(|| unsafe { *config });
            let submitted = with(|cuda| {
                let of = of?;
                // What else a launch is to be, with clusters for one, its shape is part of.
                if of.attribute_count > 0 {
                    return None;
                }
                // SAFETY: as above.
                unsafe {
                    Submitted::new(
                        cuda,
                        function,
                        (of.grid, of.block, of.shared_bytes),
                        (of.stream, $is_per_thread),
                        (parameters, extra),
                    )
                }
            });
            submit(submitted, |chosen| {
                let changed =
                    chosen
                        .zip(of)
                        .map(|((grid, block), of)| Config { grid, block, ..of });
                let config = changed.as_ref().map_or(config, |changed| changed);
                next!(
                    Ours::$launch_ex,
                    LaunchEx,
                    config,
                    function,
                    parameters,
                    extra
                )
            })
        }
    };
}

launches!(cuLaunchKernel, cuLaunchKernelEx, false);
launches!(cuLaunchKernel_ptsz, cuLaunchKernelEx_ptsz, true);

/// The name of a function is known when it is asked for.
#[doc(hidden)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> Code {
    let code = next!(
        Ours::cuModuleGetFunction,
        GetFunction,
        function,
        module,
        name
    );
    if code == driver::SUCCESS {
        with(|cuda| {
            // SAFETY: the driver has read the name, and has written the function.
            unsafe { cuda.name(*function, CStr::from_ptr(name).to_str().ok()?) }
        });
    }
    code
}

/// The layer's own function in the place of the driver's that was found.
unsafe fn replace(
    code: Code,
    name: *const c_char,
    found: *mut *const c_void,
    version: i32,
    flags: u64,
) {
    if code == driver::SUCCESS {
        guarded(|| {
            // SAFETY: the driver has read the name, and has written the function.
            unsafe {
                let name = CStr::from_ptr(name).to_str().ok()?;
                *found = find::instead(name, *found, version, flags)?;
            }
            Some(())
        });
    }
}

#[doc(hidden)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetProcAddress(
    name: *const c_char,
    found: *mut *const c_void,
    version: i32,
    flags: u64,
) -> Code {
    let code = next!(
        Ours::cuGetProcAddress,
        GetAddress,
        name,
        found,
        version,
        flags
    );
    // SAFETY: the arguments are those of this function.
    unsafe { replace(code, name, found, version, flags) };
    code
}

#[doc(hidden)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetProcAddress_v2(
    name: *const c_char,
    found: *mut *const c_void,
    version: i32,
    flags: u64,
    status: *mut i32,
) -> Code {
    let code = next!(
        Ours::cuGetProcAddress_v2,
        GetAddress2,
        name,
        found,
        version,
        flags,
        status
    );
    // SAFETY: as above.
    unsafe { replace(code, name, found, version, flags) };
    code
}

/// Functions before or after which launches that are done are recorded.
macro_rules! moments {
    ($($name:ident($($argument:ident: $type:ty),*) $when:ident;)*) => {
        $(#[doc(hidden)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> Code {
            moments!(@$when next!(Ours::$name, unsafe extern "C" fn($($type),*) -> Code, $($argument),*))
        })*
    };
    (@after $call:expr) => {{
        let code = $call;
        with(Cuda::gather);
        code
    }};
    (@before $call:expr) => {{
        with(Cuda::gather);
        $call
    }};
}

moments! {
    cuStreamSynchronize(stream: Handle) after;
    cuEventSynchronize(event: Handle) after;
    cuCtxSynchronize() after;
    cuMemcpyDtoH_v2(to: Handle, from: u64, bytes: usize) after;
    cuStreamDestroy_v2(stream: Handle) before;
    cuCtxDestroy_v2(context: Handle) before;
    cuDevicePrimaryCtxRelease_v2(device: i32) before;
}
