//! Products of operands of one to eight limbs each: a function for every pair of lengths, all unrolled.
//!
//! The first row finds no sum to add to and needs one carry chain only; the others are those of a strip.

use std::arch::naked_asm;

/// A product of k limbs by some, at most k, that number the rows after the first.
macro_rules! shape {
    ($name:ident, $k:tt, $($j:literal)*; $rows:tt) => {
        /// `out = a · b` for operands of exactly these lengths.
        ///
        /// # Safety
        /// `mulx`, `adcx`, `adox` supported; operands readable, `out` writable for the product.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, a: *const u64, b: *const u64) {
            naked_asm!(concat!(
                save!($k),
                "mov rcx, rdx\n",
                "mov rdx, [rdx]\n",
                "mulx rax, rbx, [rsi]\n",
                "mov [rdi], rbx\n",
                first_places!($k),
                "adc ", top_register!($k), ", 0\n",
                $(row!($k, $j, fresh),)*
                store!($k, $rows),
                restore!($k),
                "ret\n",
                aligned!(),
            ))
        }
    };
}

/// A product of some limbs by one: nothing is kept but the last high half.
macro_rules! by_one {
    ($name:ident, $last:literal $(, $i:literal)*) => {
        /// `out = a · b` for operands of exactly these lengths.
        ///
        /// # Safety
        /// `mulx` supported; operands readable, `out` writable for the product.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, a: *const u64, b: *const u64) {
            naked_asm!(concat!(
                "mov rdx, [rdx]\n",
                // No carry yet.
                "xor eax, eax\n",
                "mulx rax, rcx, [rsi]\n",
                "mov [rdi], rcx\n",
                $(
                    "mulx r8, rcx, [rsi + 8*", $i, "]\n",
                    "adc rcx, rax\n",
                    "mov [rdi + 8*", $i, "], rcx\n",
                    "mov rax, r8\n",
                )*
                "adc rax, 0\n",
                "mov [rdi + 8*", $last, "], rax\n",
                "ret\n",
                aligned!(),
            ))
        }
    };
}

/// The same product with its operands in the other order.
macro_rules! swapped {
    ($($name:ident = $of:ident;)+) => {$(
        /// `out = a · b` for operands of exactly these lengths.
        ///
        /// # Safety
        /// As the function that it jumps to.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(out: *mut u64, a: *const u64, b: *const u64) {
            naked_asm!("xchg rsi, rdx", "jmp {}", sym $of)
        }
    )+};
}

by_one!(product_1_1, 1);
by_one!(product_2_1, 2, 1);
by_one!(product_3_1, 3, 1, 2);
by_one!(product_4_1, 4, 1, 2, 3);
by_one!(product_5_1, 5, 1, 2, 3, 4);
by_one!(product_6_1, 6, 1, 2, 3, 4, 5);
by_one!(product_7_1, 7, 1, 2, 3, 4, 5, 6);
by_one!(product_8_1, 8, 1, 2, 3, 4, 5, 6, 7);
shape!(product_2_2, 2, 1; 2);
shape!(product_3_2, 3, 1; 2);
shape!(product_3_3, 3, 1 2; 3);
shape!(product_4_2, 4, 1; 2);
shape!(product_4_3, 4, 1 2; 3);
shape!(product_4_4, 4, 1 2 3; 4);
shape!(product_5_2, 5, 1; 2);
shape!(product_5_3, 5, 1 2; 3);
shape!(product_5_4, 5, 1 2 3; 4);
shape!(product_5_5, 5, 1 2 3 4; 5);
shape!(product_6_2, 6, 1; 2);
shape!(product_6_3, 6, 1 2; 3);
shape!(product_6_4, 6, 1 2 3; 4);
shape!(product_6_5, 6, 1 2 3 4; 5);
shape!(product_6_6, 6, 1 2 3 4 5; 6);
shape!(product_7_2, 7, 1; 2);
shape!(product_7_3, 7, 1 2; 3);
shape!(product_7_4, 7, 1 2 3; 4);
shape!(product_7_5, 7, 1 2 3 4; 5);
shape!(product_7_6, 7, 1 2 3 4 5; 6);
shape!(product_7_7, 7, 1 2 3 4 5 6; 7);
shape!(product_8_2, 8, 1; 2);
shape!(product_8_3, 8, 1 2; 3);
shape!(product_8_4, 8, 1 2 3; 4);
shape!(product_8_5, 8, 1 2 3 4; 5);
shape!(product_8_6, 8, 1 2 3 4 5; 6);
shape!(product_8_7, 8, 1 2 3 4 5 6; 7);
shape!(product_8_8, 8, 1 2 3 4 5 6 7; 8);
swapped! {
    product_1_2 = product_2_1;
    product_1_3 = product_3_1;
    product_1_4 = product_4_1;
    product_1_5 = product_5_1;
    product_1_6 = product_6_1;
    product_1_7 = product_7_1;
    product_1_8 = product_8_1;
    product_2_3 = product_3_2;
    product_2_4 = product_4_2;
    product_2_5 = product_5_2;
    product_2_6 = product_6_2;
    product_2_7 = product_7_2;
    product_2_8 = product_8_2;
    product_3_4 = product_4_3;
    product_3_5 = product_5_3;
    product_3_6 = product_6_3;
    product_3_7 = product_7_3;
    product_3_8 = product_8_3;
    product_4_5 = product_5_4;
    product_4_6 = product_6_4;
    product_4_7 = product_7_4;
    product_4_8 = product_8_4;
    product_5_6 = product_6_5;
    product_5_7 = product_7_5;
    product_5_8 = product_8_5;
    product_6_7 = product_7_6;
    product_6_8 = product_8_6;
    product_7_8 = product_8_7;
}

/// Reads operands and writes their product.
type Product = unsafe extern "sysv64" fn(*mut u64, *const u64, *const u64);

/// Products of operands of 1 to 8 limbs, the lengths of the first operand in turn, then of the second.
#[rustfmt::skip]
static PRODUCTS: [Product; 64] = [
    product_1_1, product_1_2, product_1_3, product_1_4, product_1_5, product_1_6, product_1_7, product_1_8,
    product_2_1, product_2_2, product_2_3, product_2_4, product_2_5, product_2_6, product_2_7, product_2_8,
    product_3_1, product_3_2, product_3_3, product_3_4, product_3_5, product_3_6, product_3_7, product_3_8,
    product_4_1, product_4_2, product_4_3, product_4_4, product_4_5, product_4_6, product_4_7, product_4_8,
    product_5_1, product_5_2, product_5_3, product_5_4, product_5_5, product_5_6, product_5_7, product_5_8,
    product_6_1, product_6_2, product_6_3, product_6_4, product_6_5, product_6_6, product_6_7, product_6_8,
    product_7_1, product_7_2, product_7_3, product_7_4, product_7_5, product_7_6, product_7_7, product_7_8,
    product_8_1, product_8_2, product_8_3, product_8_4, product_8_5, product_8_6, product_8_7, product_8_8,
];

/// The product of operands of these lengths.
///
/// # Safety
/// Both are from 1 to 8.
#[inline]
pub(in crate::schoolbook) unsafe fn function(len_a: usize, len_b: usize) -> Product {
    debug_assert!((1..=8).contains(&len_a) && (1..=8).contains(&len_b));
    // SAFETY: a place below 8·8, as this function asks.
    unsafe { *PRODUCTS.get_unchecked((len_a - 1) * 8 + (len_b - 1)) }
}
