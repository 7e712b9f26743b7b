//! Launches: what is chosen for each, and how long those took that are recorded.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::ffi::c_void;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock, RwLock};

use sunzi_tune::live::{Launched, Limits, Unchanged};
use sunzi_tune::{Element, KernelArgument};

use super::driver::{self, Code, Driver, Handle};
use super::spare::CudaSpare;
use crate::pending::{Event, Pending};
use crate::record::Line;
use crate::run::{Identity, Known, Run, Tuned};

/// The layer in this process.
pub struct Cuda {
    run: &'static Run,
    functions: RwLock<HashMap<usize, Arc<Function>>>,
    pending: Pending<Between>,
}

/// A function that is launched. Handles are numbers here.
struct Function {
    name: Option<String>,
    resolved: OnceLock<Option<Resolved>>,
}

/// A function on its device.
struct Resolved {
    tuned: Arc<Tuned>,
    /// What its description says of its arguments, if it has one.
    arguments: Vec<KernelArgument>,
    /// Bytes of its parameters otherwise, where the driver tells.
    sizes: Vec<usize>,
}

/// The events before and after a launch that is recorded.
struct Between([Handle; 2]);
// SAFETY: events may be used by any thread.
unsafe impl Send for Between {}

/// A launch, and what is chosen for it.
pub struct Submitted {
    function: Arc<Function>,
    stream: Handle,
    own: Launched,
    chosen: Option<Launched>,
    integers: Vec<(usize, i64)>,
    is_captured: bool,
}

impl Cuda {
    pub fn get() -> Option<&'static Self> {
        static CUDA: OnceLock<Option<Cuda>> = OnceLock::new();
        let start = || {
            Some(Cuda {
                run: Run::get()?,
                functions: RwLock::default(),
                pending: Pending::default(),
            })
        };
        CUDA.get_or_init(start).as_ref()
    }

    /// Takes the name of a function: a new one, even where there was one of the same handle.
    pub fn name(&self, function: Handle, name: &str) -> Option<()> {
        let named = Function {
            name: Some(name.to_owned()),
            resolved: OnceLock::new(),
        };
        self.functions
            .write()
            .ok()?
            .insert(function as usize, Arc::new(named));
        Some(())
    }

    fn function(&self, handle: Handle) -> Option<Arc<Function>> {
        let known = self.functions.read().ok()?.get(&(handle as usize)).cloned();
        known.or_else(|| {
            let unnamed = Function {
                name: None,
                resolved: OnceLock::new(),
            };
            let mut functions = self.functions.write().ok()?;
            Some(
                functions
                    .entry(handle as usize)
                    .or_insert_with(|| Arc::new(unnamed))
                    .clone(),
            )
        })
    }

    /// Records launches that are done, in their order.
    pub fn gather(&'static self) -> Option<()> {
        let (record, driver) = (self.run.record()?, Driver::get()?);
        self.pending.gather(driver, record);
        Some(())
    }

    /// Records all others without their times.
    pub fn give_up(&self) {
        if let Some(record) = self.run.record() {
            self.pending.give_up(record);
        }
    }
}

impl Event for Between {
    type Driver = Driver;

    fn is_to_come(&self, driver: &Driver) -> bool {
        // SAFETY: it is the layer's own.
        unsafe { (driver.cuEventQuery)(self.0[1]) == driver::NOT_READY }
    }

    fn milliseconds(&self, driver: &Driver) -> Option<f64> {
        driver.milliseconds(self.0[0], self.0[1])
    }

    fn release(self, driver: &Driver) {
        for event in self.0 {
            // SAFETY: as above; nothing uses it any more.
            unsafe { (driver.cuEventDestroy_v2)(event) };
        }
    }
}

impl Function {
    fn resolved(&self, cuda: &Cuda, driver: &Driver, handle: Handle) -> Option<&Resolved> {
        self.resolved
            .get_or_init(|| self.resolve(cuda, driver, handle))
            .as_ref()
    }

    fn resolve(&self, cuda: &Cuda, driver: &Driver, handle: Handle) -> Option<Resolved> {
        let name = self.name.clone().or_else(|| driver.function_name(handle))?;
        let device = driver.device()?;
        let device_name = driver.device_name(device)?;
        let mut code = DefaultHasher::new();
        driver::CODE_ATTRIBUTES
            .map(|attribute| driver.function_attribute(attribute, handle))
            .hash(&mut code);
        let limit = |attribute| driver.device_attribute(attribute, device);
        let [x, y, z] = driver::BLOCK_SIDES.map(limit);
        let most = driver.function_attribute(driver::MOST_THREADS, handle);
        let known = Known {
            api: "cuda",
            device: &device_name,
            units: limit(driver::PROCESSORS)?,
            dimensions: 3,
            limits: Limits {
                sides: [x?, y?, z?],
                threads: limit(driver::BLOCK_THREADS)?.min(u64::try_from(most?).ok()?),
            },
            only_described: true,
            fixed: None,
        };
        let identity = Identity {
            device: format!("{device_name}, CUDA {}", driver.version()?),
            kernel: name,
            code: format!("{:016x}", code.finish()),
        };
        let tuned = cuda.run.kernel(identity, known);
        let described = cuda
            .run
            .description(&tuned)
            .map(|kernel| kernel.arguments().to_vec());
        Some(Resolved {
            tuned,
            arguments: described.unwrap_or_default(),
            sizes: driver.parameters(handle),
        })
    }
}

