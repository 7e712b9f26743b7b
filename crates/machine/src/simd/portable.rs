//! The twin of every vector operation in plain words.

use super::vectors::{Simd, SimdTask};
use crate::arrays;

/// Four 64-bit words side by side, on any machine.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

type Lanes = [u64; 4];

#[inline(always)]
fn map(a: Lanes, b: Lanes, operation: impl Fn(u64, u64) -> u64) -> Lanes {
    arrays::from_fn(|lane| operation(a[lane], b[lane]))
}

/// Applies an operation to both halves of two words.
#[inline(always)]
fn halves(a: u64, b: u64, operation: impl Fn(u32, u32) -> u32) -> u64 {
    let low = operation(a as u32, b as u32);
    let high = operation((a >> 32) as u32, (b >> 32) as u32);
    u64::from(high) << 32 | u64::from(low)
}

const MASK_52: u64 = (1 << 52) - 1;

#[inline(always)]
fn product_52(a: u64, b: u64) -> u128 {
    u128::from(a & MASK_52) * u128::from(b & MASK_52)
}

#[inline(never)]
fn run_apart<T: SimdTask<Portable>>(simd: Portable, task: T) -> T::Output {
    task.run(simd)
}

impl Simd for Portable {
    type Vector = Lanes;
    type Factor = Lanes;
    type Float = [f64; 4];
    const LANES: usize = 4;
    const IN_WORDS: bool = true;
    const FAST_52: bool = false;

    #[inline(always)]
    fn vectorize<T: SimdTask<Self>>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline(always)]
    fn outline<T: SimdTask<Self>>(self, task: T) -> T::Output {
        run_apart(self, task)
    }

    #[inline(always)]
    fn splat64(self, word: u64) -> Lanes {
        [word; 4]
    }

    #[inline(always)]
    unsafe fn load_unaligned(self, source: *const u64) -> Lanes {
        // SAFETY: four words are readable, as this function asks; alignment is not assumed.
        unsafe { source.cast::<Lanes>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_unaligned(self, target: *mut u64, vector: Lanes) {
        // SAFETY: four words are writable, as this function asks; alignment is not assumed.
        unsafe { target.cast::<Lanes>().write_unaligned(vector) }
    }

    #[inline(always)]
    fn add64(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, u64::wrapping_add)
    }

    #[inline(always)]
    fn sub64(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, u64::wrapping_sub)
    }

    #[inline(always)]
    fn add32(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| halves(a, b, u32::wrapping_add))
    }

    #[inline(always)]
    fn sub32(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| halves(a, b, u32::wrapping_sub))
    }

    #[inline(always)]
    fn min32(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| halves(a, b, u32::min))
    }

    #[inline(always)]
    fn and(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn shift_right64(self, a: Lanes, count: u32) -> Lanes {
        arrays::map(a, |a| a.checked_shr(count).unwrap_or(0))
    }

    #[inline(always)]
    fn shift_left64(self, a: Lanes, count: u32) -> Lanes {
        arrays::map(a, |a| a.checked_shl(count).unwrap_or(0))
    }

    #[inline(always)]
    fn reduce_once64(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| {
            let difference = a.wrapping_sub(b);
            if difference >> 63 == 0 { difference } else { a }
        })
    }

    #[inline(always)]
    fn mul_low_halves(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| u64::from(a as u32) * u64::from(b as u32))
    }

    #[inline(always)]
    fn mul_low64(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, u64::wrapping_mul)
    }

    #[inline(always)]
    fn mul_wide64(self, a: Lanes, b: Lanes) -> (Lanes, Lanes) {
        let product = |lane: usize| u128::from(a[lane]) * u128::from(b[lane]);
        (
            arrays::from_fn(|lane| product(lane) as u64),
            arrays::from_fn(|lane| (product(lane) >> 64) as u64),
        )
    }

    #[inline(always)]
    fn add_low52(self, sum: Lanes, a: Lanes, b: Lanes) -> Lanes {
        let low = map(a, b, |a, b| product_52(a, b) as u64 & MASK_52);
        map(sum, low, u64::wrapping_add)
    }

    #[inline(always)]
    fn add_high52(self, sum: Lanes, a: Lanes, b: Lanes) -> Lanes {
        let high = map(a, b, |a, b| (product_52(a, b) >> 52) as u64);
        map(sum, high, u64::wrapping_add)
    }

    #[inline(always)]
    fn shift_right_signed64(self, a: Lanes, count: u32) -> Lanes {
        arrays::map(a, |a| (a as i64 >> count) as u64)
    }

    #[inline(always)]
    fn less64(self, a: Lanes, b: Lanes) -> Lanes {
        map(a, b, |a, b| if a < b { u64::MAX } else { 0 })
    }

    #[inline(always)]
    fn top_bits64(self, a: Lanes) -> u8 {
        let bits = a.into_iter().enumerate();
        bits.fold(0, |bits, (lane, a)| bits | ((a >> 63) as u8) << lane)
    }

    #[inline(always)]
    fn factor52(self, a: Lanes) -> Lanes {
        a
    }

    #[inline(always)]
    fn add_product52(self, (low, high): (Lanes, Lanes), a: Lanes, b: Lanes) -> (Lanes, Lanes) {
        (self.add_low52(low, a, b), self.add_high52(high, a, b))
    }

    #[inline(always)]
    fn add_low_product52(self, sum: Lanes, a: Lanes, b: Lanes) -> Lanes {
        self.add_low52(sum, a, b)
    }

    #[inline(always)]
    fn splat_float(self, value: f64) -> [f64; 4] {
        [value; 4]
    }

    #[inline(always)]
    fn float52(self, a: Lanes) -> [f64; 4] {
        arrays::map(a, |a| a as f64)
    }

    #[inline(always)]
    fn float_signed(self, a: Lanes) -> [f64; 4] {
        arrays::map(a, |a| a as i64 as f64)
    }

    #[inline(always)]
    fn float64(self, a: Lanes) -> [f64; 4] {
        arrays::map(a, |a| a as i64 as f64)
    }

    #[inline(always)]
    fn mul_float(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        arrays::from_fn(|lane| a[lane] * b[lane])
    }

    #[inline(always)]
    fn mul_add_float(self, a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> [f64; 4] {
        // Without the instruction, a fused multiply-add is a slow function.
        arrays::from_fn(|lane| a[lane] * b[lane] + c[lane])
    }

    #[inline(always)]
    fn floor52(self, a: [f64; 4]) -> (Lanes, Lanes) {
        let floor = arrays::map(a, |a| a as u64);
        (floor, floor)
    }

    #[inline(always)]
    fn floor104(self, a: [f64; 4]) -> [(Lanes, Lanes); 2] {
        let high = arrays::map(a, |a| (a * (1.0 / TWO_52)) as u64);
        let low = |lane: usize| a[lane] - high[lane] as f64 * TWO_52;
        [self.floor52(arrays::from_fn(low)), (high, high)]
    }
}

const TWO_52: f64 = (1u64 << 52) as f64;
