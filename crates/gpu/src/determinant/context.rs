//! Determinants in batches: what is compiled for them, and how they run.

use super::panels::Panels;
use super::plan::{DeterminantConfig, DeterminantPlan, NAME};
use crate::elements::{ElementsMut, ElementsRef};
use crate::field::{Fields, POWERS, SUMS, Scale};
use crate::word::{ResidueWord, Word};
use crate::work::sum_of;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, Work, kernel};

/// The kernel.
const DETERMINANT: &str = include_str!("determinant.cl");

kernel! {
    /// The determinants of matrices of n rows, a group each.
    unsafe struct Determinants<'a> for "determinants" in launch {
        to: ElementsMut<'a> [to_first + launch.groups()],
        to_first: u64,
        from: ElementsRef<'a> [from_first + launch.groups() * n * n],
        from_first: u64,
        n: u32,
        each: u32,
        scale: Scale,
        fields: &'a Fields,
    }
    work(k, launch) {
        let (n, batch, threads) = (k.n as usize, launch.groups[0] as u64, launch.threads[0]);
        let width = threads.min(WIDTH);
        let rows_of_group = threads / width;
        // Threads without an entry wait for those with one.
        let steps = (1..n)
            .map(|left| (left.next_multiple_of(rows_of_group) * left.next_multiple_of(width)) as u64);
        let each = (n * n).next_multiple_of(threads) as u64 * sum_of(k.fields.word().width(), 1)
            + steps.sum::<u64>() * sum_of(k.fields.word().width(), 2);
        Work {
            bytes: (k.fields.word().bytes() * (n * n + 1)) as u64 * batch,
            multiplications: each.saturating_mul(batch),
            barriers: n + 2,
        }
    }
}

/// Threads side by side in a row of a matrix that a group has.
const WIDTH: usize = 32;

/// Determinants of matrices of one order modulo odd primes: below 2^31 in `u32`, below 2^63 in `u64`.
///
/// ```
/// use sunzi::gpu::{DeterminantContext, Device, Selection, Word};
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let (stream, context) = (device.stream()?, DeterminantContext::new(&device, Word::U32, &[101], 2)?);
/// let matrices = device.filled(&stream, &[1u32, 2, 3, 4, 0, 1, 1, 0])?;
/// let mut determinants = device.buffer(2)?;
/// context.run(&stream, (&matrices, 0), (&mut determinants, 0), 2)?;
/// let mut found = [0; 2];
/// stream.read(&determinants, &mut found)?;
/// assert_eq!(found, [99, 100]); // −2, −1
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeterminantContext {
    fields: Fields,
    order: usize,
    method: Method,
}

/// A plan with its kernels.
#[derive(Debug)]
enum Method {
    Shared(DeterminantConfig, Kernel),
    Panels(Box<Panels>),
}

/// The program.
fn source(fields: &Fields, config: &DeterminantConfig) -> Source<'static> {
    fields
        .source(NAME, config.threads)
        .define("ENTRIES", config.order * config.order)
        .part(SUMS)
        .part(POWERS)
        .part(DETERMINANT)
}

impl DeterminantContext {
    /// For matrices of `order` rows of residues in such words, in the way that suits the device. Buffers have these words, or those
    /// of 32 bits in their place; places in them are counted in residues.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for no prime, a number that is no odd prime in the word's range, an order of 0, and doubles;
    /// [`GpuError::Limits`] for 2^16 rows and more; errors of the device.
    pub fn new(
        device: &Device,
        word: Word,
        primes: &[u64],
        order: usize,
    ) -> Result<Self, GpuError> {
        let plan = DeterminantPlan::for_device(device.info(), word, order);
        Self::with_plan(device, word, primes, order, plan)
    }

    /// In a given way.
    ///
    /// # Errors
    /// As [`DeterminantContext::new`], and [`GpuError::Shape`] for a configuration beyond the device's limits, or for less rows;
    /// [`GpuError::Limits`] for matrices that no group of threads shares where they are to.
    pub fn with_plan(
        device: &Device,
        word: Word,
        primes: &[u64],
        order: usize,
        plan: DeterminantPlan,
    ) -> Result<Self, GpuError> {
        if word.is_double() || primes.is_empty() || order == 0 {
            return Err(GpuError::Shape(format!(
                "determinants of {order} rows modulo {} primes: there must be one of each, and residues in integers, `u32` or \
                 `u64`",
                primes.len()
            )));
        }
        let fields = Fields::new(&device.stream()?, word, primes, 0)?;
        let method = match plan {
            DeterminantPlan::Shared(config) => {
                let config = config.check(device.info(), word)?;
                if order > config.order {
                    return Err(GpuError::Shape(format!(
                        "matrices of {order} rows are beyond a shape for {}",
                        config.order
                    )));
                }
                let program = device.program(&source(&fields, &config))?;
                Method::Shared(config, program.kernel("determinants")?)
            }
            DeterminantPlan::Panels(config) => {
                let config = config.check(device.info(), word, order)?;
                Method::Panels(Box::new(Panels::new(device, &fields, config)?))
            }
        };
        Ok(Self {
            fields,
            order,
            method,
        })
    }

    /// How they are computed.
    pub const fn plan(&self) -> DeterminantPlan {
        match &self.method {
            Method::Shared(config, _) => DeterminantPlan::Shared(*config),
            Method::Panels(panels) => DeterminantPlan::Panels(panels.config()),
        }
    }

    /// Computes the determinants of `each` matrices modulo each prime: canonical residues, row by row, one matrix after the
    /// other from the element on that is given, those of the first prime first. One word for each goes to `to`, in order.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if they reach beyond a buffer, and for 2^31 matrices and more; [`GpuError::OutOfMemory`] where the
    /// device has too little for one of them in panels, before anything is submitted; what the driver refuses.
    pub fn run<E: ResidueWord>(
        &self,
        stream: &Stream,
        (from, from_first): (&Buffer<E>, usize),
        (to, to_first): (&mut Buffer<E>, usize),
        each: usize,
    ) -> Result<(), GpuError> {
        let from = (self.fields.elements(from)?, from_first);
        let to = (self.fields.elements_mut(to)?, to_first);
        self.run_elements(stream, from, to, each)
    }

    fn run_elements(
        &self,
        stream: &Stream,
        (from, from_first): (ElementsRef<'_>, usize),
        (to, to_first): (ElementsMut<'_>, usize),
        each: usize,
    ) -> Result<(), GpuError> {
        let count = each.saturating_mul(self.fields.moduli().len());
        from.check_rows("matrices", from_first, count, self.order * self.order)?;
        to.check_rows("determinants", to_first, count, 1)?;
        if count == 0 {
            return Ok(());
        }
        // Kernels are told of it in 32 bits.
        if count >> 31 != 0 {
            return Err(GpuError::Shape(format!(
                "{count} determinants are too many at a time: 2^31 - 1 are the most"
            )));
        }
        let (config, kernel) = match &self.method {
            Method::Shared(config, kernel) => (config, kernel),
            Method::Panels(panels) => {
                let (from, to) = ((from, from_first), (to, to_first));
                return panels.run(stream, &self.fields, self.order, from, to, (count, each));
            }
        };
        let shared_bytes = config.shared_bytes(self.fields.word());
        let launch = Launch::new(count as u64, config.threads, shared_bytes)?;
        let parameters = Determinants {
            to,
            to_first: to_first as u64,
            from,
            from_first: from_first as u64,
            n: self.order as u32,
            each: each as u32,
            scale: Scale::ProductOne,
            fields: &self.fields,
        };
        stream.launch(kernel, launch, parameters)
    }
}
