//! Squares of nine to sixteen limbs: eight limbs x and one to eight limbs y above them.
//!
//! The products of different limbs of x come first, then x·y, as a strip y over the limbs of x that takes
//! them up from memory, and the strip's sum is what the products of different limbs of y start from.

use super::square::Square;
use std::arch::naked_asm;

/// The square of 8 + m limbs, by their number and m, row and products of each limb of y, the registers that
/// move one place down before, and the limbs above the lowest.
macro_rules! long_square {
    ($name:ident, $n:literal, $m:tt $(, $i:literal $k:tt)*; $($to:literal $from:literal)*; $($limb:literal)+; $save:tt) => {
        /// `out = a²` for an operand of exactly this length.
        ///
        /// # Safety
        /// `mulx`, `adcx`, `adox` supported; the operand readable, `out` writable for the square.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, a: *const u64) {
            naked_asm!(concat!(
                save!($save),
                "mov rdx, [rsi]\n",
                first_cross_row!(7),
                cross_row!(1, 6),
                cross_row!(2, 5),
                cross_row!(3, 4),
                cross_row!(4, 3),
                cross_row!(5, 2),
                cross_row!(6, 1),
                // Above the highest product, where the last row of x·y looks for a limb.
                "mov qword ptr [rdi + 120], 0\n",
                "mov rcx, rsi\n",
                "lea rsi, [rsi + 64]\n",
                "lea rdi, [rdi + 64]\n",
                zero!($m),
                row!($m, 0, add),
                row!($m, 1, add),
                row!($m, 2, add),
                row!($m, 3, add),
                row!($m, 4, add),
                row!($m, 5, add),
                row!($m, 6, add),
                row!($m, 7, add),
                "lea rdi, [rdi + 64]\n",
                // Below the products of limbs of y.
                "mov [rdi], r8\n",
                $("mov ", $to, ", ", $from, "\n",)*
                $(cross_row!($i, $k),)*
                "lea rsi, [rsi - 64]\n",
                "lea rdi, [rdi - 128]\n",
                double_and_add_squares!($n, $($limb)+),
                restore!($save),
                "ret\n",
                aligned!(),
            ))
        }
    };
}

long_square!(square_9, 9, 1;
    ;
    1 2 3 4 5 6 7 8; 6);
long_square!(square_10, 10, 2, 0 1;
    "r8" "r9";
    1 2 3 4 5 6 7 8 9; 6);
long_square!(square_11, 11, 3, 0 2, 1 1;
    "r8" "r9" "r9" "r10";
    1 2 3 4 5 6 7 8 9 10; 6);
long_square!(square_12, 12, 4, 0 3, 1 2, 2 1;
    "r8" "r9" "r9" "r10" "r10" "r11";
    1 2 3 4 5 6 7 8 9 10 11; 6);
long_square!(square_13, 13, 5, 0 4, 1 3, 2 2, 3 1;
    "r8" "r9" "r9" "r10" "r10" "r11" "r11" "r12";
    1 2 3 4 5 6 7 8 9 10 11 12; 6);
long_square!(square_14, 14, 6, 0 5, 1 4, 2 3, 3 2, 4 1;
    "r8" "r9" "r9" "r10" "r10" "r11" "r11" "r12" "r12" "r13";
    1 2 3 4 5 6 7 8 9 10 11 12 13; 6);
long_square!(square_15, 15, 7, 0 6, 1 5, 2 4, 3 3, 4 2, 5 1;
    "r8" "r9" "r9" "r10" "r10" "r11" "r11" "r12" "r12" "r13" "r13" "r14";
    1 2 3 4 5 6 7 8 9 10 11 12 13 14; 7);
long_square!(square_16, 16, 8, 0 7, 1 6, 2 5, 3 4, 4 3, 5 2, 6 1;
    "r8" "r9" "r9" "r10" "r10" "r11" "r11" "r12" "r12" "r13" "r13" "r14" "r14" "r15";
    1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; 8);

/// Squares of 9 to 16 limbs.
static SQUARES: [Square; 8] = [
    square_9, square_10, square_11, square_12, square_13, square_14, square_15, square_16,
];

/// The square of an operand of this length.
///
/// # Safety
/// It is from 9 to 16.
#[inline]
pub(in crate::schoolbook) unsafe fn function(len: usize) -> Square {
    debug_assert!((9..=16).contains(&len));
    // SAFETY: one of eight places, as this function asks.
    unsafe { *SQUARES.get_unchecked(len - 9) }
}
