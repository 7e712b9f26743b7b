//! Determinants of doubles: what is compiled for them, and how they run.

use sunzi_device::{
    Buffer, Device, DeviceInfo, DeviceKind, GpuError, Kernel, Launch, Source, Stream, Work, kernel,
};

/// The kernel.
const FLOAT: &str = include_str!("float.cl");

kernel! {
    /// Step k of elimination in matrices of n rows: a row of groups each.
    unsafe struct Step<'a> for "float_step" in launch {
        to: &'a mut Buffer<f64> [launch.rows() * n * n],
        from: &'a Buffer<f64> [launch.rows() * n * n],
        shifts: &'a mut Buffer<i64> [launch.rows() * n],
        pivots: &'a mut Buffer<f64> [launch.rows() * n],
        places: &'a mut Buffer<u32> [launch.rows() * n],
        n: u32,
        k: u32,
        nearest: bool,
    }
    work(k, launch) {
        let (below, batch) = (u64::from(k.n - k.k - 1), launch.groups[1] as u64);
        Work {
            // The pivot's row, and rows below there and back, a column shorter.
            bytes: 8 * batch * (below + 1 + below * (2 * below + 1)),
            multiplications: 2 * batch * below * below,
            // Two searches by halves.
            barriers: 2 * (launch.threads[0].ilog2() as usize + 1),
        }
    }
}

/// In the place of a column where a row is 0.
const NO_PIVOT: u32 = u32::MAX;

/// A pivot as a step of elimination finds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatPivot {
    /// Its place among the columns that have had none before it.
    pub place: usize,
    /// The entry, which times 2^`shift` is the pivot.
    pub value: f64,
    /// The power of two that its row has been divided by.
    pub shift: i64,
}

/// Which entry of a row becomes its pivot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatPivoting {
    /// The one of largest absolute value.
    Largest,
    /// The one whose absolute value a is nearest to 1: the larger one of a and 1/a is smallest.
    NearestToOne,
}

/// Pivots of matrices of doubles by elimination, or condensation, on devices that compute with doubles.
///
/// A step removes a row and the column of its pivot: every other row loses the multiple of it that has the same entry there,
/// products and differences rounded separately. A row whose largest entry leaves 2^±256 is divided by its power of two,
/// and so is one of smaller pivots when its turn comes. Results are the same on every device.
///
/// n launches for any number of matrices of n rows; 4n³/3 words of traffic a matrix, and n³/3 products.
///
/// ```
/// use sunzi::gpu::{Device, FloatContext, FloatPivot, FloatPivoting, Selection};
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// # if !device.info().doubles { return Ok(()) }
/// let (stream, context) = (device.stream()?, FloatContext::new(&device)?);
/// let pivots = context.pivots(&stream, FloatPivoting::NearestToOne, &[1.0, 2.0, 3.0, 4.0], 2)?;
/// let pivot = |value| FloatPivot { place: 0, value, shift: 0 };
/// assert_eq!(pivots, [Some(vec![pivot(1.0), pivot(-2.0)])]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct FloatContext {
    device: Device,
    threads: usize,
    step: Kernel,
}

/// The program, for groups of a power of two.
pub(crate) fn source(threads: usize) -> Source<'static> {
    Source::new("determinants of doubles", threads).part(FLOAT)
}

/// Threads of a group.
pub(crate) fn threads(info: &DeviceInfo) -> usize {
    let most = info.group_threads.max(1);
    match info.kind {
        DeviceKind::Cpu => 16.min(1 << most.ilog2()),
        DeviceKind::Gpu | DeviceKind::Accelerator => 256.min(1 << most.ilog2()),
    }
}

impl FloatContext {
    /// For any matrices.
    ///
    /// # Errors
    /// [`GpuError::Shape`] on a device that does not compute with doubles; errors of the device.
    pub fn new(device: &Device) -> Result<Self, GpuError> {
        if !device.info().doubles {
            return Err(GpuError::Shape(format!(
                "{} does not compute with doubles, which determinants in floating point take: use a processor",
                device.info().name
            )));
        }
        let threads = threads(device.info());
        Ok(Self {
            device: device.clone(),
            threads,
            step: device.program(&source(threads))?.kernel("float_step")?,
        })
    }

    /// The pivots of each matrix of `order` rows, row by row, one matrix after the other: one a row, or none where a row was 0
    /// when its turn came, so that the determinant is. Entries are finite, and the larger ones within 2^±256.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for an order of 0 or 2^31 and more, for what is no whole number of matrices, and for more than
    /// 65535; [`GpuError::OutOfMemory`] before anything is submitted; what the driver refuses.
    pub fn pivots(
        &self,
        stream: &Stream,
        pivoting: FloatPivoting,
        matrices: &[f64],
        order: usize,
    ) -> Result<Vec<Option<Vec<FloatPivot>>>, GpuError> {
        let entries = order.saturating_mul(order);
        if order == 0 || order >> 31 != 0 || !matrices.len().is_multiple_of(entries) {
            return Err(GpuError::Shape(format!(
                "{} entries are no whole number of matrices of {order} rows",
                matrices.len()
            )));
        }
        let count = matrices.len() / entries;
        if count == 0 {
            return Ok(Vec::new());
        }
        let rows = count * order;
        Launch::rows(order as u64, count, self.threads, 0)?;
        let device = &self.device;
        let (mut from, mut to) = (
            device.buffer::<f64>(matrices.len())?,
            device.buffer::<f64>(matrices.len())?,
        );
        let mut pivots = device.buffer::<f64>(rows)?;
        let mut places = device.buffer::<u32>(rows)?;
        let mut shifts = device.buffer::<i64>(rows)?;
        stream.clear(&mut shifts, 0, rows)?;
        stream.write(&mut from, matrices)?;
        for step in 0..order {
            let below = (order - step - 1).max(1);
            let launch = Launch::rows(below as u64, count, self.threads, 0)?;
            let parameters = Step {
                to: &mut to,
                from: &from,
                shifts: &mut shifts,
                pivots: &mut pivots,
                places: &mut places,
                n: order as u32,
                k: step as u32,
                nearest: pivoting == FloatPivoting::NearestToOne,
            };
            stream.launch(&self.step, launch, parameters)?;
            std::mem::swap(&mut from, &mut to);
        }
        let (mut values, mut columns, mut powers) = (vec![0.0; rows], vec![0; rows], vec![0; rows]);
        stream.read(&pivots, &mut values)?;
        stream.read(&places, &mut columns)?;
        stream.read(&shifts, &mut powers)?;
        let all = values.into_iter().zip(columns).zip(powers);
        let all: Vec<_> = all
            .map(|((value, place), shift)| {
                (place != NO_PIVOT).then_some(FloatPivot {
                    place: place as usize,
                    value,
                    shift,
                })
            })
            .collect();
        let matrices = all.chunks(order);
        Ok(matrices
            .map(|pivots| pivots.iter().copied().collect())
            .collect())
    }
}
