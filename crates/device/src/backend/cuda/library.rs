//! Libraries that are loaded when they are first needed, and tables of their functions.
//!
//! A library that is not there, or lacks a function, is an error with a reason. Functions return codes as plain numbers:
//! a newer library has codes that no list of ours holds.

use libloading::Library;
use std::error::Error;

/// Declares a table of functions that return a code; those that are `optional` came with a later version.
macro_rules! library {
    (
        $(#[$about:meta])*
        $table:ident -> $code:ty;
        required { $($name:ident($($argument:ty),* $(,)?);)* }
        optional { $($later:ident($($given:ty),* $(,)?);)* }
    ) => {
        $(#[$about])*
        #[allow(non_snake_case)]
        #[derive(Clone, Copy)]
        pub struct $table {
            $(pub $name: unsafe extern "C" fn($($argument),*) -> $code,)*
            $(pub $later: Option<unsafe extern "C" fn($($given),*) -> $code>,)*
        }

        impl $table {
            /// The functions of a library.
            ///
            /// # Safety
            /// Its functions of these names have these types, and it is never unloaded.
            pub unsafe fn of(
                library: &libloading::Library,
            ) -> Result<Self, $crate::backend::cuda::library::Missing> {
                // SAFETY: by this function's terms.
                unsafe {
                    Ok(Self {
                        $($name: $crate::backend::cuda::library::function(library, stringify!($name))?,)*
                        $($later: $crate::backend::cuda::library::function(library, stringify!($later)).ok(),)*
                    })
                }
            }
        }
    };
}
pub(crate) use library;

/// A function that a library lacks, and what the system says.
pub(crate) struct Missing {
    pub function: &'static str,
    pub reason: String,
}

/// A function of a library.
///
/// # Safety
/// `F` is its type.
pub(super) unsafe fn function<F: Copy>(
    library: &Library,
    name: &'static str,
) -> Result<F, Missing> {
    // SAFETY: by this function's terms.
    let found = unsafe { library.get::<F>(name) };
    found.map(|function| *function).map_err(|error| Missing {
        function: name,
        reason: reason(&error),
    })
}

/// Why the system does not load a library.
pub(super) fn reason(error: &libloading::Error) -> String {
    error
        .source()
        .map_or_else(|| error.to_string(), |system| system.to_string())
}
