//! A field that counts its operations, and products over it that are those of the published cost model:
//! schoolbook ones coefficient by coefficient, others by Stockham's transforms of power-of-two lengths.

use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use sunzi_dft::{
    Algorithm as Transform, Convolution, DftContext, DftError, DftField, Ordering, TransformKernels,
};
use sunzi_field::{Field, Fp32, TwoAdicField};

use sunzi_machine::memory::Budget;
use sunzi_poly::internals::{Compiled, PolyMultiplier, ProductKernels};
use sunzi_poly::{Algorithm, Plan, PolyError, PolyRing, Reason, Thresholds};

/// Coefficients of the shorter operand from which products go by transforms.
pub(super) const TRANSFORMS_FROM: usize = 64;

/// Operations in the field; a negation is a subtraction, and what is multiplied by 1 is not multiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Operations {
    pub(super) additions: u64,
    pub(super) multiplications: u64,
    pub(super) inversions: u64,
}

impl Operations {
    /// All of them, as the model counts.
    pub(super) fn total(self) -> u64 {
        self.additions + self.multiplications + self.inversions
    }
}

impl AddAssign for Operations {
    fn add_assign(&mut self, other: Self) {
        self.additions += other.additions;
        self.multiplications += other.multiplications;
        self.inversions += other.inversions;
    }
}

#[derive(Debug, Default)]
struct Counters {
    additions: AtomicU64,
    multiplications: AtomicU64,
    inversions: AtomicU64,
}

/// The integers modulo 469762049, with counters that all clones share.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    field: Fp32,
    counters: Arc<Counters>,
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        self.field == other.field
    }
}

impl Counted {
    pub(super) fn new() -> Self {
        Self {
            field: Fp32::new(469_762_049).expect("a prime"),
            counters: Arc::default(),
        }
    }

    /// What `work` does, and the operations that it takes.
    pub(super) fn count<T>(&self, work: impl FnOnce() -> T) -> (T, Operations) {
        self.take();
        let done = work();
        (done, self.take())
    }

    fn take(&self) -> Operations {
        Operations {
            additions: self.counters.additions.swap(0, Relaxed),
            multiplications: self.counters.multiplications.swap(0, Relaxed),
            inversions: self.counters.inversions.swap(0, Relaxed),
        }
    }

    /// One more addition.
    fn adding(&self) -> &Fp32 {
        self.counters.additions.fetch_add(1, Relaxed);
        &self.field
    }

    /// One more multiplication.
    fn multiplying(&self) -> &Fp32 {
        self.counters.multiplications.fetch_add(1, Relaxed);
        &self.field
    }
}

impl Field for Counted {
    type Elem = u32;
    type Kernels = ModelKernels;

    fn zero(&self) -> u32 {
        0
    }

    fn one(&self) -> u32 {
        self.field.one()
    }

    fn add(&self, a: u32, b: u32) -> u32 {
        self.adding().add(a, b)
    }

    fn sub(&self, a: u32, b: u32) -> u32 {
        self.adding().sub(a, b)
    }

    fn neg(&self, a: u32) -> u32 {
        self.adding().neg(a)
    }

    fn mul(&self, a: u32, b: u32) -> u32 {
        self.multiplying().mul(a, b)
    }

    fn inv(&self, a: u32) -> Option<u32> {
        self.counters.inversions.fetch_add(1, Relaxed);
        self.field.inv(a)
    }

    fn from_u64(&self, value: u64) -> u32 {
        self.field.from_u64(value)
    }

    fn from_limbs(&self, negative: bool, limbs: &[u64]) -> u32 {
        self.field.from_limbs(negative, limbs)
    }

    fn to_limbs(&self, a: u32) -> Vec<u64> {
        self.field.to_limbs(a)
    }

    fn modulus_limbs(&self) -> Vec<u64> {
        self.field.modulus_limbs()
    }

    fn is_canonical(&self, a: u32) -> bool {
        self.field.is_canonical(a)
    }

    /// One operation for every term but the first, and one for every factor but 1.
    fn combine_slices<const N: usize>(&self, out: &mut [u32], terms: [(u32, &[u32]); N]) {
        let product = |&(factor, operand): &(u32, &[u32]), i: usize| match factor == self.one() {
            true => operand[i],
            false => self.mul(factor, operand[i]),
        };
        for (i, out) in out.iter_mut().enumerate() {
            let products = terms.iter().map(|term| product(term, i));
            *out = products.reduce(|a, b| self.add(a, b)).unwrap_or_default();
        }
    }
}

impl TwoAdicField for Counted {
    fn two_adicity(&self) -> u32 {
        self.field.two_adicity()
    }

    fn root_of_unity(&self, log_n: u32) -> Option<u32> {
        self.field.root_of_unity(log_n)
    }

    fn least_non_residue(&self) -> u64 {
        self.field.least_non_residue()
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        self.field.order_factors()
    }
}

/// Kernels of the published cost model.
pub(super) struct ModelKernels;

