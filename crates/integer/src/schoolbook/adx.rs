//! Schoolbook products with `mulx`, `adcx` and `adox`: two carry chains beside each multiplication.
//!
//! The longer operand is taken in strips of at most eight limbs. While a strip passes over the limbs of
//! the other operand, one a row, its partial sum stays in registers: a row adds the strip times the
//! limb, stores the lowest limb of the sum for good, and renames the others one place down, at no cost,
//! as each `mulx` writes its low half into the register that the place below has just left. What an
//! earlier strip left in memory enters at the lowest place, whose second carry chain is free.
//!
//! A sum never leaves its k + 1 limbs: (2^(64k) − 1) + (2^(64k) − 1)(2^64 − 1) + (2^64 − 1) = 2^(64(k+1)) − 1.
//!
//! Registers: `rdi` out, `rsi` strip, `rbp` rows' limbs, `rcx` rows left, `rdx` the row's limb,
//! `r8`…`r15` the partial sum, `rax` and `rbx` high halves in turn.

use std::arch::naked_asm;

/// One place of a row above the lowest: low half plus what stands there plus the high half from below.
macro_rules! place {
    ($i:literal, $to:literal, $from:literal, $high:literal, $below:literal) => {
        concat!(
            "mulx ",
            $high,
            ", ",
            $to,
            ", [rsi + 8*",
            $i,
            "]\n",
            "adcx ",
            $to,
            ", ",
            $from,
            "\n",
            "adox ",
            $to,
            ", ",
            $below,
            "\n",
        )
    };
}

/// The places above the lowest one of a row of a strip of k limbs.
macro_rules! places {
    (1) => {
        ""
    };
    (2) => {
        place!(1, "r8", "r9", "rbx", "rax")
    };
    (3) => {
        concat!(places!(2), place!(2, "r9", "r10", "rax", "rbx"))
    };
    (4) => {
        concat!(places!(3), place!(3, "r10", "r11", "rbx", "rax"))
    };
    (5) => {
        concat!(places!(4), place!(4, "r11", "r12", "rax", "rbx"))
    };
    (6) => {
        concat!(places!(5), place!(5, "r12", "r13", "rbx", "rax"))
    };
    (7) => {
        concat!(places!(6), place!(6, "r13", "r14", "rax", "rbx"))
    };
    (8) => {
        concat!(places!(7), place!(7, "r14", "r15", "rbx", "rax"))
    };
}

/// The highest place of a row: the last high half and both carries.
macro_rules! top {
    (@ $register:literal, $half:literal, $high:literal) => {
        concat!(
            "mov ", $half, ", 0\n",
            "adcx ", $high, ", ", $register, "\n",
            "adox ", $register, ", ", $high, "\n",
        )
    };
    (1) => { top!(@ "r8", "r8d", "rax") };
    (2) => { top!(@ "r9", "r9d", "rbx") };
    (3) => { top!(@ "r10", "r10d", "rax") };
    (4) => { top!(@ "r11", "r11d", "rbx") };
    (5) => { top!(@ "r12", "r12d", "rax") };
    (6) => { top!(@ "r13", "r13d", "rbx") };
    (7) => { top!(@ "r14", "r14d", "rax") };
    (8) => { top!(@ "r15", "r15d", "rbx") };
}

/// Row number j of a strip of k limbs; `add` says whether memory holds an earlier strip's sum.
macro_rules! row {
    ($k:tt, $j:literal, $add:tt) => {
        concat!(
            "mov rdx, [rbp + 8*", $j, "]\n",
            "xor eax, eax\n",
            "mulx rax, rbx, [rsi]\n",
            "adcx rbx, r8\n",
            row!(@ $add, $j),
            "mov [rdi + 8*", $j, "], rbx\n",
            places!($k),
            top!($k),
        )
    };
    (@ fresh, $j:literal) => { "" };
    (@ add, $j:literal) => { concat!("adox rbx, [rdi + 8*", $j, "]\n") };
}

/// The first place of the first row above the lowest one, where nothing stands yet.
macro_rules! first_place {
    ($add:literal, $i:literal, $to:literal, $high:literal, $below:literal) => {
        concat!(
            "mulx ",
            $high,
            ", ",
            $to,
            ", [rsi + 8*",
            $i,
            "]\n",
            $add,
            " ",
            $to,
            ", ",
            $below,
            "\n",
        )
    };
}

