//! Products of any number of limbs by one limb or two.
//!
//! One limb takes a single carry chain. With two, two limbs of the sum stand above those that are stored for good.
//! Four limbs times both words are two rows of a strip of four, to which those two limbs are added where the rows
//! leave a carry chain free: the lower one below the first row, the upper one below the high halves of the second.

use std::arch::naked_asm;

/// `out = a · word` for `len ≥ 1` limbs: up to three of them alone, then four a turn.
///
/// # Safety
/// `mulx` supported; `a` readable for `len` limbs, `out` writable for one more.
#[unsafe(naked)]
pub(in crate::schoolbook) unsafe extern "sysv64" fn mul_by_one(
    out: *mut u64,
    a: *const u64,
    word: u64,
    len: usize,
) {
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
        aligned!(),
    )
}

/// `out = a · b` for `len ≥ 1` limbs times two: up to three of them alone, then four a turn.
///
/// Registers: `rdi` out, `rsi` a, `rcx` turns left, `r10` and `r11` both words, `r8` and `r9` the two limbs.
///
/// # Safety
/// `mulx`, `adcx`, `adox` supported; `a` readable for `len` limbs, `b` for 2, `out` writable for `len + 2`.
#[unsafe(naked)]
pub(in crate::schoolbook) unsafe extern "sysv64" fn mul_by_two(
    out: *mut u64,
    a: *const u64,
    b: *const u64,
    len: usize,
) {
    naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "mov r10, [rdx]",
        "mov r11, [rdx + 8]",
        "xor r8d, r8d",
        "xor r9d, r9d",
        "mov r13, rcx",
        "and r13d, 3",
        "jz 3f",
        "2:",
        "mov rdx, [rsi]",
        "mulx rax, rbx, r10",
        "mulx r12, rbp, r11",
        "add r8, rbx",
        "mov [rdi], r8",
        "adc r9, rax",
        "adc r12, 0",
        "add r9, rbp",
        "adc r12, 0",
        "mov r8, r9",
        "mov r9, r12",
        "lea rsi, [rsi + 8]",
        "lea rdi, [rdi + 8]",
        "dec r13d",
        "jnz 2b",
        "3:",
        "shr rcx, 2",
        "jz 5f",
        ".p2align 5",
        "4:",
        // The lower word.
        "mov rdx, r10",
        "mulx rax, rbx, [rsi]",
        "add r8, rbx",
        "mov [rdi], r8",
        "mulx rbx, r8, [rsi + 8]",
        "adc r8, rax",
        "mulx rax, r12, [rsi + 16]",
        "adc r12, rbx",
        "mulx rbx, r13, [rsi + 24]",
        "adc r13, rax",
        "adc rbx, 0",
        // The upper word.
        "mov rdx, r11",
        "xor eax, eax",
        "mulx rax, rbp, [rsi]",
        "adcx r8, rbp",
        "adox r8, r9",
        "mov [rdi + 8], r8",
        "mulx r9, rbp, [rsi + 8]",
        "adcx r12, rbp",
        "adox r12, rax",
        "mov [rdi + 16], r12",
        "mulx rax, rbp, [rsi + 16]",
        "adcx r13, rbp",
        "adox r13, r9",
        "mov [rdi + 24], r13",
        "mulx r9, r8, [rsi + 24]",
        "adcx r8, rbx",
        "adox r8, rax",
        "mov eax, 0",
        "adcx r9, rax",
        "adox r9, rax",
        "lea rsi, [rsi + 32]",
        "lea rdi, [rdi + 32]",
        "dec rcx",
        "jnz 4b",
        "5:",
        "mov [rdi], r8",
        "mov [rdi + 8], r9",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        "ret",
    )
}
