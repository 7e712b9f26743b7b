//! Products of any number of limbs by one: a single carry chain.

use std::arch::naked_asm;

/// `out = a · word` for `len ≥ 1` limbs: up to three of them alone, then four a turn.
///
/// # Safety
/// `mulx` supported; `a` readable for `len` limbs, `out` writable for one more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn mul(out: *mut u64, a: *const u64, word: u64, len: usize) {
    naked_asm!(
        // The high half that is still to be added.
        "xor eax, eax",
        "mov r10, rcx",
        "and r10d, 3",
        "jz 3f",
        "2:",
        "mulx r8, r9, [rsi]",
        "add r9, rax",
        "adc r8, 0",
        "mov [rdi], r9",
        "mov rax, r8",
        "lea rsi, [rsi + 8]",
        "lea rdi, [rdi + 8]",
        "dec r10d",
        "jnz 2b",
        "3:",
        "shr rcx, 2",
        // Clears the carry flag, which neither `lea` nor `dec` touches afterwards.
        "test rcx, rcx",
        "jz 5f",
        "4:",
        "mulx r8, r9, [rsi]",
        "adc r9, rax",
        "mov [rdi], r9",
        "mulx r10, r11, [rsi + 8]",
        "adc r11, r8",
        "mov [rdi + 8], r11",
        "mulx r8, r9, [rsi + 16]",
        "adc r9, r10",
        "mov [rdi + 16], r9",
        "mulx rax, r11, [rsi + 24]",
        "adc r11, r8",
        "mov [rdi + 24], r11",
        "lea rsi, [rsi + 32]",
        "lea rdi, [rdi + 32]",
        "dec rcx",
        "jnz 4b",
        "adc rax, 0",
        "5:",
        "mov [rdi], rax",
        "ret",
    )
}