impl Resolved {
    /// An integer among the values of the parameters. Where types are not known, four bytes are one, and eight if no address and no
    /// double is so small.
    ///
    /// # Safety
    /// `values` are those of a launch: a pointer for each parameter.
    unsafe fn integer(&self, values: *mut *mut c_void, index: usize) -> Option<i64> {
        // SAFETY: by this function's terms, each value is as long as it is read here.
        unsafe {
            let value = || values.add(index).read();
            if !self.arguments.is_empty() {
                return match self.arguments.get(index)? {
                    KernelArgument::Value {
                        element: Element::I32,
                        ..
                    } => Some(value().cast::<i32>().read_unaligned().into()),
                    KernelArgument::Value {
                        element: Element::U32,
                        ..
                    } => Some(value().cast::<u32>().read_unaligned().into()),
                    KernelArgument::Value {
                        element: Element::I64 | Element::U64,
                        ..
                    } => Some(value().cast::<i64>().read_unaligned()),
                    _ => None,
                };
            }
            match self.sizes.get(index)? {
                4 => Some(value().cast::<i32>().read_unaligned().into()),
                8 => Some(value().cast::<i64>().read_unaligned())
                    .filter(|value| (0..1 << 32).contains(value)),
                _ => None,
            }
        }
    }
}

impl Submitted {
    /// Looks at a launch.
    ///
    /// # Safety
    /// The arguments are those of `cuLaunchKernel`.
    pub unsafe fn new(
        cuda: &'static Cuda,
        handle: Handle,
        (grid, block, shared_bytes): ([u32; 3], [u32; 3], u32),
        (stream, is_per_thread): (Handle, bool),
        (values, extra): (*mut *mut c_void, *mut *mut c_void),
    ) -> Option<Self> {
        let driver = Driver::get()?;
        let function = cuda.function(handle)?;
        let resolved = function.resolved(cuda, driver, handle)?;
        let stream = match is_per_thread && stream.is_null() {
            true => driver::PER_THREAD_STREAM as Handle,
            false => stream,
        };
        let (sides, blocks) = (block.map(u64::from), grid.map(u64::from));
        let mut threads = [0; 3];
        for (all, (side, blocks)) in threads.iter_mut().zip(sides.iter().zip(blocks)) {
            *all = side.checked_mul(blocks).filter(|&all| all > 0)?;
        }
        let own = Launched {
            dimensions: 3,
            threads,
            block: Some(sides),
        };
        let is_told = !values.is_null() && extra.is_null();
        // SAFETY: by this function's terms.
        let integer = |index: usize| unsafe { is_told.then(|| resolved.integer(values, index))? };
        let is_captured = driver.is_capturing(stream);
        let check = || {
            match shared_bytes {
            0 => Ok(()),
            _ => Err(Unchanged::NotLegal(
                "it has shared memory whose length comes with the launch, and fits the program's own block".to_owned(),
            )),
        }
        };
        let chosen = match is_captured {
            true => None,
            false => cuda
                .run
                .decide(&resolved.tuned, &own, integer, check, |live, data| {
                    // SAFETY: the values are those of a launch with these arguments.
                    unsafe {
                        CudaSpare::new(
                            driver,
                            handle,
                            stream,
                            &resolved.arguments,
                            values,
                            live,
                            data,
                            &own,
                        )
                    }
                }),
        };
        let integers = match cuda.run.record() {
            Some(_) => {
                let count = resolved.arguments.len().max(resolved.sizes.len());
                (0..count)
                    .filter_map(|index| Some((index, integer(index)?)))
                    .collect()
            }
            None => Vec::new(),
        };
        Some(Submitted {
            function: function.clone(),
            stream,
            own,
            chosen,
            integers,
            is_captured,
        })
    }

    /// The grid and the blocks to launch by instead of the program's own.
    pub fn chosen(&self) -> Option<([u32; 3], [u32; 3])> {
        let chosen = self.chosen?;
        let narrow = |side: u64| u32::try_from(side).ok();
        let (mut grid, mut block) = ([0; 3], [0; 3]);
        for (index, side) in chosen.block?.into_iter().enumerate() {
            block[index] = narrow(side)?;
            grid[index] = narrow(chosen.threads[index] / side)?;
        }
        Some((grid, block))
    }

    fn tuned(&self) -> Option<&Arc<Tuned>> {
        Some(&self.function.resolved.get()?.as_ref()?.tuned)
    }

    /// The driver has refused what was chosen: the launch is the program's own.
    pub fn take_back(&mut self, cuda: &Cuda, code: Code) -> Option<()> {
        self.chosen = None;
        let why = format!("the driver refuses the chosen block with code {code}");
        cuda.run.take_back(self.tuned()?, Unchanged::Spare(why));
        Some(())
    }

    /// The event before a launch that is recorded.
    pub fn start(&self, cuda: &Cuda) -> Option<Handle> {
        cuda.run.record()?;
        if self.is_captured {
            return None;
        }
        self.event(Driver::get()?)
    }

    fn event(&self, driver: &Driver) -> Option<Handle> {
        let event = driver.event()?;
        // SAFETY: both are alive.
        if unsafe { (driver.cuEventRecord)(event, self.stream) } == driver::SUCCESS {
            return Some(event);
        }
        // SAFETY: it is the layer's own.
        unsafe { (driver.cuEventDestroy_v2)(event) };
        None
    }

    /// The event after it.
    pub fn end(self, cuda: &'static Cuda, started: Handle, code: Code) -> Option<()> {
        let driver = Driver::get()?;
        let ended = (code == driver::SUCCESS)
            .then(|| self.event(driver))
            .flatten();
        let Some(ended) = ended else {
            // SAFETY: it is the layer's own.
            unsafe { (driver.cuEventDestroy_v2)(started) };
            return None;
        };
        let line = Line {
            kernel: self.tuned()?.clone(),
            own: self.own,
            chosen: self.chosen,
            integers: self.integers,
        };
        let (record, events) = (cuda.run.record()?, Between([started, ended]));
        cuda.pending.add(driver, record, line, events)
    }
}
