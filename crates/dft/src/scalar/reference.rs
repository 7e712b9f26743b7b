//! The definition: the reference of all other transforms.

use super::algorithm::{Order, ScalarDft};
use sunzi_field::TwoAdicField;

/// `X_j = Σ x_i·ω^{ij}`, each value by Horner's rule at ω^j: N² products.
#[derive(Debug)]
pub(crate) struct Reference<F: TwoAdicField> {
    field: F,
    root: F::Elem,
}

impl<F: TwoAdicField> Reference<F> {
    /// For the length of which `root` is a primitive root.
    pub(crate) fn new(field: &F, root: F::Elem) -> Self {
        Self {
            field: field.clone(),
            root,
        }
    }
}

impl<F: TwoAdicField> ScalarDft<F> for Reference<F> {
    fn order(&self) -> Order {
        Order::Natural
    }

    fn scratch_len(&self, len: usize) -> usize {
        len
    }

    fn table_len(&self) -> usize {
        0
    }

    fn forward(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]) {
        let field = &self.field;
        let mut point = field.one();
        for value in scratch.iter_mut() {
            let horner = |sum, &x| field.add(field.mul(sum, point), x);
            *value = data.iter().rev().fold(field.zero(), horner);
            point = field.mul(point, self.root);
        }
        data.copy_from_slice(scratch);
    }
}
