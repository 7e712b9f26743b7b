//! The kernels of a transform's passes.

use super::passes::{PassShape, cut};
use super::word::{NttWord, field_source};
use super::{NttShape, pointwise};
use crate::{Device, GpuError, Kernel, Source};

/// The kernel of one pass.
const PASS: &str = include_str!("../kernels/ntt.cl");

/// Which way, and around which polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// From values to coefficients.
    pub inverse: bool,
    /// Modulo x^N + 1 instead of x^N − 1.
    pub negacyclic: bool,
    /// An inverse of products with other transforms.
    pub product: bool,
}

/// The program of a pass.
pub fn source<E: NttWord>(
    pass: &PassShape,
    shape: &NttShape,
    way: Way,
    split: u32,
    spare: bool,
) -> Source<'static> {
    let source = field_source::<E>("a pass of a transform", shape.threads, spare)
        .define("LOG_TILE", shape.log_tile)
        .define("RADIX", shape.log_radix)
        .define("INVERSE", u32::from(way.inverse))
        .define("SPECIALIZED", u32::from(shape.specialized));
    // 16 registers of points, and what goes with them, fit 1024 threads on a processor with 65536 registers.
    let source = if size_of::<E>() << shape.log_radix <= 64 {
        source.define("RESIDENT", (1024 / shape.threads).max(1))
    } else {
        source
    };
    if !shape.specialized {
        return source.part(PASS);
    }
    let root = pass.depth == 0;
    source
        .define("LEVELS", pass.levels)
        .define("COLUMNS", pass.columns)
        .define("ROOT", u32::from(root))
        .define("UNIT", u32::from(root && !way.negacyclic))
        .define("LAST", u32::from(pass.shift == 0))
        .define("MULTIPLY", u32::from(way.product && pass.shift == 0))
        .define(
            "COMPUTED",
            pass.computed_from(shape.log_radix, split, way.negacyclic),
        )
        .part(PASS)
}

/// The passes of one way, in the order in which they run.
#[derive(Debug)]
pub struct Passes {
    pub kernels: Vec<(PassShape, Kernel)>,
    pub way: Way,
}

impl Passes {
    /// Compiles them, or finds them compiled.
    pub fn new<E: NttWord>(
        device: &Device,
        log_n: u32,
        shape: &NttShape,
        way: Way,
        split: u32,
        spare: bool,
    ) -> Result<Self, GpuError> {
        let mut passes = cut(log_n, shape);
        if way.inverse {
            passes.reverse();
        }
        let kernels = passes.into_iter().map(|pass| {
            let program = device.program(&source::<E>(&pass, shape, way, split, spare))?;
            Ok((pass, program.kernel("ntt_pass")?))
        });
        Ok(Self {
            kernels: kernels.collect::<Result<_, GpuError>>()?,
            way,
        })
    }
}

/// Programs of every kind that transforms run on a GPU of the usual limits, for a check that they compile for it.
///
/// ```
/// let sources = sunzi_gpu::ntt::sources();
/// assert!(sources.iter().all(|source| source.text().contains("KERNEL")));
/// ```
pub fn sources() -> Vec<Source<'static>> {
    let mut all = Vec::new();
    for spare in [false, true] {
        word_sources::<u32>(spare, &mut all);
        word_sources::<u64>(spare, &mut all);
    }
    word_sources::<f64>(true, &mut all);
    all
}

/// Those of one word: transforms of one pass, and of three with computed factors.
fn word_sources<E: NttWord>(spare: bool, all: &mut Vec<Source<'static>>) {
    let shape = NttShape::for_gpu::<E>(256, 32 << 10);
    all.push(pointwise::source::<E>(shape.threads, spare));
    for (log_n, inverse, negacyclic, product) in [
        (8, false, false, false),
        (8, true, true, true),
        (24, false, false, false),
        (24, true, false, false),
    ] {
        let way = Way {
            inverse,
            negacyclic,
            product,
        };
        let passes = cut(log_n, &shape);
        let sources = passes
            .iter()
            .map(|pass| source::<E>(pass, &shape, way, shape.log_table, spare));
        all.extend(sources);
    }
}
