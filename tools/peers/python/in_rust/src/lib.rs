//! Transforms in place, as a program in Rust has them, with the calling convention of C.

use std::ffi::c_void;
use std::slice::from_raw_parts_mut;
use sunzi::alone;
use sunzi::field::AnyField;
use sunzi::transform::{AnyDft, Direction, Ordering};

/// Tables for transforms of so many points; null where there are none.
#[unsafe(no_mangle)]
pub extern "C" fn new_plan(points: usize, prime: u64) -> *mut c_void {
    let plan = AnyField::modulo_word(prime)
        .ok()
        .and_then(|field| AnyDft::new(&field, points).ok());
    plan.map_or(std::ptr::null_mut(), |plan| Box::into_raw(Box::new(plan)).cast())
}

/// Transforms words where they lie, on one thread.
///
/// # Safety
/// The plan is of [`new_plan`]; there are as many words as it has points, of 32 bits where its prime is below 2^31.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn transform(plan: *const c_void, words: *mut c_void, bits: u32) -> bool {
    // SAFETY: it is one, as this function asks.
    let plan = unsafe { &*plan.cast::<AnyDft>() };
    let points = plan.points();
    let words = match bits {
        // SAFETY: there are so many, as this function asks.
        32 => unsafe { from_raw_parts_mut(words.cast::<u32>(), points) }.into(),
        // SAFETY: likewise.
        _ => unsafe { from_raw_parts_mut(words.cast::<u64>(), points) }.into(),
    };
    alone(|| plan.transform_batch(words, Direction::Forward, Ordering::Natural)).is_ok()
}
