//! Determinants modulo r^k + 1.

use super::Elements;
use crate::big_prime::context::Radix;
use crate::work::column;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Stream, Work, kernel};
use sunzi_field::AnyField;

kernel! {
    /// A pivot for each matrix, which a group has.
    unsafe struct Pivot<'a> for "element_pivot" in launch {
        matrices: &'a mut Buffer<u64> [(launch.groups() * n * n) << log_k],
        states: &'a mut Buffer<u32> [launch.groups()],
        n: u32,
        step: u32,
        log_k: u32,
    }
    work(k, launch) {
        Work {
            bytes: (8 * u64::from(k.n - k.step) * launch.groups.iter().product::<usize>() as u64) << k.log_k,
            barriers: 1,
            ..Work::default()
        }
    }
}

kernel! {
    /// A step of elimination for `count` elements of all matrices.
    unsafe struct Eliminate<'a> for "element_eliminate" {
        matrices: &'a mut Buffer<u64> [(count / ((n - step - 1) * (n - step - 1)) * n * n) << log_k],
        count: u64,
        n: u32,
        step: u32,
        radix: Radix,
        log_k: u32,
    }
    work(k, _launch) {
        let words = k.count << k.log_k;
        Work {
            bytes: 2 * 8 * words,
            multiplications: 2 * words * column(1 << k.log_k),
            barriers: 6,
        }
    }
}

/// Determinants of matrices of one order modulo r^k + 1.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::gpu::{Device, Selection};
/// use sunzi_gpu::digits::ElementDeterminants;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let field: AnyField = "P4".parse()?;
/// let mut matrix = Vec::new();
/// (1..=4).for_each(|entry| field.push_u64(entry, &mut matrix));
/// let context = ElementDeterminants::new(&device, &field, 2)?;
/// let found = context.run(&device.stream()?, &[&matrix])?;
/// let mut two = Vec::new();
/// field.push_u64(2, &mut two);
/// assert_eq!(found, [field.negated_row(&two)]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ElementDeterminants {
    elements: Elements,
    order: usize,
    pivot: Kernel,
    eliminate: Kernel,
}

impl ElementDeterminants {
    /// For matrices of `order` rows.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a field that devices do not [know](crate::big_prime::BigPrimeContext::knows), no rows, or 2^16 and
    /// more; [`GpuError::Limits`] where groups of the device have too few threads; errors of the device.
    pub fn new(device: &Device, field: &AnyField, order: usize) -> Result<Self, GpuError> {
        if order == 0 || order >> 16 != 0 {
            return Err(GpuError::Shape(format!(
                "determinants of {order} rows: a device takes 1 to 65535"
            )));
        }
        let elements = Elements::new(device, field)?;
        let text = (
            "determinants modulo r^k + 1",
            include_str!("determinant.cl"),
        );
        let names = ["element_pivot", "element_eliminate"];
        let [pivot, eliminate] = elements.kernels(device, text, names)?;
        Ok(Self {
            elements,
            order,
            pivot,
            eliminate,
        })
    }

    /// Bytes of the device's memory that a matrix takes.
    pub fn bytes(&self) -> u64 {
        8 * ((self.order * self.order) << self.elements.log_k) as u64
    }

    /// The rows of the determinants of matrices, which are given by the rows of their entries. Waits.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a matrix of another size; [`GpuError::OutOfMemory`]; errors of the device.
    pub fn run(&self, stream: &Stream, matrices: &[&[u64]]) -> Result<Vec<Vec<u64>>, GpuError> {
        let (n, k) = (self.order, self.elements.digits());
        let words = n * n * k;
        if let Some(other) = matrices.iter().find(|matrix| matrix.len() != words) {
            return Err(GpuError::Shape(format!(
                "a matrix of {n} rows has {words} digits, not {}",
                other.len()
            )));
        }
        if matrices.is_empty() {
            return Ok(Vec::new());
        }
        let device = stream.device();
        let mut all = device.buffer::<u64>(words * matrices.len())?;
        for (number, matrix) in matrices.iter().enumerate() {
            stream.write_at(&mut all, number * words, matrix)?;
        }
        let mut states = device.filled(stream, &vec![0u32; matrices.len()])?;
        for step in 0..n {
            self.step(stream, &mut all, &mut states, matrices.len(), step)?;
        }
        let mut odd = vec![0; matrices.len()];
        stream.read(&states, &mut odd)?;
        let mut pivots = vec![0; n * k];
        let determinant = |(number, state): (usize, u32)| {
            for (step, pivot) in pivots.chunks_mut(k).enumerate() {
                stream.read_at(&all, number * words + step * (n + 1) * k, pivot)?;
            }
            Ok(self.of_pivots(&pivots, state))
        };
        odd.into_iter().enumerate().map(determinant).collect()
    }

    fn step(
        &self,
        stream: &Stream,
        matrices: &mut Buffer<u64>,
        states: &mut Buffer<u32>,
        count: usize,
        step: usize,
    ) -> Result<(), GpuError> {
        let Elements {
            radix,
            log_k,
            threads,
            ..
        } = self.elements;
        let pivot = Pivot {
            matrices: &mut *matrices,
            states,
            n: self.order as u32,
            step: step as u32,
            log_k,
        };
        stream.launch(&self.pivot, Launch::new(count as u64, threads, 0)?, pivot)?;
        let rest = self.order - step - 1;
        let elements = rest * rest * count;
        let eliminate = Eliminate {
            matrices,
            count: elements as u64,
            n: self.order as u32,
            step: step as u32,
            radix,
            log_k,
        };
        let groups = elements.div_ceil(threads >> log_k) as u64;
        stream.launch(&self.eliminate, Launch::new(groups, threads, 0)?, eliminate)
    }

    /// The determinant: with n pivots l_s, l_(n−1) over the product of all l_s^(n − s − 2) before the last two.
    fn of_pivots(&self, pivots: &[u64], state: u32) -> Vec<u64> {
        let (n, k) = (self.order as i64, self.elements.digits());
        if state & 2 != 0 {
            return vec![0; k];
        }
        let powers = pivots.chunks(k).zip(0..).map(|(pivot, step)| {
            let exponent = if step + 1 == n { 1 } else { step + 2 - n };
            (pivot, exponent)
        });
        // No pivot is 0 but perhaps the last one.
        let found = self.elements.product(powers).unwrap_or_else(|| vec![0; k]);
        match state & 1 {
            0 => found,
            _ => self.elements.field.negated_row(&found),
        }
    }
}
