//! Multiplications a second.

use super::clock::rounds_per_second;
use super::source::{self, CHAINS, COLUMNS, STEPS};
use crate::ntt::NttWord;
use crate::ntt::field_arguments;
use crate::{Argument, DeviceKind, GpuError, Kernel, Launch, Stream};
use bytemuck::Pod;

/// The prime of products modulo one: 2^60 − 2^18 + 1.
const PRIME: u64 = (1 << 60) - (1 << 18) + 1;

/// Products a second.
pub struct Arithmetic {
    pub wide: f64,
    pub chained: f64,
    pub prime: f64,
    pub double: Option<f64>,
}

/// Measures them.
pub fn measure(stream: &Stream) -> Result<Arithmetic, GpuError> {
    let device = stream.device();
    let threads = source::threads(device.info());
    let words = device.program(&source::words(threads))?;
    let prime = device.program(&source::prime(threads))?;
    let chains = CHAINS * STEPS;
    let wide = words.kernel("wide_products")?;
    let chained = words.kernel("chained_products")?;
    let primes = prime.kernel("prime_products")?;
    let field: Vec<_> = field_arguments::<u64>(PRIME).collect();
    let double = if device.info().doubles {
        let program = device.program(&source::doubles(threads))?;
        let kernel = program.kernel("double_products")?;
        Some(rate(stream, &kernel, 0f64, &[], chains)?)
    } else {
        None
    };
    Ok(Arithmetic {
        wide: rate(stream, &wide, 0x9e37_79b9u32, &[], chains)?,
        chained: rate(stream, &chained, 0x9e37_79b9u32, &[], COLUMNS * COLUMNS)?,
        prime: rate(stream, &primes, u64::from_residue(3 << 50), &field, chains)?,
        double,
    })
}

/// How many of the operations a second that a thread does `each` of in a round, from a value.
fn rate<T: Pod>(
    stream: &Stream,
    kernel: &Kernel,
    value: T,
    more: &[Argument],
    each: usize,
) -> Result<f64, GpuError> {
    let device = stream.device();
    let info = device.info();
    let threads = source::threads(info);
    // Several times what runs at once, so that the last groups to end leave little idle.
    let groups = info.units.max(1)
        * match info.kind {
            DeviceKind::Cpu => 4,
            DeviceKind::Gpu | DeviceKind::Accelerator => 64,
        };
    let values = device.filled(stream, &vec![value; groups * threads])?;
    let launch = Launch {
        groups,
        threads,
        shared_bytes: 0,
    };
    let rounds = rounds_per_second(stream, |rounds| {
        let mut arguments = vec![Argument::of(&values), Argument::U32(rounds)];
        arguments.extend(more);
        // SAFETY: the arguments are those of the kernel, which has one value for each thread.
        unsafe { stream.launch(kernel, launch, &arguments) }
    })?;
    Ok(rounds * (groups * threads * each) as f64)
}