/// The places above the lowest one of the first row.
macro_rules! first_places {
    (2) => { first_place!("add", 1, "r8", "r9", "rax") };
    (3) => { concat!(first_place!("add", 1, "r8", "rbx", "rax"), first_place!("adc", 2, "r9", "r10", "rbx")) };
    (4) => { concat!(first_place!("add", 1, "r8", "rbx", "rax"), first_place!("adc", 2, "r9", "rax", "rbx"),
        first_place!("adc", 3, "r10", "r11", "rax")) };
    (@5) => { concat!(first_place!("add", 1, "r8", "rbx", "rax"), first_place!("adc", 2, "r9", "rax", "rbx"),
        first_place!("adc", 3, "r10", "rbx", "rax")) };
    (5) => { concat!(first_places!(@5), first_place!("adc", 4, "r11", "r12", "rbx")) };
    (@6) => { concat!(first_places!(@5), first_place!("adc", 4, "r11", "rax", "rbx")) };
    (6) => { concat!(first_places!(@6), first_place!("adc", 5, "r12", "r13", "rax")) };
    (@7) => { concat!(first_places!(@6), first_place!("adc", 5, "r12", "rbx", "rax")) };
    (7) => { concat!(first_places!(@7), first_place!("adc", 6, "r13", "r14", "rbx")) };
    (8) => { concat!(first_places!(@7), first_place!("adc", 6, "r13", "rax", "rbx"),
        first_place!("adc", 7, "r14", "r15", "rax")) };
}

/// The top register of a strip of k limbs.
macro_rules! top_register {
    (2) => {
        "r9"
    };
    (3) => {
        "r10"
    };
    (4) => {
        "r11"
    };
    (5) => {
        "r12"
    };
    (6) => {
        "r13"
    };
    (7) => {
        "r14"
    };
    (8) => {
        "r15"
    };
}

/// Stores the partial sum of k limbs above the rows that were stored.
macro_rules! store {
    (1, $at:literal) => {
        concat!("mov [rdi + 8*", $at, "], r8\n")
    };
    (2, $at:literal) => {
        concat!(store!(1, $at), "mov [rdi + 8*", $at, " + 8], r9\n")
    };
    (3, $at:literal) => {
        concat!(store!(2, $at), "mov [rdi + 8*", $at, " + 16], r10\n")
    };
    (4, $at:literal) => {
        concat!(store!(3, $at), "mov [rdi + 8*", $at, " + 24], r11\n")
    };
    (5, $at:literal) => {
        concat!(store!(4, $at), "mov [rdi + 8*", $at, " + 32], r12\n")
    };
    (6, $at:literal) => {
        concat!(store!(5, $at), "mov [rdi + 8*", $at, " + 40], r13\n")
    };
    (7, $at:literal) => {
        concat!(store!(6, $at), "mov [rdi + 8*", $at, " + 48], r14\n")
    };
    (8, $at:literal) => {
        concat!(store!(7, $at), "mov [rdi + 8*", $at, " + 56], r15\n")
    };
}

/// Saves and restores what the calling convention asks for.
macro_rules! enter {
    () => {
        "push rbx\npush rbp\npush r12\npush r13\npush r14\npush r15\n"
    };
}
macro_rules! leave {
    () => {
        "pop r15\npop r14\npop r13\npop r12\npop rbp\npop rbx\nret\n"
    };
}
macro_rules! enter_short {
    () => {
        "push rbx\npush rbp\n"
    };
}
macro_rules! leave_short {
    () => {
        "pop rbp\npop rbx\nret\n"
    };
}

/// A strip of k limbs times any number of rows.
macro_rules! strip {
    ($name:ident, $k:tt, $add:tt, $enter:ident, $leave:ident) => {
        /// `out[..rows] (+)= low part`, `out[rows..rows + k] = high part` of a strip times `rows` limbs.
        ///
        /// # Safety
        /// `mulx`, `adcx`, `adox` supported; `rows ≥ 1`; `b` readable for `rows`, the strip for k,
        /// `out` writable (and readable, when adding) for `rows + k` limbs.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, strip: *const u64, b: *const u64, rows: usize) {
            naked_asm!(concat!(
                $enter!(),
                "mov rbp, rdx\n",
                "xor r8d, r8d\n xor r9d, r9d\n xor r10d, r10d\n xor r11d, r11d\n",
                strip!(@zero $enter),
                "test cl, 1\n",
                "jz 3f\n",
                row!($k, 0, $add),
                "lea rbp, [rbp + 8]\n",
                "lea rdi, [rdi + 8]\n",
                "3:\n",
                "shr rcx, 1\n",
                "jz 4f\n",
                ".p2align 5\n",
                "2:\n",
                row!($k, 0, $add),
                row!($k, 1, $add),
                "lea rbp, [rbp + 16]\n",
                "lea rdi, [rdi + 16]\n",
                "dec rcx\n",
                "jnz 2b\n",
                "4:\n",
                store!($k, 0),
                $leave!(),
            ))
        }
    };
    (@zero enter) => { "xor r12d, r12d\n xor r13d, r13d\n xor r14d, r14d\n xor r15d, r15d\n" };
    (@zero enter_short) => { "" };
}

