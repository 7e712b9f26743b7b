//! Errors of the kinds that `scripts/sanitize` looks for, made on purpose: what does not find these finds nothing.
//! The argument chooses one.

use std::arch::asm;
use std::cell::UnsafeCell;
use std::hint::black_box;

/// Reads a vector that ends behind the heap's block, as a kernel with a wrong length would.
fn vector() {
    use std::arch::x86_64::{__m128i, _mm_cvtsi128_si64, _mm_loadu_si128};
    let words = black_box(vec![1u64; 3]);
    // Wrong: of the two words from the third on there is one.
    let read: __m128i = unsafe { _mm_loadu_si128(words.as_ptr().add(2).cast()) };
    println!("{}", unsafe { _mm_cvtsi128_si64(read) });
}

/// Writes behind the heap's block in assembly.
fn assembly() {
    let mut words = black_box(vec![1u64; 3]);
    // Wrong: there is no fourth word.
    unsafe { asm!("mov [{0} + 24], {1}", in(reg) words.as_mut_ptr(), in(reg) 7u64) };
    println!("{}", words[0]);
}

struct Shared(UnsafeCell<u64>);

// Wrong: nothing puts accesses in order.
unsafe impl Sync for Shared {}

/// Adds in two threads without order.
fn race() {
    let shared = Shared(UnsafeCell::new(0));
    let shared = &shared;
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(move || (0..1000).for_each(|_| unsafe { *shared.0.get() += 1 }));
        }
    });
    println!("{}", unsafe { *shared.0.get() });
}

/// Writes through a pointer that a later exclusive reference has made void.
fn aliasing() {
    let mut word = black_box(1u64);
    let pointer = &raw mut word;
    let first = unsafe { &mut *pointer };
    let second = unsafe { &mut *pointer };
    *second += 1;
    *first += 1;
    *second += 1;
    println!("{word}");
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("vector") => vector(),
        Some("assembly") => assembly(),
        Some("race") => race(),
        Some("aliasing") => aliasing(),
        other => panic!("which? {other:?}"),
    }
}
