//! A strip of one to eight limbs times any number of limbs: the partial sum stays in registers.
//!
//! A row adds the strip times one limb, stores the lowest limb of the sum for good, and renames the others
//! one place down, at no cost, as each `mulx` writes its low half into the register that the place below
//! has just left. What an earlier strip left in memory enters at the lowest place, whose second carry
//! chain is free.
//!
//! A sum never leaves its k + 1 limbs: (2^(64k) − 1) + (2^(64k) − 1)(2^64 − 1) + (2^64 − 1) = 2^(64(k+1)) − 1.

use std::arch::naked_asm;

/// A strip of k limbs times any number of rows, which `rbp` counts.
macro_rules! strip {
    ($name:ident, $k:tt, $add:tt) => {
        /// `out[..rows] (+)= low part`, `out[rows..rows + k] = high part` of a strip times `rows` limbs.
        ///
        /// # Safety
        /// `mulx`, `adcx`, `adox` supported; `rows ≥ 1`; `b` readable for `rows`, the strip for k,
        /// `out` writable (and readable, when adding) for `rows + k` limbs.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            out: *mut u64,
            strip: *const u64,
            b: *const u64,
            rows: usize,
        ) {
            naked_asm!(concat!(
                "push rbp\n",
                save!($k),
                "mov rbp, rcx\n",
                "mov rcx, rdx\n",
                zero!($k),
                "test bpl, 1\n",
                "jz 3f\n",
                row!($k, 0, $add),
                "lea rcx, [rcx + 8]\n",
                "lea rdi, [rdi + 8]\n",
                "3:\n",
                "shr rbp, 1\n",
                "jz 4f\n",
                ".p2align 5\n",
                "2:\n",
                row!($k, 0, $add),
                row!($k, 1, $add),
                "lea rcx, [rcx + 16]\n",
                "lea rdi, [rdi + 16]\n",
                "dec rbp\n",
                "jnz 2b\n",
                "4:\n",
                store!($k, 0),
                restore!($k),
                "pop rbp\n",
                "ret\n",
            ))
        }
    };
}

strip!(fresh_1, 1, fresh);
strip!(fresh_2, 2, fresh);
strip!(fresh_3, 3, fresh);
strip!(fresh_4, 4, fresh);
strip!(fresh_5, 5, fresh);
strip!(fresh_6, 6, fresh);
strip!(fresh_7, 7, fresh);
strip!(fresh_8, 8, fresh);
strip!(add_8, 8, add);

/// Reads a strip and some limbs, and writes their product.
type Strip = unsafe extern "sysv64" fn(*mut u64, *const u64, *const u64, usize);

/// Strips of 1 to 8 limbs over memory that holds nothing yet.
static FRESH: [Strip; 8] = [
    fresh_1, fresh_2, fresh_3, fresh_4, fresh_5, fresh_6, fresh_7, fresh_8,
];

/// A strip of this length over memory that holds nothing yet.
///
/// # Safety
/// It is from 1 to 8.
#[inline]
pub(in crate::schoolbook) unsafe fn function(strip: usize) -> Strip {
    debug_assert!((1..=8).contains(&strip));
    // SAFETY: one of eight places, as this function asks.
    unsafe { *FRESH.get_unchecked(strip - 1) }
}

/// `out = a · b` for any lengths but zero, `a` cut into strips. Not beside other kernels, which would save registers
/// for it.
///
/// # Safety
/// The processor must support BMI2 and ADX; `out.len() = a.len() + b.len()`; no operand is empty.
#[inline(never)]
pub(in crate::schoolbook) unsafe fn mul_by_strips(out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(out.len() == a.len() + b.len() && !a.is_empty() && !b.is_empty());
    let (pa, pb, po, rows) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr(), b.len());
    let first = (a.len() - 1) % 8 + 1;
    // SAFETY: the first strip reads `first` limbs of a and all of b, and writes as many limbs of the
    // product; each other strip starts eight limbs further up, where the strip before has left `rows`
    // limbs, and ends inside the product.
    unsafe {
        function(first)(po, pa, pb, rows);
        for start in (first..a.len()).step_by(8) {
            add_8(po.add(start), pa.add(start), pb, rows);
        }
    }
}
