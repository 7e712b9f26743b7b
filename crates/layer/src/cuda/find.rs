//! Functions by their names: the layer's own where programs ask for them, and the driver's behind these.

use std::arch::naked_asm;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::guard::guarded;
use crate::run::Run;

/// Functions for each thread's own default stream are asked for.
const PER_THREAD: u64 = 2;
/// The version of CUDA from which `cuGetProcAddress` is the second one.
const SECOND_ADDRESS: i32 = 12000;

type Find = unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_void;

/// Declares the functions that are put before the driver's, which have their names.
macro_rules! ours {
    ($($name:ident)*) => {
        /// One of them.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Ours { $($name,)* }

        const ALL: &[(Ours, &CStr)] = &[$((Ours::$name, {
            const NAME: &str = concat!(stringify!($name), "\0");
            match CStr::from_bytes_with_nul(NAME.as_bytes()) {
                Ok(name) => name,
                Err(_) => panic!("a name has no zero within"),
            }
        }),)*];

        impl Ours {
            /// The layer's function.
            fn function(self) -> *const c_void {
                match self { $(Ours::$name => super::$name as *const c_void,)* }
            }
        }

        /// The driver's functions, as far as they are found.
        static REAL: [AtomicPtr<c_void>; ALL.len()] = [const { AtomicPtr::new(ptr::null_mut()) }; ALL.len()];
    };
}

ours! {
    cuLaunchKernel cuLaunchKernel_ptsz cuLaunchKernelEx cuLaunchKernelEx_ptsz cuModuleGetFunction cuGetProcAddress cuGetProcAddress_v2
    cuStreamSynchronize cuEventSynchronize cuCtxSynchronize cuMemcpyDtoH_v2 cuStreamDestroy_v2 cuCtxDestroy_v2
    cuDevicePrimaryCtxRelease_v2
}

fn ours(name: &CStr) -> Option<Ours> {
    if !name.to_bytes().starts_with(b"cu") {
        return None;
    }
    ALL.iter()
        .find(|(_, other)| *other == name)
        .map(|(ours, _)| *ours)
}

/// The driver's function. Whoever is linked with the driver has not asked for it: it is the next one of its name then.
pub fn real(ours: Ours) -> Option<*const c_void> {
    let place = &REAL[ours as usize];
    let known = place.load(Ordering::Acquire);
    if !known.is_null() {
        return Some(known);
    }
    let (_, name) = ALL[ours as usize];
    // SAFETY: the name ends with a zero.
    let found = unsafe { system()?(libc::RTLD_NEXT, name.as_ptr()) };
    place.store(found.cast_mut(), Ordering::Release);
    (!found.is_null()).then_some(found)
}

/// The layer's function in the place of one that the driver has given for a name without a version.
pub fn instead(
    name: &str,
    found: *const c_void,
    version: i32,
    flags: u64,
) -> Option<*const c_void> {
    Run::get()?;
    let is_per_thread = flags & PER_THREAD != 0;
    let ours = match (name, is_per_thread) {
        ("cuLaunchKernel", false) => Ours::cuLaunchKernel,
        ("cuLaunchKernel", true) => Ours::cuLaunchKernel_ptsz,
        ("cuLaunchKernelEx", false) => Ours::cuLaunchKernelEx,
        ("cuLaunchKernelEx", true) => Ours::cuLaunchKernelEx_ptsz,
        ("cuModuleGetFunction", _) => Ours::cuModuleGetFunction,
        ("cuGetProcAddress", _) if version < SECOND_ADDRESS => Ours::cuGetProcAddress,
        ("cuGetProcAddress", _) => Ours::cuGetProcAddress_v2,
        ("cuStreamSynchronize", false) => Ours::cuStreamSynchronize,
        ("cuEventSynchronize", _) => Ours::cuEventSynchronize,
        ("cuCtxSynchronize", _) => Ours::cuCtxSynchronize,
        ("cuMemcpyDtoH", false) => Ours::cuMemcpyDtoH_v2,
        ("cuStreamDestroy", _) => Ours::cuStreamDestroy_v2,
        ("cuCtxDestroy", _) => Ours::cuCtxDestroy_v2,
        ("cuDevicePrimaryCtxRelease", _) => Ours::cuDevicePrimaryCtxRelease_v2,
        _ => return None,
    };
    (!found.is_null()).then(|| take(ours, found))
}

/// The layer's function; the driver's is behind it from now on.
fn take(ours: Ours, found: *const c_void) -> *const c_void {
    let own = ours.function();
    if found != own {
        REAL[ours as usize].store(found.cast_mut(), Ordering::Release);
    }
    own
}

/// The system's `dlsym`, for the function below, which cannot be given it.
static SYSTEM: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// The system's `dlsym`.
pub fn system() -> Option<Find> {
    let mut found = SYSTEM.load(Ordering::Acquire);
    for version in [c"GLIBC_2.34", c"GLIBC_2.2.5"] {
        if found.is_null() {
            // SAFETY: both names end with a zero.
            found = unsafe { libc::dlvsym(libc::RTLD_NEXT, c"dlsym".as_ptr(), version.as_ptr()) };
        }
    }
    SYSTEM.store(found, Ordering::Release);
    // SAFETY: it has this type.
    (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, Find>(found) })
}

/// The layer's function in the place of one that a program looks for; null for all others. Allocators look for functions, too: for
/// names of others nothing is done here that may allocate.
unsafe extern "C" fn looked_for(handle: *mut c_void, name: *const c_char) -> *const c_void {
    let Some(system) = system() else {
        return ptr::null();
    };
    if name.is_null() || handle == libc::RTLD_NEXT {
        return ptr::null();
    }
    // SAFETY: it is the name of a symbol.
    let name = unsafe { CStr::from_ptr(name) };
    let Some(ours) = ours(name) else {
        return ptr::null();
    };
    let found = guarded(|| {
        Run::get()?;
        // SAFETY: as above.
        let mut found = unsafe { system(handle, name.as_ptr()) };
        if found == ours.function() {
            // Whoever looks everywhere has found the layer itself.
            found = real(ours)?;
        }
        (!found.is_null()).then(|| take(ours, found))
    });
    found.unwrap_or(ptr::null())
}

/// The `dlsym` of programs. What is not the layer's goes on to the system's by a jump, since that looks at who calls.
#[doc(hidden)]
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn dlsym(handle: *mut c_void, name: *const c_char) -> *const c_void {
    naked_asm!(
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {looked_for}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "test rax, rax",
        "jz 2f",
        "ret",
        "2:",
        "jmp qword ptr [rip + {system}]",
        looked_for = sym looked_for,
        system = sym SYSTEM,
    )
}
