//! Spare launches of described kernels: by the driver's own function, on copies of the buffers, in a stream of the layer's own.

use std::ffi::c_void;
use std::ptr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sunzi_tune::KernelArgument;
use sunzi_tune::live::{Launched, LiveKernel, Ran, Spare, Unchanged};

use super::driver::{self, Code, Driver, Handle};
use super::find::{Ours, real};
use crate::spare::{PATIENCE, SpareError, patience};

fn must(code: Code) -> Result<(), SpareError> {
    match code {
        driver::SUCCESS => Ok(()),
        code => Err(SpareError::Driver(code.into())),
    }
}

/// A buffer of the program's, and the layer's copies: what it held before the launch, and what the kernel works on.
struct Copied {
    size: usize,
    saved: u64,
    work: u64,
}

/// What spare launches run on.
pub struct CudaSpare {
    driver: &'static Driver,
    launch: driver::Launch,
    function: Handle,
    stream: Handle,
    events: [Handle; 2],
    buffers: Vec<Copied>,
    /// A pointer to the value of each parameter, which is the program's, or to the address of a copy.
    values: Vec<*mut c_void>,
    /// The addresses of the copies.
    addresses: Vec<u64>,
    /// What the first launch has left in the buffers, and how long it took.
    first: Option<(Vec<Vec<u8>>, f64)>,
    is_stuck: bool,
}

impl CudaSpare {
    /// Copies what a launch is given. The copies are made in the program's stream, in the place of the launch, and waited for.
    ///
    /// # Safety
    /// `values` are those of a launch with these arguments.
    #[allow(clippy::too_many_arguments)]
    pub unsafe fn new(
        driver: &'static Driver,
        function: Handle,
        program_stream: Handle,
        arguments: &[KernelArgument],
        values: *mut *mut c_void,
        live: &LiveKernel,
        data: &[i64],
        own: &Launched,
    ) -> Result<Self, Unchanged> {
        let shape = live.own_shape(data, own)?;
        let launch = real(Ours::cuLaunchKernel)
            .ok_or_else(|| Unchanged::Spare("the driver does not launch".to_owned()))?;
        let mut spare = CudaSpare {
            driver,
            // SAFETY: the driver's function of that name has this type.
            launch: unsafe { std::mem::transmute::<*const c_void, driver::Launch>(launch) },
            function,
            stream: ptr::null_mut(),
            events: [ptr::null_mut(); 2],
            buffers: Vec::new(),
            values: Vec::new(),
            addresses: Vec::new(),
            first: None,
            is_stuck: false,
        };
        // SAFETY: by this function's terms.
        unsafe { spare.copy(arguments, values, data, &shape, program_stream) }?;
        Ok(spare)
    }

    /// # Safety
    /// As [`CudaSpare::new`].
    unsafe fn copy(
        &mut self,
        arguments: &[KernelArgument],
        values: *mut *mut c_void,
        data: &[i64],
        shape: &[i64],
        program_stream: Handle,
    ) -> Result<(), Unchanged> {
        let driver = self.driver;
        // SAFETY: handles are written, and buffers are as long as the driver, or the description, says.
        unsafe {
            must((driver.cuStreamCreate)(
                &raw mut self.stream,
                driver::NON_BLOCKING,
            ))?;
            for event in &mut self.events {
                must((driver.cuEventCreate)(event, 0))?;
            }
            let mut places = Vec::new();
            for (index, argument) in arguments.iter().enumerate() {
                let value = values.add(index).read();
                self.values.push(value);
                let KernelArgument::Buffer(buffer) = argument else {
                    continue;
                };
                let length = usize::try_from(buffer.length.at(data, shape)).unwrap_or(0);
                let described = length.saturating_mul(buffer.element.bytes());
                let address = value.cast::<u64>().read_unaligned();
                if described == 0 || address == 0 {
                    continue;
                }
                // As much as the kernel can reach of the program's: one that goes beyond its description does not go beyond a copy.
                let size = driver.rest_of_allocation(address).unwrap_or(described);
                if size < described {
                    return Err(Unchanged::NotLegal(format!(
                        "its argument {index} has {size} bytes, and its description says {described}"
                    )));
                }
                let mut copied = Copied {
                    size,
                    saved: 0,
                    work: 0,
                };
                let mut code = (driver.cuMemAlloc_v2)(&raw mut copied.saved, size);
                if code == driver::SUCCESS {
                    code = (driver.cuMemAlloc_v2)(&raw mut copied.work, size);
                }
                places.push(index);
                self.addresses.push(copied.work);
                let saved = copied.saved;
                self.buffers.push(copied);
                must(code)?;
                must((driver.cuMemcpyDtoDAsync_v2)(
                    saved,
                    address,
                    size,
                    program_stream,
                ))?;
            }
            for (place, address) in places.into_iter().zip(&mut self.addresses) {
                self.values[place] = ptr::from_mut(address).cast();
            }
            must((driver.cuEventRecord)(self.events[0], program_stream))?;
        }
        Ok(self.wait(self.events[0], Instant::now() + PATIENCE)?)
    }

