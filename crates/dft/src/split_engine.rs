//! The fast transform of a context: [`Tables`]' recursive splitting from canonical residues to
//! canonical residues, in any order; it adds the first and the last step.
//!
//! x^N − 1 is block 0 of its level, x^N + 1 is block 1 of the level with two blocks, so that
//! a negacyclic transform needs no weights, only tables for 2N points.
//!
//! A transform moves N words in and out of the first-level cache once for every two levels above
//! the block that fits there, and takes (N/2)·log N butterflies.

use crate::block::{Form, ForwardBlock, InverseBlock};
use crate::compiled::TransformField;
use crate::engine::Engine;
use crate::finished_block::{ExportPass, ForwardFinished, ImportPass, InverseFinished, LastScale};
use crate::lane_reversal::bit_reverse;
use crate::split::{Shared, SharedView, four, pass};
use crate::tables::Tables;
use crate::{DftPlan, Direction, Ordering};

/// Transforms of one length, cyclic or negacyclic.
#[derive(Debug)]
pub(crate) struct SplitEngine<F: TransformField> {
    tables: Tables<F>,
    /// The block of its level that the whole vector is.
    index: usize,
    /// The factor 1/N.
    inverse_scale: LastScale<F::Elem>,
    /// That which undoes a pointwise product, too.
    product_scale: LastScale<F::Elem>,
}

impl<F: TransformField> SplitEngine<F> {
    pub(crate) fn new(field: &F, plan: &DftPlan) -> Self {
        let log_n = plan.log_points();
        let log_order = plan.convolution().log_order(log_n);
        let tables = Tables::new(field, plan.kernel(), 1 << log_order, plan.grain());
        let index = (log_order - log_n) as usize;
        Self {
            index,
            inverse_scale: last_scale(&tables, index, log_n, 0),
            product_scale: last_scale(&tables, index, log_n, 1),
            tables,
        }
    }

    fn forward(&self, x: &mut [F::Elem], form: Form) {
        let (tables, index, len) = (&self.tables, self.index, x.len());
        tables.check_block(len, index);
        let view = SharedView(tables.view());
        let x = Shared(x.as_mut_ptr());
        if tables.is_block(len) {
            let block = ForwardBlock {
                data: x.at(0),
                len,
                index,
                view: view.get(),
                form,
            };
            return tables.run(ForwardFinished { block });
        }
        let quarter = len / 4;
        pass(tables, quarter, |from, count| ImportPass {
            quarters: [0, 1, 2, 3].map(|q| x.at(q * quarter + from)),
            count,
            index,
            view: view.get(),
        });
        four(tables, len, |q| {
            tables.forward_part(Shared(x.at(q * quarter)), quarter, 4 * index + q, form);
        });
    }

    fn inverse(&self, x: &mut [F::Elem], form: Form, scale: LastScale<F::Elem>) {
        let (tables, index, len) = (&self.tables, self.index, x.len());
        tables.check_block(len, index);
        let view = SharedView(tables.view());
        let x = Shared(x.as_mut_ptr());
        if tables.is_block(len) {
            let block = InverseBlock {
                data: x.at(0),
                len,
                index,
                view: view.get(),
                form,
            };
            return tables.run(InverseFinished { block, scale });
        }
        let quarter = len / 4;
        four(tables, len, |q| {
            tables.inverse_part(Shared(x.at(q * quarter)), quarter, 4 * index + q, form);
        });
        pass(tables, quarter, |from, count| ExportPass {
            quarters: [0, 1, 2, 3].map(|q| x.at(q * quarter + from)),
            count,
            index,
            view: view.get(),
            scale,
        });
    }
}

/// The factor 1/(N·c^products), c that of a product, for block `index` of its level (0 or 1).
fn last_scale<F: TransformField>(
    tables: &Tables<F>,
    index: usize,
    log_n: u32,
    products: u32,
) -> LastScale<F::Elem> {
    let field = &tables.field;
    // Factors of products of units are units.
    let inverse = |a| field.inv(a).unwrap_or(field.one());
    let product_factor = field.from_word(field.product_factor(tables.kernel));
    let points = field.pow(field.from_u64(2), u64::from(log_n));
    let factor = inverse(field.mul(points, field.pow(product_factor, u64::from(products))));
    let prepare = |value| field.prepare(tables.kernel, field.to_word(value));
    // t_0 = 1, t_1 of order 4, t_2 of order 8, t_3 = t_1·t_2; short transforms don't use them.
    let root = |log| field.root_of_unity(log).unwrap_or(field.one());
    let t = [field.one(), root(2), root(3), field.mul(root(2), root(3))];
    LastScale {
        factor: prepare(factor),
        roots: [index, 2 * index, 2 * index + 1]
            .map(|j| prepare(field.neg(field.mul(factor, inverse(t[j]))))),
    }
}

impl<F: TransformField> Engine<F> for SplitEngine<F> {
    fn scratch_len(&self) -> usize {
        0
    }

    fn table_bytes(&self) -> usize {
        self.tables.bytes()
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
                    bit_reverse(&self.tables, data);
                }
            }
            Direction::Inverse => {
                if natural {
                    bit_reverse(&self.tables, data);
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
        self.tables.multiply_points(values, other, count);
        self.inverse(values, Form::Lazy, self.product_scale);
    }
}
