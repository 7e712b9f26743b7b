//! Transforms one element at a time, over any field with roots of unity: what their algorithms
//! leave to be done for any order of values, for inverses and for negacyclic products.

mod algorithm;
mod cooley_tukey;
mod reference;
mod six_step;
mod stockham;

use crate::bit_reversal;
use crate::plan::DftPlan;
use crate::problem::{Algorithm, Convolution, DftError, Direction, Ordering};
use crate::transform::Transform;
use algorithm::{Order, ScalarDft};
use cooley_tukey::CooleyTukey;
use reference::Reference;
use six_step::SixStep;
use stockham::Stockham;
use sunzi_field::TwoAdicField;

/// A cyclic algorithm with all that a context asks for.
#[derive(Debug)]
pub(crate) struct ScalarTransform<F: TwoAdicField> {
    field: F,
    len: usize,
    dft: Box<dyn ScalarDft<F>>,
    /// 1/N.
    scale: F::Elem,
    /// For negacyclic transforms, a root of order 2N and its inverse: values of f at the odd powers
    /// of ψ are values of f(ψx) at the powers of ω = ψ².
    weights: Option<(F::Elem, F::Elem)>,
}

impl<F: TwoAdicField> ScalarTransform<F> {
    pub(crate) fn new(field: &F, plan: &DftPlan) -> Result<Self, DftError> {
        let log_n = plan.log_points();
        let root = |log| field.root_of_unity(log).unwrap_or(field.one());
        let omega = root(log_n);
        let dft: Box<dyn ScalarDft<F>> = match plan.algorithm() {
            Algorithm::Reference => Box::new(Reference::new(field, omega)),
            Algorithm::CooleyTukey => Box::new(CooleyTukey::with_table(field, omega, log_n)),
            Algorithm::CooleyTukeyOnTheFly => {
                Box::new(CooleyTukey::on_the_fly(field, omega, log_n))
            }
            Algorithm::Stockham => Box::new(Stockham::new(field, omega, log_n)),
            Algorithm::SixStep => Box::new(SixStep::new(field, omega, log_n, plan.grain())),
            Algorithm::Split => return Err(DftError::NeedsLanes(Algorithm::Split)),
            Algorithm::Rotations => return Err(DftError::NeedsBigPrime(Algorithm::Rotations)),
        };
        let inverse = |a| field.inv(a).unwrap_or(field.one());
        let negacyclic = plan.convolution() == Convolution::Negacyclic;
        let psi = negacyclic.then(|| root(log_n + 1));
        Ok(Self {
            len: plan.points(),
            dft,
            scale: inverse(field.from_u64(plan.points() as u64)),
            weights: psi.map(|psi| (psi, inverse(psi))),
            field: field.clone(),
        })
    }

    /// `x_i ← x_i·factor·ratio^i`.
    fn scale_geometrically(&self, data: &mut [F::Elem], factor: F::Elem, ratio: F::Elem) {
        let mut weight = factor;
        for x in data {
            *x = self.field.mul(*x, weight);
            weight = self.field.mul(weight, ratio);
        }
    }

    fn forward(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]) {
        if let Some((psi, _)) = self.weights {
            self.scale_geometrically(data, self.field.one(), psi);
        }
        self.dft.forward(data, scratch);
    }

    fn inverse(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]) {
        self.dft.inverse(data, scratch);
        match self.weights {
            Some((_, inverse)) => self.scale_geometrically(data, self.scale, inverse),
            None => self.field.scale_slice(data, self.scale),
        }
    }
}

impl<F: TwoAdicField> Transform<F> for ScalarTransform<F> {
    fn scratch_len(&self) -> usize {
        self.dft.scratch_len(self.len)
    }

    fn table_bytes(&self) -> usize {
        self.dft.table_len() * size_of::<F::Elem>()
    }

    fn transform(
        &self,
        data: &mut [F::Elem],
        scratch: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    ) {
        let permuted = match ordering {
            Ordering::Natural => self.dft.order() != Order::Natural,
            Ordering::BitReversed => self.dft.order() != Order::BitReversed,
            Ordering::Internal => false,
        };
        match direction {
            Direction::Forward => {
                self.forward(data, scratch);
                if permuted {
                    bit_reversal::permute(data);
                }
            }
            Direction::Inverse => {
                if permuted {
                    bit_reversal::permute(data);
                }
                self.inverse(data, scratch);
            }
        }
    }

    fn evaluate(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]) {
        self.forward(data, scratch);
    }

    fn multiply(&self, values: &mut [F::Elem], other: &[F::Elem], scratch: &mut [F::Elem]) {
        self.field.mul_assign_slice(values, other);
        self.inverse(values, scratch);
    }
}
