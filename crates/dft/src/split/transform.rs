//! The transform of one length, by recursive splitting: from canonical residues to canonical residues, in
//! any order, with the first and the last step fused with passes.
//!
//! x^N − 1 is block 0 of its level, x^N + 1 is block 1 of the level with two blocks, so that
//! a negacyclic transform needs no weights, only tables for 2N points.
//!
//! A transform moves N words in and out of the first-level cache once for every two levels above
//! the block that fits there, and takes (N/2)·log N butterflies.

use super::block::{Form, ForwardBlock, InverseBlock};
use super::import_export::{ExportPass, ImportPass, LastScale};
use super::pass::{Shared, SharedView, SplitContext, TransformField, four, pass};
use crate::bit_reversal::{self, ReverseTiles};
use crate::plan::DftPlan;
use crate::problem::{Direction, Ordering};
use crate::transform::Transform;

/// Transforms of one length, cyclic or negacyclic.
#[derive(Debug)]
pub(crate) struct SplitTransform<F: TransformField> {
    context: SplitContext<F>,
    /// The block of its level that the whole vector is.
    index: usize,
    /// The factor 1/N.
    inverse_scale: LastScale<F::Elem>,
    /// That which undoes a pointwise product, too.
    product_scale: LastScale<F::Elem>,
}

impl<F: TransformField> SplitTransform<F> {
    pub(crate) fn new(field: &F, plan: &DftPlan) -> Self {
        let log_n = plan.log_points();
        let log_order = plan.convolution().log_order(log_n);
        let context = SplitContext::new(field, plan.kernel(), 1 << log_order, plan.grain());
        let index = (log_order - log_n) as usize;
        Self {
            index,
            inverse_scale: last_scale(&context, index, log_n, 0),
            product_scale: last_scale(&context, index, log_n, 1),
            context,
        }
    }

    fn forward(&self, x: &mut [F::Elem], form: Form) {
        let (context, index, len) = (&self.context, self.index, x.len());
        context.tables().check_block(len, index);
        let view = SharedView(context.tables().view());
        let x = Shared(x.as_mut_ptr());
        if context.is_block(len) {
            return context.run(ForwardBlock {
                data: x.at(0),
                len,
                index,
                view: view.get(),
                import: true,
                form,
            });
        }
        let quarter = len / 4;
        pass(context, quarter, |from, count| ImportPass {
            quarters: [0, 1, 2, 3].map(|q| x.at(q * quarter + from)),
            count,
            index,
            view: view.get(),
        });
        four(context, len, |q| {
            context.forward_part(Shared(x.at(q * quarter)), quarter, 4 * index + q, form);
        });
    }

    fn inverse(&self, x: &mut [F::Elem], form: Form, scale: LastScale<F::Elem>) {
        let (context, index, len) = (&self.context, self.index, x.len());
        context.tables().check_block(len, index);
        let view = SharedView(context.tables().view());
        let x = Shared(x.as_mut_ptr());
        if context.is_block(len) {
            return context.run(InverseBlock {
                data: x.at(0),
                len,
                index,
                view: view.get(),
                form,
                export: Some(scale),
            });
        }
        let quarter = len / 4;
        four(context, len, |q| {
            context.inverse_part(Shared(x.at(q * quarter)), quarter, 4 * index + q, form);
        });
        pass(context, quarter, |from, count| ExportPass {
            quarters: [0, 1, 2, 3].map(|q| x.at(q * quarter + from)),
            count,
            index,
            view: view.get(),
            scale,
        });
    }
}

/// The factor 1/(N·c^products), c the factor of a pointwise product, for block `index` of its level (0 or 1).
fn last_scale<F: TransformField>(
    context: &SplitContext<F>,
    index: usize,
    log_n: u32,
    products: u32,
) -> LastScale<F::Elem> {
    let field = &context.field;
    // Factors of products of units are units.
    let inverse = |a| field.inv(a).unwrap_or(field.one());
    let product_factor = field.from_word(field.product_factor(context.kernel));
    let points = field.pow(field.from_u64(2), u64::from(log_n));
    let factor = inverse(field.mul(points, field.pow(product_factor, u64::from(products))));
    let prepare = |value| field.prepare(context.kernel, field.to_word(value));
    // t_0 = 1, t_1 of order 4, t_2 of order 8, t_3 = t_1·t_2; short transforms don't use them.
    let root = |log| field.root_of_unity(log).unwrap_or(field.one());
    let t = [field.one(), root(2), root(3), field.mul(root(2), root(3))];
    LastScale {
        factor: prepare(factor),
        roots: [index, 2 * index, 2 * index + 1]
            .map(|j| prepare(field.neg(field.mul(factor, inverse(t[j]))))),
    }
}

/// Exchanges every two words whose positions have reversed bits. `data` is at least a square block
/// of the context's arithmetic.
fn bit_reverse<F: TransformField>(context: &SplitContext<F>, data: &mut [F::Elem]) {
    let square = context.shape().square();
    if square == 1 {
        return bit_reversal::permute(data);
    }
    assert!(data.len().is_power_of_two() && data.len() >= square);
    let log_len = data.len().trailing_zeros();
    let shared = Shared(data.as_mut_ptr());
    pass(context, data.len() / square, |from, count| ReverseTiles {
        data: shared.at(0),
        log_len,
        from,
        count,
    });
}

impl<F: TransformField> Transform<F> for SplitTransform<F> {
    fn scratch_len(&self) -> usize {
        0
    }

    fn table_bytes(&self) -> usize {
        self.context.tables().bytes()
    }

    fn transform(
        &self,
        data: &mut [F::Elem],
        _scratch: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    ) {
        let form = match ordering {
            Ordering::Internal => Form::Canonical,
            Ordering::BitReversed | Ordering::Natural => Form::BitReversed,
        };
        let natural = ordering == Ordering::Natural;
        match direction {
            Direction::Forward => {
                self.forward(data, form);
                if natural {
                    bit_reverse(&self.context, data);
                }
            }
            Direction::Inverse => {
                if natural {
                    bit_reverse(&self.context, data);
                }
                self.inverse(data, form, self.inverse_scale);
            }
        }
    }

    fn evaluate(&self, data: &mut [F::Elem], _scratch: &mut [F::Elem]) {
        self.forward(data, Form::Lazy);
    }

    fn multiply(&self, values: &mut [F::Elem], other: &[F::Elem], _scratch: &mut [F::Elem]) {
        let count = values.len();
        self.context.multiply_points(values, other, count);
        self.inverse(values, Form::Lazy, self.product_scale);
    }
}
