//! The programs' texts.

use super::{IntegerKernel, IntegerShape};
use crate::{GpuError, Source};

const LIMBS: &str = include_str!("../kernels/limbs.cl");
const LHC: &str = include_str!("../kernels/lhc.cl");
const SCHOOLBOOK: &str = include_str!("../kernels/schoolbook.cl");
const COLUMNS: &str = include_str!("../kernels/columns.cl");
const M5: &str = include_str!("../kernels/m5.cl");
const NAIVE: &str = include_str!("../kernels/naive.cl");
const OPERAND_SCANNING: &str = include_str!("../kernels/operand_scanning.cl");

/// The program of a kernel in a shape; only `Schoolbook` is compiled for the lengths themselves.
pub(super) fn source(
    kernel: IntegerKernel,
    shape: IntegerShape,
    a_words: usize,
    b_words: usize,
) -> Source<'static> {
    let source = Source::new(kernel.name(), shape.threads);
    let tile = shape.tile(kernel, a_words, b_words);
    match kernel {
        IntegerKernel::Schoolbook => source
            .define("A_WORDS", a_words)
            .define("B_WORDS", b_words)
            .define("A_PITCH", a_words | 1)
            .define("B_PITCH", b_words | 1)
            .define("PITCH", (a_words + b_words) | 1)
            .part(LIMBS)
            .part(SCHOOLBOOK),
        IntegerKernel::Columns => {
            let layout = shape.layout();
            source
                .define("COLUMNS", shape.columns)
                .define("PRODUCTS", shape.products)
                .define("ROW", layout.row)
                .define("STRIDE", layout.stride)
                .define("LANES", layout.lanes)
                // All that its threads can have.
                .define("TILE", 2 * (shape.threads / shape.products) * layout.stride)
                .part(LIMBS)
                .part(COLUMNS)
        }
        IntegerKernel::M5 => source.define("TILE", tile).part(LIMBS).part(LHC).part(M5),
        IntegerKernel::Naive => source
            .define("TILE", tile)
            .part(LIMBS)
            .part(LHC)
            .part(NAIVE),
        IntegerKernel::OperandScanning => source
            .define("TILE", tile)
            .part(LIMBS)
            .part(LHC)
            .part(OPERAND_SCANNING),
    }
}

/// Programs of every kind, in shapes that are used: to see whether they compile for a device that is not at hand.
pub fn sources() -> Vec<Source<'static>> {
    use IntegerKernel::{Columns, M5, Naive, OperandScanning, Schoolbook};
    let programs = [
        (Schoolbook, 1, 1),
        (Schoolbook, 5, 11),
        (Schoolbook, 16, 16),
        (Columns, 16, 16),
        (Columns, 64, 64),
        (Columns, 1024, 1024),
        (Columns, 100, 4096),
        (M5, 64, 64),
        (M5, 1024, 1024),
        (Naive, 64, 64),
        (Naive, 1024, 1024),
        (OperandScanning, 64, 64),
        (OperandScanning, 1024, 1024),
    ];
    let programs = programs.into_iter();
    let sources = programs.map(|(kernel, a_words, b_words)| {
        let shape = IntegerShape::default_for(kernel, a_words, b_words)?;
        Ok::<_, GpuError>(source(kernel, shape, a_words, b_words))
    });
    sources.flatten().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_program_of_the_list_is_there() {
        assert_eq!(super::sources().len(), 13);
    }
}
