//! Schoolbook products: every limb of one operand times every limb of the other.
//!
//! Quadratic, with the smallest constant: the base case of everything else. There is a kernel for every range of
//! lengths; [`Planner`](crate::plan::Planner) chooses one.

#[cfg(target_arch = "x86_64")]
mod adx;
#[cfg(target_arch = "x86_64")]
mod ifma;

use sunzi_rns::limbs::{addmul_1, mul_1};

/// The kernels, and what operands they take, of `long ≥ short` limbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Plain Rust, for any lengths and any processor.
    Portable,
    /// With `mulx`, `adcx` and `adox`: a function for every pair of lengths from 1 to [`MAX_UNROLLED`], in any order.
    Unrolled,
    /// The same for the squares of these lengths.
    UnrolledSquare,
    /// A function for every square of a length from there to [`MAX_LONG_SQUARE`].
    LongSquare,
    /// Nothing to multiply: the shorter operand is empty.
    Empty,
    /// A longer operand times one limb.
    OneWord,
    /// A longer operand times two limbs.
    TwoWords,
    /// The longer operand passes limb by limb over the shorter one, which has 1 to [`MAX_UNROLLED`].
    Strip,
    /// The longer operand is cut into strips, and the shorter one, which is not empty, passes over each.
    Strips,
    /// With AVX-512 IFMA, both operands in registers: `long` from 1 to [`MAX_IFMA_WHOLE`].
    Ifma,
    /// The same in tiles: `long` from 1 to [`MAX_IFMA`].
    IfmaTiled,
}

impl Kernel {
    /// Whether the kernel takes operands of these lengths.
    pub fn takes(self, long: usize, short: usize) -> bool {
        let ordered = long >= short && short > 0;
        match self {
            Self::Portable => true,
            Self::Unrolled => long.min(short) > 0 && long.max(short) <= MAX_UNROLLED,
            Self::UnrolledSquare => long == short && (1..=MAX_UNROLLED).contains(&long),
            Self::LongSquare => {
                long == short && (MAX_UNROLLED + 1..=MAX_LONG_SQUARE).contains(&long)
            }
            Self::Empty => short == 0,
            Self::OneWord => short == 1 && ordered,
            Self::TwoWords => short == 2 && ordered,
            Self::Strip => ordered && short <= MAX_UNROLLED,
            Self::Strips => ordered,
            Self::Ifma => ordered && long <= MAX_IFMA_WHOLE,
            Self::IfmaTiled => ordered && long <= MAX_IFMA,
        }
    }
}

/// Most limbs of operands whose product is a function of its own.
pub(crate) const MAX_UNROLLED: usize = 8;
/// Most limbs of an operand whose square is a function of its own.
pub(crate) const MAX_LONG_SQUARE: usize = 16;
/// Most limbs of the longer operand of a product with AVX-512 IFMA in registers: ten vectors of eight digits.
pub(crate) const MAX_IFMA_WHOLE: usize = 10 * 52 / 8;
/// Most limbs of the longer operand of a product with AVX-512 IFMA.
pub const MAX_IFMA: usize = 40 * 52 / 8;

/// `out = a · b` for `a.len() ≥ b.len()` (or any order, where the kernel says so); squares look at `a` only.
///
/// # Safety
/// The kernel takes operands of these lengths, the processor has its instructions, and
/// `out.len() = a.len() + b.len()`.
#[inline(always)]
pub unsafe fn run(kernel: Kernel, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(kernel.takes(a.len(), b.len()) && out.len() == a.len() + b.len());
    // SAFETY: every function reads as many limbs as the slices have, and writes as many as both, the length of `out`;
    // its bounds on lengths and its instructions are those of the kernel, as this function asks.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        let (po, pa, pb) = (out.as_mut_ptr(), a.as_ptr(), b.as_ptr());
        match kernel {
            Kernel::Portable => portable(out, a, b),
            Kernel::Unrolled => unrolled(po, a, b),
            Kernel::UnrolledSquare => unrolled_square(po, a),
            Kernel::LongSquare => adx::long_square(a.len())(po, pa),
            Kernel::Empty => out.fill(0),
            Kernel::OneWord => adx::mul_by_one(po, pa, pb.read(), a.len()),
            Kernel::TwoWords => adx::mul_by_two(po, pa, pb, a.len()),
            Kernel::Strip => adx::strip(b.len())(po, pb, pa, a.len()),
            Kernel::Strips => adx::mul_by_strips(out, a, b),
            Kernel::Ifma => ifma::mul(out, a, b),
            Kernel::IfmaTiled => ifma::mul_tiled(out, a, b),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        // No other is planned there.
        debug_assert_eq!(kernel, Kernel::Portable);
        portable(out, a, b);
    }
}

/// [`run`] of [`Kernel::Unrolled`], for the code of callers.
///
/// # Safety
/// As [`run`], but that `out` need not be initialized: it is writable for as many limbs as both operands have, all of which are written.
#[inline(always)]
pub(crate) unsafe fn unrolled(out: *mut u64, a: &[u64], b: &[u64]) {
    debug_assert!(Kernel::Unrolled.takes(a.len(), b.len()));
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the function reads and writes as many limbs as the operands and their product have.
    unsafe {
        adx::unrolled(a.len(), b.len())(out, a.as_ptr(), b.as_ptr());
    }
    #[cfg(not(target_arch = "x86_64"))]
    unreachable!("planned for kernels with carry chains alone: {out:?}");
}

/// [`run`] of [`Kernel::UnrolledSquare`], for the code of callers.
///
/// # Safety
/// As [`unrolled`].
#[inline(always)]
pub(crate) unsafe fn unrolled_square(out: *mut u64, a: &[u64]) {
    debug_assert!(Kernel::UnrolledSquare.takes(a.len(), a.len()));
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the function reads and writes as many limbs as the operand and its square have.
    unsafe {
        adx::unrolled_square(a.len())(out, a.as_ptr());
    }
    #[cfg(not(target_arch = "x86_64"))]
    unreachable!("planned for kernels with carry chains alone: {out:?}");
}

/// `out = a · b` in plain Rust, for any lengths, in any order; what the assembly is tested against.
pub fn portable(out: &mut [u64], a: &[u64], b: &[u64]) {
    let Some((&first, rest)) = b.split_first() else {
        out.fill(0);
        return;
    };
    let rows = a.len();
    out[rows] = mul_1(&mut out[..rows], a, first);
    for (j, &word) in rest.iter().enumerate() {
        let row = &mut out[j + 1..];
        row[rows] = addmul_1(&mut row[..rows], a, word);
    }
}
