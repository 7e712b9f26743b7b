//! Carry chains through memory: sums and differences of limb vectors, and of multiples of them, four limbs a turn.
//!
//! Compilers lose the carry flag between the turns of a loop; here it survives, because neither `lea`
//! nor `dec` touches it. Other processors take plain Rust.

/// `out = a + b` over n limbs; returns the carry.
///
/// # Safety
/// `a` and `b` readable, `out` writable for n limbs; `out` may be the same as `a` or `b`.
#[inline]
pub(crate) unsafe fn add(out: *mut u64, a: *const u64, b: *const u64, n: usize) -> bool {
    // SAFETY: n limbs of each, as both functions ask.
    unsafe { chain::<false>(out, a, b, n) }
}

/// `out = a − b` over n limbs; returns the borrow.
///
/// # Safety
/// As [`add`].
#[inline]
pub(crate) unsafe fn sub(out: *mut u64, a: *const u64, b: *const u64, n: usize) -> bool {
    // SAFETY: n limbs of each, as both functions ask.
    unsafe { chain::<true>(out, a, b, n) }
}

/// # Safety
/// As [`add`].
#[inline]
unsafe fn chain<const SUBTRACT: bool>(
    out: *mut u64,
    a: *const u64,
    b: *const u64,
    n: usize,
) -> bool {
    let mut carry = false;
    let mut done = 0;
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if n >= 4 {
        done = n / 4 * 4;
        // SAFETY: n/4 ≥ 1 blocks, 4·(n/4) ≤ n limbs of each; a block is read whole before it is written, so `out` may
        // be an operand.
        carry = unsafe {
            if SUBTRACT {
                sub_blocks(out, a, b, n / 4)
            } else {
                add_blocks(out, a, b, n / 4)
            }
        } != 0;
    }
    while done < n {
        // SAFETY: limb `done` < n of each operand.
        let (x, y) = unsafe { (a.add(done).read(), b.add(done).read()) };
        let (first, c1) = if SUBTRACT {
            x.overflowing_sub(y)
        } else {
            x.overflowing_add(y)
        };
        let word = u64::from(carry);
        let (second, c2) = if SUBTRACT {
            first.overflowing_sub(word)
        } else {
            first.overflowing_add(word)
        };
        // SAFETY: limb `done` < n of the result.
        unsafe { out.add(done).write(second) };
        carry = c1 | c2;
        done += 1;
    }
    carry
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! blocks {
    ($name:ident, $instruction:literal) => {
        /// A carry chain over `blocks` blocks of four limbs; returns the last carry.
        ///
        /// # Safety
        /// `blocks ≥ 1`; `a`, `b` readable, `out` writable for 4·`blocks` limbs.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            out: *mut u64,
            a: *const u64,
            b: *const u64,
            blocks: usize,
        ) -> u64 {
            std::arch::naked_asm!(
                "xor eax, eax",
                ".p2align 4",
                "2:",
                "mov r8, [rsi]",
                "mov r9, [rsi + 8]",
                "mov r10, [rsi + 16]",
                "mov r11, [rsi + 24]",
                concat!($instruction, " r8, [rdx]"),
                concat!($instruction, " r9, [rdx + 8]"),
                concat!($instruction, " r10, [rdx + 16]"),
                concat!($instruction, " r11, [rdx + 24]"),
                "mov [rdi], r8",
                "mov [rdi + 8], r9",
                "mov [rdi + 16], r10",
                "mov [rdi + 24], r11",
                "lea rsi, [rsi + 32]",
                "lea rdx, [rdx + 32]",
                "lea rdi, [rdi + 32]",
                "dec rcx",
                "jnz 2b",
                "setc al",
                "ret",
            )
        }
    };
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
blocks!(add_blocks, "adc");
#[cfg(all(target_arch = "x86_64", not(miri)))]
blocks!(sub_blocks, "sbb");

/// `out += a · word` over as many whole blocks of four as n limbs have; returns how many limbs that are, and the high limb.
///
/// # Safety
/// `a` readable and `out` writable for n limbs.
#[inline]
pub(crate) unsafe fn add_multiple(
    out: *mut u64,
    a: *const u64,
    word: u64,
    n: usize,
) -> (usize, u64) {
    // SAFETY: n limbs of each, as both functions ask.
    unsafe { multiple::<false>(out, a, word, n) }
}

/// `out −= a · word` over as many whole blocks of four as n limbs have; returns how many limbs that are, and what is to be subtracted above.
///
/// # Safety
/// As [`add_multiple`].
#[inline]
pub(crate) unsafe fn sub_multiple(
    out: *mut u64,
    a: *const u64,
    word: u64,
    n: usize,
) -> (usize, u64) {
    // SAFETY: n limbs of each, as both functions ask.
    unsafe { multiple::<true>(out, a, word, n) }
}

/// # Safety
/// As [`add_multiple`].
#[inline]
unsafe fn multiple<const SUBTRACT: bool>(
    out: *mut u64,
    a: *const u64,
    word: u64,
    n: usize,
) -> (usize, u64) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if n >= 4 {
        // SAFETY: n/4 ≥ 1 blocks, 4·(n/4) ≤ n limbs of each.
        let carry = unsafe {
            if SUBTRACT {
                sub_multiple_blocks(out, a, word, n / 4)
            } else {
                add_multiple_blocks(out, a, word, n / 4)
            }
        };
        return (n / 4 * 4, carry);
    }
    let _ = (out, a, word, n);
    (0, 0)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! multiple_blocks {
    ($name:ident, $first:literal, $next:literal) => {
        /// A multiple of `blocks` blocks of four limbs added or subtracted: its own carry chain is done before the other one
        /// begins, so that a block waits for six additions alone; returns what is left above.
        ///
        /// # Safety
        /// `blocks ≥ 1`; `a` readable, `out` writable for 4·`blocks` limbs.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            out: *mut u64,
            a: *const u64,
            word: u64,
            blocks: usize,
        ) -> u64 {
            std::arch::naked_asm!(
                "push rbx",
                "push rbp",
                "push r12",
                "mov r12, rdx",
                // What is left of the block before.
                "push r13",
                "xor r13d, r13d",
                ".p2align 4",
                "2:",
                "mov rax, [rsi]",
                "mul r12",
                "mov r8, rax",
                "mov r9, rdx",
                "mov rax, [rsi + 8]",
                "mul r12",
                "mov r10, rax",
                "mov r11, rdx",
                "mov rax, [rsi + 16]",
                "mul r12",
                "mov rbx, rax",
                "mov rbp, rdx",
                "mov rax, [rsi + 24]",
                "mul r12",
                "add r8, r13",
                "adc r10, r9",
                "adc rbx, r11",
                "adc rax, rbp",
                "adc rdx, 0",
                concat!($first, " [rdi], r8"),
                concat!($next, " [rdi + 8], r10"),
                concat!($next, " [rdi + 16], rbx"),
                concat!($next, " [rdi + 24], rax"),
                "adc rdx, 0",
                "mov r13, rdx",
                "lea rsi, [rsi + 32]",
                "lea rdi, [rdi + 32]",
                "dec rcx",
                "jnz 2b",
                "mov rax, r13",
                "pop r13",
                "pop r12",
                "pop rbp",
                "pop rbx",
                "ret",
            )
        }
    };
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
multiple_blocks!(add_multiple_blocks, "add", "adc");
#[cfg(all(target_arch = "x86_64", not(miri)))]
multiple_blocks!(sub_multiple_blocks, "sub", "sbb");