strip!(fresh_1, 1, fresh, enter_short, leave_short);
strip!(fresh_2, 2, fresh, enter_short, leave_short);
strip!(fresh_3, 3, fresh, enter_short, leave_short);
strip!(fresh_4, 4, fresh, enter_short, leave_short);
strip!(fresh_5, 5, fresh, enter, leave);
strip!(fresh_6, 6, fresh, enter, leave);
strip!(fresh_7, 7, fresh, enter, leave);
strip!(fresh_8, 8, fresh, enter, leave);
strip!(add_8, 8, add, enter, leave);

/// A product of n by n limbs, n fixed, all rows unrolled.
macro_rules! square_shape {
    ($name:ident, $k:tt, $enter:ident, $leave:ident, $($j:literal)+) => {
        /// `out = a · b` for operands of exactly so many limbs.
        ///
        /// # Safety
        /// `mulx`, `adcx`, `adox` supported; operands readable, `out` writable for the product.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, a: *const u64, b: *const u64) {
            naked_asm!(concat!(
                $enter!(),
                "mov rbp, rdx\n",
                "mov rdx, [rbp]\n",
                "mulx rax, rbx, [rsi]\n",
                "mov [rdi], rbx\n",
                first_places!($k),
                "adc ", top_register!($k), ", 0\n",
                $(row!($k, $j, fresh),)+
                store!($k, $k),
                $leave!(),
            ))
        }
    };
}

square_shape!(square_2, 2, enter_short, leave_short, 1);
square_shape!(square_3, 3, enter_short, leave_short, 1 2);
square_shape!(square_4, 4, enter_short, leave_short, 1 2 3);
square_shape!(square_5, 5, enter, leave, 1 2 3 4);
square_shape!(square_6, 6, enter, leave, 1 2 3 4 5);
square_shape!(square_7, 7, enter, leave, 1 2 3 4 5 6);
square_shape!(square_8, 8, enter, leave, 1 2 3 4 5 6 7);

/// `out = a · word` for `blocks` blocks of four limbs; returns the high limb.
///
/// # Safety
/// `mulx` supported; `blocks ≥ 1`; `a` readable, `out` writable for 4·`blocks` limbs.
#[unsafe(naked)]
unsafe extern "sysv64" fn mul_word(out: *mut u64, a: *const u64, word: u64, blocks: usize) -> u64 {
    naked_asm!(
        "xor eax, eax",
        "2:",
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
        // Neither `lea` nor `dec` touches the carry flag.
        "lea rsi, [rsi + 32]",
        "lea rdi, [rdi + 32]",
        "dec rcx",
        "jnz 2b",
        "adc rax, 0",
        "ret",
    )
}

type Strip = unsafe extern "sysv64" fn(*mut u64, *const u64, *const u64, usize);
type Square = unsafe extern "sysv64" fn(*mut u64, *const u64, *const u64);

/// Strips of 1 to 8 limbs over memory that holds nothing yet.
static FRESH: [Strip; 8] = [
    fresh_1, fresh_2, fresh_3, fresh_4, fresh_5, fresh_6, fresh_7, fresh_8,
];
/// Products of n by n limbs, n from 2 to 8.
static SQUARES: [Square; 7] = [
    square_2, square_3, square_4, square_5, square_6, square_7, square_8,
];

/// `out = a · b` for `a.len() ≥ b.len()`, `out.len() = a.len() + b.len()`.
///
/// # Safety
/// The processor must support BMI2 and ADX.
#[inline]
pub(crate) unsafe fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(out.len() == a.len() + b.len() && a.len() >= b.len());
    let (pa, pb, po) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr());
    if a.len() == b.len()
        && let Some(square) = SQUARES.get(a.len().wrapping_sub(2))
    {
        // SAFETY: both operands have as many limbs as this function takes.
        unsafe { square(po, pa, pb) };
        return;
    }
    match b.len() {
        0 => out.fill(0),
        1 => mul_by_limb(out, a, b[0]),
        rows => {
            let first = (a.len() - 1) % 8 + 1;
            // SAFETY: the first strip reads `first` limbs of a and all of b, and writes as many limbs
            // of the product; each other strip starts eight limbs further up, where the strip before
            // has left `rows` limbs, and ends inside the product.
            unsafe {
                FRESH[first - 1](po, pa, pb, rows);
                for start in (first..a.len()).step_by(8) {
                    add_8(po.add(start), pa.add(start), pb, rows);
                }
            }
        }
    }
}

/// `out = a · word` for `out.len() = a.len() + 1`.
fn mul_by_limb(out: &mut [u64], a: &[u64], word: u64) {
    let blocks = a.len() / 4;
    let mut carry = 0;
    if blocks > 0 {
        // SAFETY: 4·blocks limbs are within both slices; called only where `mulx` is supported.
        carry = unsafe { mul_word(out.as_mut_ptr(), a.as_ptr(), word, blocks) };
    }
    for i in 4 * blocks..a.len() {
        let t = u128::from(a[i]) * u128::from(word) + u128::from(carry);
        out[i] = t as u64;
        carry = (t >> 64) as u64;
    }
    out[a.len()] = carry;
}
