//! Squares of one to eight limbs, all unrolled; the shortest ones wholly in registers.

use std::arch::naked_asm;

/// `out = a²` for one limb.
///
/// # Safety
/// `mulx` supported; the operand readable, `out` writable for the square.
#[unsafe(naked)]
unsafe extern "sysv64" fn square_1(out: *mut u64, a: *const u64) {
    naked_asm!(
        "mov rdx, [rsi]",
        "mulx rcx, rax, rdx",
        "mov [rdi], rax",
        "mov [rdi + 8], rcx",
        "ret",
        aligned!(),
    )
}

/// Doubles two limbs of the sum of products, 2i − 1 and 2i, in registers, and adds squares as
/// `double_and_add` does.
macro_rules! double_in_registers {
    ($i:literal, $lower:literal, $upper:literal) => {
        concat!(
            "mov rdx, [rsi + 8*",
            $i,
            "]\n",
            "adcx ",
            $lower,
            ", ",
            $lower,
            "\n",
            "adox ",
            $lower,
            ", rcx\n",
            "mov [rdi + 16*",
            $i,
            " - 8], ",
            $lower,
            "\n",
            "mulx rcx, rax, rdx\n",
            "adcx ",
            $upper,
            ", ",
            $upper,
            "\n",
            "adox ",
            $upper,
            ", rax\n",
            "mov [rdi + 16*",
            $i,
            "], ",
            $upper,
            "\n",
        )
    };
}

/// A square of n limbs by the text that makes the products of different limbs, and the registers that it
/// leaves their sum in.
macro_rules! square_in_registers {
    ($name:ident, $n:literal, $enter:literal, $cross:expr, $leave:literal;
        $($i:literal $lower:literal $upper:literal),+) => {
        /// `out = a²` for an operand of exactly this length.
        ///
        /// # Safety
        /// `mulx`, `adcx`, `adox` supported; the operand readable, `out` writable for the square.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, a: *const u64) {
            naked_asm!(
                $enter,
                $cross,
                "mov rdx, [rsi]",
                // No carries yet.
                "xor eax, eax",
                "mulx rcx, rax, rdx",
                "mov [rdi], rax",
                $(double_in_registers!($i, $lower, $upper),)+
                "mov eax, 0",
                "adcx rcx, rax",
                "adox rcx, rax",
                concat!("mov [rdi + 16*", $n, " - 8], rcx"),
                $leave,
                "ret",
                aligned!(),
            )
        }
    };
}

square_in_registers!(square_2, 2, "", "mov rdx, [rsi]\nmulx r9, r8, [rsi + 8]\n", ""; 1 "r8" "r9");
// The products 01 and 12 stand side by side; 02 overlaps both.
square_in_registers!(square_3, 3, "",
    concat!(
        "mov rdx, [rsi + 8]\n",
        "mulx r9, r8, [rsi]\n",
        "mulx r11, r10, [rsi + 16]\n",
        "mov rdx, [rsi]\n",
        "mulx rcx, rax, [rsi + 16]\n",
        "add r9, rax\n",
        "adc r10, rcx\n",
        "adc r11, 0\n",
    ), "";
    1 "r8" "r9", 2 "r10" "r11");
// The products 01, 03 and 23 stand side by side; 02 and 13 do too, one place up, and 12 in the middle.
square_in_registers!(square_4, 4, "push rbx\npush rbp\n",
    concat!(
        "mov rdx, [rsi]\n",
        "mulx r9, r8, [rsi + 8]\n",
        "mulx r11, r10, [rsi + 24]\n",
        "mulx rcx, rax, [rsi + 16]\n",
        "mov rdx, [rsi + 24]\n",
        "mulx rbp, rbx, [rsi + 16]\n",
        "add r9, rax\n",
        "adc r10, rcx\n",
        "mulx rcx, rax, [rsi + 8]\n",
        "adc r11, rax\n",
        "adc rbx, rcx\n",
        "adc rbp, 0\n",
        "mov rdx, [rsi + 8]\n",
        "mulx rcx, rax, [rsi + 16]\n",
        "add r10, rax\n",
        "adc r11, rcx\n",
        "adc rbx, 0\n",
        "adc rbp, 0\n",
    ), "pop rbp\npop rbx\n";
    1 "r8" "r9", 2 "r10" "r11", 3 "rbx" "rbp");

/// The square of n limbs, by n, the products of row 0, row and products of the others, and the limbs above
/// the lowest.
macro_rules! square {
    ($name:ident, $n:literal, $first:tt $(, $i:literal $k:tt)*; $($limb:literal)+; $save:tt) => {
        /// `out = a²` for an operand of exactly this length.
        ///
        /// # Safety
        /// `mulx`, `adcx`, `adox` supported; the operand readable, `out` writable for the square.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, a: *const u64) {
            naked_asm!(concat!(
                save!($save),
                "mov rdx, [rsi]\n",
                first_cross_row!($first),
                $(cross_row!($i, $k),)*
                double_and_add_squares!($n, $($limb)+),
                restore!($save),
                "ret\n",
                aligned!(),
            ))
        }
    };
}

square!(square_5, 5, 4, 1 3, 2 2, 3 1; 1 2 3 4; 1);
square!(square_6, 6, 5, 1 4, 2 3, 3 2, 4 1; 1 2 3 4 5; 1);
square!(square_7, 7, 6, 1 5, 2 4, 3 3, 4 2, 5 1; 1 2 3 4 5 6; 5);
square!(square_8, 8, 7, 1 6, 2 5, 3 4, 4 3, 5 2, 6 1; 1 2 3 4 5 6 7; 6);

/// Reads an operand and writes its square.
pub(super) type Square = unsafe extern "sysv64" fn(*mut u64, *const u64);

/// Squares of 1 to 8 limbs.
static SQUARES: [Square; 8] = [
    square_1, square_2, square_3, square_4, square_5, square_6, square_7, square_8,
];

/// The square of an operand of this length.
///
/// # Safety
/// It is from 1 to 8.
#[inline]
pub(in crate::schoolbook) unsafe fn function(len: usize) -> Square {
    debug_assert!((1..=8).contains(&len));
    // SAFETY: one of eight places, as this function asks.
    unsafe { *SQUARES.get_unchecked(len - 1) }
}
