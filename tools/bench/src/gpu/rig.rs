//! A device under measurement.

use super::case::Problem;
use std::sync::{Mutex, PoisonError};
use sunzi::gpu::{Device, DeviceKind, GpuError, Selection, Stream};
use sunzi_gpu::peak::PeakRates;
use sunzi_measure::{ByOwnClock, Clock, Timing, Work, in_turn};

/// Bytes a second by which sizes are chosen: of a GPU, and of an OpenCL on the processor.
const GPU_PACE: f64 = 20e9;
const CPU_PACE: f64 = 40e6;
/// Bytes of the largest case.
const MOST_BYTES: f64 = 4e9;

/// A device, what it does at most, and how much time there is for each case.
pub struct Rig {
    pub device: Device,
    pub stream: Stream,
    pub peak: PeakRates,
    pub budget: f64,
    /// The bytes that a case may have.
    pub bytes: usize,
    failure: Mutex<Option<GpuError>>,
}

impl Rig {
    /// Opens the device, and measures its peak rates.
    pub fn open(wanted: Selection, budget: f64) -> Result<Self, GpuError> {
        let device = Device::open(wanted)?;
        let pace = match device.info().kind {
            DeviceKind::Gpu | DeviceKind::Accelerator => GPU_PACE,
            DeviceKind::Cpu => CPU_PACE,
        };
        let room = device.memory_free() / 4;
        let room = room.min(device.info().largest_buffer) as f64;
        Ok(Self {
            stream: device.timed_stream()?,
            peak: PeakRates::measure(&device)?,
            bytes: (pace * budget).min(MOST_BYTES).min(room) as usize,
            budget,
            failure: Mutex::default(),
            device,
        })
    }

    /// What is submitted again and again, and timed from the first to the last of it by the device's events; what
    /// includes copies that are waited for, too.
    pub fn work<'a>(
        &'a self,
        mut submit: impl FnMut(&Stream) -> Result<(), GpuError> + Send + 'a,
    ) -> Work<'a> {
        let mut timed = move |times: usize| {
            let start = self.stream.record()?;
            (0..times).try_for_each(|_| submit(&self.stream))?;
            Ok(self.stream.record()?.since(&start)?.as_secs_f64())
        };
        Box::new(ByOwnClock(move |times| {
            timed(times).unwrap_or_else(|error| {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                f64::INFINITY
            })
        }))
    }

    /// Times all, unless the device fails.
    pub fn time(&self, works: &mut [Work]) -> Result<Vec<Timing>, Problem> {
        let times = in_turn(works, Clock::Wall, self.budget);
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        match failure.take() {
            Some(error) => Err(error.into()),
            None => Ok(times),
        }
    }

    /// Seconds that copies of this many bytes on the device take, read and written, and this many products of words.
    pub fn floor(&self, bytes: f64, products: f64) -> f64 {
        (bytes / self.peak.copy()).max(products / self.peak.word_products())
    }

    /// The same with bytes from the host and back beside it.
    pub fn floor_with_copies(&self, floor: f64, [up, down]: [usize; 2]) -> f64 {
        let (up, down) = (up as f64, down as f64);
        floor
            .max(up / self.peak.upload)
            .max(down / self.peak.download)
    }
}

/// How the processor is called, which computes the same on all threads.
pub fn processor() -> String {
    match sunzi_machine::threads::count() {
        1 => "processor, 1 thread".to_owned(),
        threads => format!("processor, {threads} threads"),
    }
}