impl TransformKernels<Counted> for ModelKernels {
    const SCRATCH: usize = 1;

    fn fastest_dft(
        field: &Counted,
        points: usize,
        _: Budget,
    ) -> Result<DftContext<Counted>, DftError> {
        DftContext::scalar(field, points, Convolution::Cyclic, Transform::Stockham)
    }
}

impl ProductKernels<Counted> for ModelKernels {
    fn compiled() -> &'static Compiled<Counted> {
        const { &Compiled::TABLE }
    }

    fn thresholds(_: &Counted) -> Thresholds {
        Thresholds {
            ntt: TRANSFORMS_FROM,
            ntt_long: TRANSFORMS_FROM,
            karatsuba: usize::MAX,
            over_integers: usize::MAX,
            leaf_log: 6,
        }
    }

    fn multiplier(field: &Counted, _: &Thresholds) -> Arc<dyn PolyMultiplier<Counted>> {
        Arc::new(ModelMultiplier {
            field: field.clone(),
            plans: (0..=16).map(|log| plan(field, 1 << log)).collect(),
        })
    }
}

fn plan(field: &Counted, points: usize) -> DftContext<Counted> {
    field.fastest_dft(points).expect("a short transform")
}

/// The ring over the field that counts; its transforms' tables are made, and not counted.
pub(super) fn ring() -> (PolyRing<Counted>, Counted) {
    let field = Counted::new();
    (PolyRing::new(field.clone()), field)
}

/// Products as the model has them.
#[derive(Debug)]
struct ModelMultiplier {
    field: Counted,
    /// Transforms of 2^i points.
    plans: Vec<DftContext<Counted>>,
}

impl ModelMultiplier {
    fn schoolbook(&self, out: &mut [u32], a: &[u32], b: &[u32]) {
        for (k, out) in out.iter_mut().enumerate() {
            let first = (k + 1).saturating_sub(b.len());
            let terms = (first..=k.min(a.len() - 1)).map(|i| self.field.mul(a[i], b[k - i]));
            *out = terms
                .reduce(|x, y| self.field.add(x, y))
                .unwrap_or_default();
        }
    }

    fn by_transforms(&self, out: &mut [u32], a: &[u32], b: &[u32]) -> Result<(), PolyError> {
        let points = self.points(out.len());
        let mut values = [vec![0; points], vec![0; points]];
        self.evaluate(&mut values[0], points, a)?;
        self.evaluate(&mut values[1], points, b)?;
        self.sum_products(out, points, &[[&values[0], &values[1]]])
    }
}

impl PolyMultiplier<Counted> for ModelMultiplier {
    fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        let threshold = TRANSFORMS_FROM;
        let (algorithm, reason) = match len_a.min(len_b) < threshold {
            true => (Algorithm::Schoolbook, Reason::Below { threshold }),
            false => (Algorithm::Ntt, Reason::From { threshold }),
        };
        Plan {
            len_a,
            len_b,
            algorithm,
            reason,
            scratch_bytes: 0,
        }
    }

    fn plan_with(&self, _: Algorithm, len_a: usize, len_b: usize) -> Result<Plan, PolyError> {
        Ok(self.plan(len_a, len_b))
    }

    fn execute(&self, plan: &Plan, out: &mut [u32], a: &[u32], b: &[u32]) -> Result<(), PolyError> {
        match plan.algorithm {
            _ if out.is_empty() => Ok(()),
            Algorithm::Ntt => self.by_transforms(out, a, b),
            _ => {
                self.schoolbook(out, a, b);
                Ok(())
            }
        }
    }

    fn points(&self, len: usize) -> usize {
        len.next_power_of_two()
    }

    fn value_words(&self, points: usize) -> usize {
        points
    }

    fn evaluate(&self, values: &mut [u64], points: usize, a: &[u32]) -> Result<(), PolyError> {
        let mut found = a.to_vec();
        found.resize(points, 0);
        let plan = &self.plans[points.ilog2() as usize];
        plan.forward(&mut found, Ordering::Natural)?;
        for (value, found) in values.iter_mut().zip(found) {
            *value = found.into();
        }
        Ok(())
    }

    fn sum_products(
        &self,
        out: &mut [u32],
        points: usize,
        pairs: &[[&[u64]; 2]],
    ) -> Result<(), PolyError> {
        let residues = |values: &[u64]| values.iter().map(|&x| x as u32).collect::<Vec<_>>();
        let mut sums = residues(pairs[0][0]);
        self.field
            .mul_assign_slice(&mut sums, &residues(pairs[0][1]));
        for [a, b] in &pairs[1..] {
            let mut products = residues(a);
            self.field.mul_assign_slice(&mut products, &residues(b));
            self.field.add_assign_slice(&mut sums, &products);
        }
        self.plans[points.ilog2() as usize].inverse(&mut sums, Ordering::Natural)?;
        out.copy_from_slice(&sums[..out.len()]);
        Ok(())
    }
}