    /// Waits for an event. No call of the driver's blocks here: what it waits for may be this very thread.
    fn wait(&mut self, event: Handle, deadline: Instant) -> Result<(), SpareError> {
        loop {
            // SAFETY: it is the layer's own.
            match unsafe { (self.driver.cuEventQuery)(event) } {
                driver::NOT_READY if Instant::now() < deadline => sleep(Duration::from_micros(20)),
                driver::NOT_READY => {
                    self.is_stuck = true;
                    return Err(SpareError::Late);
                }
                code => return must(code),
            }
        }
    }

    /// What the buffers hold.
    fn results(&self) -> Result<Vec<Vec<u8>>, SpareError> {
        let held = |Copied { size, work, .. }: &Copied| {
            let mut bytes = vec![0_u8; *size];
            // SAFETY: so many bytes are there and here, until the stream is done.
            unsafe {
                must((self.driver.cuMemcpyDtoHAsync_v2)(
                    bytes.as_mut_ptr().cast(),
                    *work,
                    *size,
                    self.stream,
                ))?;
                must((self.driver.cuStreamSynchronize)(self.stream))?;
            }
            Ok(bytes)
        };
        self.buffers.iter().map(held).collect()
    }
}

impl Spare for CudaSpare {
    type Error = SpareError;

    fn run(&mut self, launched: &Launched) -> Result<Option<Ran>, SpareError> {
        let driver = self.driver;
        let block = launched.block.unwrap_or([1; 3]);
        let side = |side: u64| u32::try_from(side).unwrap_or(u32::MAX);
        let [a, b, c] = block.map(side);
        let grid = |index: usize| side(launched.threads[index] / block[index].max(1));
        let (x, y, z) = (grid(0), grid(1), grid(2));
        // SAFETY: the buffers are the layer's own, and the kernel has all its values.
        unsafe {
            for Copied { size, saved, work } in &self.buffers {
                must((driver.cuMemcpyDtoDAsync_v2)(
                    *work,
                    *saved,
                    *size,
                    self.stream,
                ))?;
            }
            must((driver.cuEventRecord)(self.events[0], self.stream))?;
            let code = (self.launch)(
                self.function,
                x,
                y,
                z,
                a,
                b,
                c,
                0,
                self.stream,
                self.values.as_mut_ptr(),
                ptr::null_mut(),
            );
            if code != driver::SUCCESS {
                return Ok(None);
            }
            must((driver.cuEventRecord)(self.events[1], self.stream))?;
        }
        let patience = patience(self.first.as_ref().map(|(_, first)| *first));
        self.wait(self.events[1], Instant::now() + patience)?;
        let milliseconds = driver.milliseconds(self.events[0], self.events[1]);
        let milliseconds = milliseconds.ok_or(SpareError::Driver(driver::NOT_FOUND.into()))?;
        let results = self.results()?;
        let (first, _) = self
            .first
            .get_or_insert_with(|| (results.clone(), milliseconds));
        Ok(Some(Ran {
            milliseconds,
            same: *first == results,
        }))
    }
}

impl Drop for CudaSpare {
    fn drop(&mut self) {
        if self.is_stuck {
            return;
        }
        let driver = self.driver;
        // SAFETY: all are the layer's own, and nothing uses them any more once the stream is done.
        unsafe {
            if !self.stream.is_null() {
                (driver.cuStreamSynchronize)(self.stream);
                (driver.cuStreamDestroy_v2)(self.stream);
            }
            for event in self.events {
                if !event.is_null() {
                    (driver.cuEventDestroy_v2)(event);
                }
            }
            for Copied { saved, work, .. } in &self.buffers {
                for &address in [saved, work] {
                    if address != 0 {
                        (driver.cuMemFree_v2)(address);
                    }
                }
            }
        }
    }
}
