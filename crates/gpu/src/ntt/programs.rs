//! The programs of transforms: their passes, and a small one for points and twiddle factors.

use super::plan::{NttParameters, NttPlan, Pass, near};
use crate::elements::{ElementsMut, ElementsRef};
use crate::field::{Fields, Scale};
use crate::word::Word;
use crate::work::{butterfly_and_product, sum_of};
use sunzi_device::parameters::{Note, Operand};
use sunzi_device::{Device, GpuError, Kernel, Source, Work, kernel};

/// The kernel of one pass.
const PASS: &str = include_str!("ntt.cl");

kernel! {
    /// A pass of transforms of `count` elements for each prime, which a row of groups has; one with `multiply` multiplies
    /// them by other transforms.
    pub(super) unsafe struct RunPass<'a> for "ntt_pass" in launch {
        data: ElementsMut<'a> [first + (launch.rows() - 1) * stride + count],
        first: u64,
        stride: u64,
        count: u64,
        shift: u32,
        depth: u32,
        levels: u32,
        columns: u32,
        twisted: u32,
        near: u32,
        negacyclic: bool,
        table: ElementsRef<'a> [launch.rows() << log_table],
        powers: ElementsRef<'a> [launch.rows() << log_powers],
        log_table: u32,
        log_powers: u32,
        multiply: bool,
        other: Operand<ElementsRef<'a>> [multiply * (other_first + (launch.rows() - 1) * other_stride + count.min(mask.saturating_add(1)))],
        other_first: u64,
        other_stride: u64,
        mask: u64,
        scale: Scale,
        fields: &'a Fields,
        barriers: Note<usize>,
    }
    work(k, launch) {
        let count = k.count * launch.groups[1] as u64;
        let multiplied = u64::from(k.multiply) * count;
        let [butterfly, product] = butterfly_and_product(k.fields);
        Work {
            bytes: (2 * count + multiplied) * k.fields.word().bytes() as u64,
            multiplications: count * u64::from(k.levels) * butterfly / 2 + multiplied * product,
            barriers: k.barriers.0,
        }
    }
}

/// Which transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Transform {
    /// From values to coefficients.
    pub inverse: bool,
    /// Modulo x^N + 1 instead of x^N − 1.
    pub negacyclic: bool,
    /// An inverse of products with other transforms.
    pub product: bool,
}

/// The program of a pass.
fn source(
    fields: &Fields,
    pass: &Pass,
    parameters: &NttParameters,
    transform: Transform,
    split: u32,
) -> Source<'static> {
    let word = fields.word();
    let source = fields
        .source("a pass of a transform", parameters.threads)
        .define("LOG_TILE", parameters.log_tile)
        .define("RADIX", parameters.log_radix)
        .define("INVERSE", u32::from(transform.inverse))
        .define("SPECIALIZED", u32::from(parameters.specialized));
    // 16 registers of points, and what goes with them, fit 1024 threads on a processor with 65536 registers.
    let source = if word.bytes() << parameters.log_radix <= 64 {
        source.define("RESIDENT", (1024 / parameters.threads).max(1))
    } else {
        source
    };
    if !parameters.specialized {
        return source.part(PASS);
    }
    let root = pass.depth == 0;
    source
        .define("LEVELS", pass.levels)
        .define("COLUMNS", pass.columns)
        .define("ROOT", u32::from(root))
        .define("UNIT", u32::from(root && !transform.negacyclic))
        .define("LAST", u32::from(pass.shift == 0))
        .define("MULTIPLY", u32::from(transform.product && pass.shift == 0))
        .define(
            "TWISTED",
            pass.twisted_from(parameters.log_radix, split, transform.negacyclic),
        )
        .define("NEAR", near(word, split))
        .part(PASS)
}

/// log2 of the points of a row from which on threads read and write rows in whole sectors; `ROW_BITS` of the kernel.
const ROW_BITS: u32 = 3;

impl Pass {
    /// Barriers that a group comes to: between steps, and where a tile is brought in or out by itself.
    pub(crate) fn barriers(&self, parameters: &NttParameters) -> usize {
        let (levels, radix) = (self.levels, parameters.log_radix);
        let count = if parameters.specialized {
            let steps = levels.div_ceil(radix);
            let top = levels - (steps - 1) * radix;
            let by_itself = |is_direct: bool| u32::from(!is_direct);
            by_itself(levels + self.columns - top >= ROW_BITS)
                + (steps - 1)
                + by_itself(self.columns >= ROW_BITS)
        } else {
            // Levels that are left over are steps of their own; a barrier follows every step, and the tile's way in.
            2 + levels / radix + levels % radix
        };
        count as usize
    }
}

/// The compiled passes of a transform, in the order in which they run.
#[derive(Debug)]
pub(crate) struct Passes {
    pub kernels: Vec<(Pass, Kernel)>,
    pub transform: Transform,
}

