//! The devices that tests run on: one without a GPU, with what GPUs have in their place.

use crate::cuda_stand_in::{CudaStandIn, LoadedStandIn};
use crate::required_or_skipped;
use std::sync::OnceLock;
use sunzi_device::{Backend, Device, DeviceInfo, DeviceOptions, GpuError, Selection, discover};

/// A device to test on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// OpenCL's first device, as it is.
    OpenCl,
    /// The same, told to be a GPU: groups, tiles and programs are then those for GPUs.
    OpenClAsGpu,
    /// NVIDIA's driver, or the [stand-in](CudaStandIn) for it where there is none.
    Cuda,
    /// The stand-in, given the PTX that NVIDIA's own compiler makes.
    Ptx,
}

/// An architecture that no compiler knows: for it they make PTX, of the newest one before it that they know.
const NEWER: &str = "sm_99";

/// Where CUDA comes from.
enum Driver {
    Real,
    StandIn(CudaStandIn, LoadedStandIn),
}

impl Driver {
    /// What there is on this machine; the stand-in is loaded where NVIDIA's own has no device.
    fn find() -> Result<Self, String> {
        if cuda().is_some() {
            return Ok(Self::Real);
        }
        let built = CudaStandIn::build()?;
        let loaded = built.load()?;
        Ok(Self::StandIn(built, loaded))
    }

    /// Found once, before anybody looks for devices: they are the same for all tests of a process.
    fn of_process() -> &'static Result<Self, String> {
        static FOUND: OnceLock<Result<Driver, String>> = OnceLock::new();
        FOUND.get_or_init(Self::find)
    }
}

/// What the environment says.
fn options() -> DeviceOptions {
    DeviceOptions::from_env().unwrap_or_else(|error| panic!("{error}"))
}

fn first(wanted: Selection) -> Result<DeviceInfo, GpuError> {
    discover().select(wanted).cloned()
}

fn cuda() -> Option<DeviceInfo> {
    first(Selection::Of(Backend::Cuda, None)).ok()
}

impl Place {
    /// Opens the device, or `None` after a word on why there is none.
    pub fn device(self) -> Option<Device> {
        self.device_with(&options())
    }

    /// As [`device`](Self::device), with groups of so many threads at most, which share so many bytes at most.
    pub fn device_limited(self, group_threads: usize, group_memory: usize) -> Option<Device> {
        self.device_with(&DeviceOptions {
            group_threads: Some(group_threads),
            group_memory: Some(group_memory),
            ..options()
        })
    }

    /// As [`device`](Self::device), with options.
    pub fn device_with(self, options: &DeviceOptions) -> Option<Device> {
        let driver = match (self, Driver::of_process()) {
            (Self::Cuda | Self::Ptx, Err(reason)) => return required_or_skipped(Err(reason)),
            (_, driver) => driver.as_ref().ok(),
        };
        let mut options = options.clone();
        match (self, driver) {
            (Self::Cuda, Some(Driver::StandIn(stand_in, _))) => {
                options.compiler = Some(stand_in.compiler());
            }
            (Self::Ptx, Some(Driver::Real)) => {
                crate::skip("a GPU runs what its own compiler makes");
                return None;
            }
            (Self::Ptx, _) => options.compiler = Some(crate::nvrtc()?),
            _ => {}
        }
        required_or_skipped(
            self.describe()
                .and_then(|info| Device::open_found(&info, &options)),
        )
    }

    /// What the device is said to be.
    fn describe(self) -> Result<DeviceInfo, GpuError> {
        match self {
            Self::OpenCl => first(Selection::Of(Backend::OpenCl, None)),
            Self::OpenClAsGpu => Ok(as_gpu(first(Selection::Of(Backend::OpenCl, None))?)),
            Self::Cuda => first(Selection::Of(Backend::Cuda, None)),
            Self::Ptx => Ok(DeviceInfo {
                architecture: NEWER.to_owned(),
                ..first(Selection::Of(Backend::Cuda, None))?
            }),
        }
    }

    /// All sizes, or a few that tell most where a processor takes the place of a GPU: it is long compiling and running
    /// groups and tiles for those.
    pub fn pick<T>(self, all: T, few: T) -> T {
        let is_itself = match self {
            Self::OpenCl => true,
            Self::OpenClAsGpu | Self::Ptx => false,
            Self::Cuda => matches!(Driver::of_process(), Ok(Driver::Real)),
        };
        if is_itself { all } else { few }
    }

    /// Fails if anything went against the driver's rules.
    pub fn check(self) {
        if let (Self::Cuda | Self::Ptx, Ok(Driver::StandIn(_, loaded))) =
            (self, Driver::of_process())
        {
            assert_eq!(loaded.violations(), [""; 0]);
        }
    }
}

/// A device with the numbers of an NVIDIA H100, as far as it can keep up with them.
fn as_gpu(info: DeviceInfo) -> DeviceInfo {
    let h100 = DeviceInfo::h100();
    DeviceInfo {
        backend: info.backend,
        index: info.index,
        name: info.name,
        driver: info.driver,
        architecture: info.architecture,
        memory: info.memory,
        largest_buffer: info.largest_buffer,
        group_threads: info.group_threads.min(h100.group_threads),
        shared_memory: info.shared_memory.min(h100.shared_memory),
        doubles: info.doubles,
        ..h100
    }
}

/// Makes two tests of each function that takes a [`Place`]: `NAME::opencl` and `NAME::cuda`.
#[macro_export]
macro_rules! on_every_device {
    ($($test:ident),* $(,)?) => {$(
        mod $test {
            use $crate::Place;

            #[test]
            fn opencl() {
                super::$test(Place::OpenCl);
            }

            #[test]
            fn cuda() {
                super::$test(Place::Cuda);
                Place::Cuda.check();
            }
        }
    )*};
}

/// Makes one more test of each function that takes a [`Place`]: `as_gpu::NAME` runs it on OpenCL in the shapes for GPUs, which
/// CUDA has too. Some of each kind of kernels do, since all are compiled for it.
#[macro_export]
macro_rules! as_gpu {
    ($($test:ident),* $(,)?) => {
        mod as_gpu {
            use $crate::Place;
            $(
                #[test]
                fn $test() {
                    super::$test(Place::OpenClAsGpu);
                }
            )*
        }
    };
}

/// Makes one more test of each function that takes a [`Place`]: `ptx::NAME` runs what NVIDIA's compiler makes of its kernels.
#[macro_export]
macro_rules! as_ptx {
    ($($test:ident),* $(,)?) => {
        mod ptx {
            use $crate::Place;
            $(
                #[test]
                fn $test() {
                    super::$test(Place::Ptx);
                    Place::Ptx.check();
                }
            )*
        }
    };
}