impl Passes {
    /// Compiles them, or finds them compiled.
    pub(crate) fn new(
        device: &Device,
        fields: &Fields,
        plan: &NttPlan,
        transform: Transform,
        split: u32,
    ) -> Result<Self, GpuError> {
        let parameters = plan.parameters();
        let kernels = plan.passes().iter().map(|&pass| {
            let source = source(fields, &pass, &parameters, transform, split);
            Ok((pass, device.program(&source)?.kernel("ntt_pass")?))
        });
        let mut kernels = kernels.collect::<Result<Vec<_>, GpuError>>()?;
        if transform.inverse {
            kernels.reverse();
        }
        Ok(Self { kernels, transform })
    }
}

/// The kernels of points.
const POINTWISE: &str = include_str!("pointwise.cl");

kernel! {
    /// a_i ← a_i·b_i, of the latter those that the mask leaves.
    pub(super) unsafe struct Multiply<'a> for "pointwise" in launch {
        a: ElementsMut<'a> [a_first + (launch.rows() - 1) * a_stride + count],
        a_first: u64,
        a_stride: u64,
        b: Operand<ElementsRef<'a>> [b_first + (launch.rows() - 1) * b_stride + count.min(mask.saturating_add(1))],
        b_first: u64,
        b_stride: u64,
        count: u64,
        mask: u64,
        scale: Scale,
        fields: &'a Fields,
    }
    work(k, launch) {
        let count = k.count * launch.groups[1] as u64;
        Work {
            bytes: 3 * count * k.fields.word().bytes() as u64,
            multiplications: 2 * count * sum_of(k.fields.word().width(), 1),
            barriers: 0,
        }
    }
}

kernel! {
    /// Swaps the elements of `count` whose indices are the reverse of each other.
    pub(super) unsafe struct BitReverse<'a> for "bit_reverse" {
        data: ElementsMut<'a> [first + count],
        first: u64,
        count: u64,
        log_n: u32,
    }
}

kernel! {
    /// The same by squares: a group has one and its counterpart.
    pub(super) unsafe struct BitReverseSquares<'a> for "bit_reverse_squares" in launch {
        data: ElementsMut<'a> [first + launch.groups() * (ROW_BYTES as u128 / word) * (ROW_BYTES as u128 / word)],
        first: u64,
        log_n: u32,
        word: Word,
    }
}

/// The kernel of twiddle factors.
const TWIDDLES: &str = include_str!("twiddles.cl");

kernel! {
    /// 2^`log_count` twiddle factors for each prime, which a row of groups has.
    pub(super) unsafe struct FillTable<'a> for "fill_table" in launch {
        table: ElementsMut<'a> [launch.rows() << log_count],
        roots: ElementsRef<'a> [launch.rows() * bits],
        bits: u32,
        log_count: u32,
        scale: Scale,
        fields: &'a Fields,
    }
}

kernel! {
    /// Powers of factors beyond those of the table.
    pub(super) unsafe struct FillPowers<'a> for "fill_powers" in launch {
        powers: ElementsMut<'a> [launch.rows() << log_count],
        roots: ElementsRef<'a> [launch.rows() * bits],
        bits: u32,
        log_count: u32,
        near: u32,
        radix: u32,
        scale: Scale,
        fields: &'a Fields,
    }
}

/// Elements of a thread in kernels of points, which are bound by memory: so many loads under way at a time are enough.
pub(crate) const EACH: usize = 4;

/// Bytes of the rows of the squares that the bit-reversal permutation moves.
const ROW_BYTES: usize = 128;

/// log2 of the side of these squares.
pub(crate) const fn log_side(word: Word) -> u32 {
    (ROW_BYTES / word.bytes()).ilog2()
}

/// Bytes of local memory for two of them, with rows of one element more.
pub(crate) const fn square_bytes(word: Word) -> usize {
    let side = 1 << log_side(word);
    2 * side * (side + 1) * word.bytes()
}

/// The program of points and twiddle factors.
fn points_source(fields: &Fields, threads: usize) -> Source<'static> {
    fields
        .source("points of transforms", threads)
        .define("EACH", EACH)
        .define("LOG_SIDE", log_side(fields.word()))
        .part(POINTWISE)
        .part(TWIDDLES)
}

/// Its kernels.
#[derive(Debug)]
pub(crate) struct Pointwise {
    pub product: Kernel,
    pub bit_reverse: Kernel,
    pub bit_reverse_squares: Kernel,
    pub fill_table: Kernel,
    pub fill_powers: Kernel,
}

impl Pointwise {
    pub(crate) fn new(device: &Device, fields: &Fields, threads: usize) -> Result<Self, GpuError> {
        let program = device.program(&points_source(fields, threads))?;
        Ok(Self {
            product: program.kernel("pointwise")?,
            bit_reverse: program.kernel("bit_reverse")?,
            bit_reverse_squares: program.kernel("bit_reverse_squares")?,
            fill_table: program.kernel("fill_table")?,
            fill_powers: program.kernel("fill_powers")?,
        })
    }
}
