//! What devices there are, and which of them is wanted.

use crate::backend::{Absence, cuda, opencl};
use crate::error::GpuError;
use crate::info::{Backend, DeviceInfo, DeviceKind};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::str::FromStr;
use sunzi_machine::memory::process_bytes;

/// Names interfaces that are to be left alone: `cuda`, `opencl`, `cuda,opencl` or `all`.
const HIDE_VARIABLE: &str = "SUNZI_HIDE_DEVICES";

/// Set to anything but nothing, says that there may be a GPU where the system shows none.
const LOOK_VARIABLE: &str = "SUNZI_LOOK_FOR_GPU";

/// Address space that drivers need: with less than this left they abort the whole program instead of reporting an error.
const DRIVER_BYTES: u64 = 1 << 31;

/// Which device is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// The first GPU: by CUDA if that can be used, by OpenCL otherwise.
    Gpu,
    /// A GPU if there is one, or else whatever OpenCL offers: a processor too.
    Any,
    /// A device of one interface: the one of that number in [`discover`](crate::discover), or its first GPU, or else its
    /// first device.
    Of(Backend, Option<usize>),
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gpu => f.write_str("gpu"),
            Self::Any => f.write_str("any"),
            Self::Of(backend, None) => f.write_str(backend.name()),
            Self::Of(backend, Some(index)) => write!(f, "{}:{index}", backend.name()),
        }
    }
}

impl FromStr for Selection {
    type Err = GpuError;

    /// Reads `gpu`, `any`, `cuda`, `opencl`, or one of the latter two with `:` and a number.
    fn from_str(text: &str) -> Result<Self, GpuError> {
        let wrong = || {
            GpuError::Shape(format!(
                "`{text}` is no device: the names are gpu, any, cuda, opencl, and cuda:N and opencl:N with a number"
            ))
        };
        let (name, index) = match text.split_once(':') {
            Some((name, index)) => (name, Some(index.parse().map_err(|_| wrong())?)),
            None => (text, None),
        };
        match (name, index) {
            ("gpu", None) => Ok(Self::Gpu),
            ("any", None) => Ok(Self::Any),
            ("cuda", index) => Ok(Self::Of(Backend::Cuda, index)),
            ("opencl", index) => Ok(Self::Of(Backend::OpenCl, index)),
            _ => Err(wrong()),
        }
    }
}

/// What there is on this machine.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The devices, those of CUDA first.
    pub devices: Vec<DeviceInfo>,
    /// The interfaces that have none, and why.
    pub absent: Vec<(Backend, String)>,
    /// Those of them that may have some, but cannot be used: their driver does not start, for one.
    pub unusable: Vec<Backend>,
}

/// Looks for devices without opening any.
///
/// The environment variable `SUNZI_HIDE_DEVICES` (`cuda`, `opencl`, both with a comma, or `all`) hides devices; what else
/// it says hides all of them, since it cannot be told which were meant.
pub fn discover() -> Discovery {
    let mut found = Discovery {
        devices: Vec::new(),
        absent: Vec::new(),
        unusable: Vec::new(),
    };
    let hidden = hidden(&std::env::var_os(HIDE_VARIABLE).unwrap_or_default());
    let cramped = process_bytes().is_some_and(|bytes| bytes < DRIVER_BYTES);
    for backend in [Backend::Cuda, Backend::OpenCl] {
        let devices = match &hidden {
            Err(misread) => Err(Absence::unusable(misread)),
            Ok(hidden) if hidden.contains(&backend) => {
                Err(Absence::none(format!("{HIDE_VARIABLE} hides it")))
            }
            Ok(_) if cramped => {
                let least = DRIVER_BYTES >> 30;
                Err(Absence::unusable(format!(
                    "its driver needs {least} GiB of memory to itself, and `ulimit -v` or `ulimit -d` leaves less"
                )))
            }
            Ok(_) => match backend {
                Backend::Cuda => cuda::discover(),
                Backend::OpenCl => opencl::discover(),
            },
        };
        let absence = match devices {
            Ok(devices) if devices.is_empty() => Absence::none("it knows no device"),
            Ok(devices) => {
                found.devices.extend(devices);
                continue;
            }
            Err(absence) => absence,
        };
        if absence.unusable {
            found.unusable.push(backend);
        }
        found.absent.push((backend, absence.reason));
    }
    found
}

/// The interfaces that this value of the environment's variable hides, or what is wrong with it.
fn hidden(value: &OsStr) -> Result<Vec<Backend>, String> {
    let misread = || {
        format!(
            "{HIDE_VARIABLE} is `{}`: cuda, opencl, both with a comma, or all was expected",
            value.display()
        )
    };
    let names = value
        .to_str()
        .ok_or_else(misread)?
        .split(',')
        .map(str::trim);
    let mut hidden = Vec::new();
    for name in names.filter(|name| !name.is_empty()) {
        match Selection::from_str(name) {
            _ if name == "all" => hidden.extend([Backend::Cuda, Backend::OpenCl]),
            Ok(Selection::Of(backend, None)) => hidden.push(backend),
            _ => return Err(misread()),
        }
    }
    Ok(hidden)
}

impl Discovery {
    /// The device that a selection takes.
    ///
    /// # Errors
    /// [`GpuError::NoDevice`], with what there is or why there is nothing.
    pub fn select(&self, wanted: Selection) -> Result<&DeviceInfo, GpuError> {
        let gpu = |device: &&DeviceInfo| device.kind == DeviceKind::Gpu;
        let found = match wanted {
            Selection::Gpu => self.devices.iter().find(gpu),
            Selection::Any => self.devices.iter().find(gpu).or(self.devices.first()),
            Selection::Of(backend, index) => {
                let devices = || {
                    self.devices
                        .iter()
                        .filter(|device| device.backend == backend)
                };
                match index {
                    Some(index) => devices().find(|device| device.index == index),
                    None => devices().find(gpu).or(devices().next()),
                }
            }
        };
        found.ok_or_else(|| GpuError::NoDevice {
            wanted: wanted.to_string(),
            found: self.sentence(wanted),
            unusable: !self.unusable.is_empty(),
        })
    }

    /// The device that a selection takes where none of CUDA can be used.
    ///
    /// # Errors
    /// `unusable`, which says why that is and what to install, and what OpenCL has instead.
    pub(crate) fn select_without_cuda(
        &self,
        wanted: Selection,
        unusable: GpuError,
    ) -> Result<&DeviceInfo, GpuError> {
        let rest = || {
            self.devices
                .iter()
                .filter(|device| device.backend != Backend::Cuda)
        };
        let gpu = rest().find(|device| device.kind == DeviceKind::Gpu);
        let best = gpu.or_else(|| rest().next());
        let found = match wanted {
            Selection::Gpu => gpu,
            Selection::Any => best,
            // Who names CUDA gets nothing else.
            Selection::Of(..) => None,
        };
        found.ok_or_else(|| match unusable {
            GpuError::NoCompiler {
                device,
                backend,
                reason,
            } => {
                let mut absent = self.absent.iter();
                let why = absent.find(|(backend, _)| *backend == Backend::OpenCl);
                let instead = match (best, wanted, why) {
                    (Some(best), Selection::Of(..), _) => {
                        format!("or use --device opencl, which is {}", best.name)
                    }
                    (_, _, Some((_, why))) => format!("OpenCL cannot take its place: {why}"),
                    _ => "OpenCL cannot take its place: it has no GPU".to_owned(),
                };
                GpuError::NoCompiler {
                    device,
                    backend,
                    reason: format!("{reason}; {instead}"),
                }
            }
            other => other,
        })
    }

    /// What there is, in a sentence; of the interface alone that is wanted.
    fn sentence(&self, wanted: Selection) -> String {
        let asked = |backend: &Backend| match wanted {
            Selection::Of(only, _) => *backend == only,
            Selection::Gpu | Selection::Any => true,
        };
        let devices = self.devices.iter().filter(|device| asked(&device.backend));
        let devices = devices.map(|device| {
            let (backend, index) = (device.backend.name(), device.index);
            format!("{backend}:{index} is {} ({})", device.name, device.kind)
        });
        let absent = self.absent.iter().filter(|(backend, _)| asked(backend));
        let absent = absent.map(|(backend, reason)| format!("no device by {backend}: {reason}"));
        let all: Vec<_> = devices.chain(absent).collect();
        all.join("; ")
    }
}

/// What the names in `/dev` begin with through which drivers reach GPUs on Linux: NVIDIA's, the common interface and
/// AMD's, the one for Linux inside Windows, and those of phones and boards.
const NODES: [&str; 10] = [
    "nvidia", "nvhost", "nvgpu", "nvmap", "dri", "kfd", "dxg", "mali", "kgsl", "pvr",
];

/// Whether this machine may have a GPU. Drivers take long to load, and much memory: where the answer is no, they need
/// not be loaded. Only Linux can tell; elsewhere the answer is always yes, and so it is where the environment variable
/// `SUNZI_LOOK_FOR_GPU` is set, for drivers that reach GPUs by other ways.
///
/// ```
/// if !sunzi::gpu::may_have_gpu() {
///     println!("this machine has no GPU");
/// }
/// ```
pub fn may_have_gpu() -> bool {
    let told = std::env::var_os(LOOK_VARIABLE).is_some_and(|text| !text.is_empty());
    if told || !cfg!(target_os = "linux") {
        return true;
    }
    match fs::read_dir("/dev") {
        Ok(entries) => entries.flatten().any(|entry| is_node(&entry.file_name())),
        Err(_) => true,
    }
}

fn is_node(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    NODES.iter().any(|start| name.starts_with(start.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_shown() {
        for name in ["gpu", "any", "cuda", "opencl", "cuda:3", "opencl:0"] {
            assert_eq!(name.parse::<Selection>().unwrap().to_string(), name);
        }
        for wrong in ["", "cpu", "gpu:1", "opencl:", "opencl:-1", "cuda:x"] {
            assert!(wrong.parse::<Selection>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_hidden_is_named_or_told_to_be_wrong() {
        let [cuda, opencl] = [Backend::Cuda, Backend::OpenCl];
        for (value, expected) in [
            ("", &[][..]),
            ("cuda", &[cuda]),
            (" opencl , cuda,", &[opencl, cuda]),
            ("all", &[cuda, opencl]),
        ] {
            assert_eq!(hidden(value.as_ref()).unwrap(), expected, "{value}");
        }
        for wrong in [
            "CUDA",
            "none",
            "cuda:0",
            "gpu",
            "any",
            "cuda opencl",
            "cuda,x",
        ] {
            let said = hidden(wrong.as_ref()).unwrap_err();
            assert!(
                said.starts_with(&format!("SUNZI_HIDE_DEVICES is `{wrong}`")),
                "{said}"
            );
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            assert!(hidden(OsStr::from_bytes(b"cuda\xff")).is_err());
        }
    }

    fn device(backend: Backend, kind: DeviceKind) -> DeviceInfo {
        DeviceInfo::sample(backend, kind)
    }

    #[test]
    fn a_gpu_that_nothing_compiles_for_is_told_with_what_to_install() {
        let unusable = || GpuError::NoCompiler {
            device: "a device".to_owned(),
            backend: Backend::Cuda,
            reason: "install the compiler".to_owned(),
        };
        let cuda = device(Backend::Cuda, DeviceKind::Gpu);
        let alone = Discovery {
            devices: vec![cuda.clone()],
            absent: vec![(Backend::OpenCl, "there is no loader".to_owned())],
            unusable: Vec::new(),
        };
        for wanted in [Selection::Gpu, Selection::Any] {
            let refused = alone.select_without_cuda(wanted, unusable()).unwrap_err();
            assert!(
                matches!(refused, GpuError::NoCompiler { .. }),
                "{refused:?}"
            );
            let said = refused.to_string();
            assert!(said.contains("install the compiler"), "{said}");
            assert!(said.ends_with("there is no loader"), "{said}");
        }
        let processor = device(Backend::OpenCl, DeviceKind::Cpu);
        let mut found = Discovery {
            devices: vec![cuda, processor.clone()],
            absent: Vec::new(),
            unusable: Vec::new(),
        };
        let any = found.select_without_cuda(Selection::Any, unusable());
        assert_eq!(any, Ok(&processor));
        // Who names CUDA is told what else there is, and only that.
        let named = Selection::Of(Backend::Cuda, None);
        let said = |discover: &Discovery| {
            let refused = discover.select_without_cuda(named, unusable());
            refused.unwrap_err().to_string()
        };
        let refused = said(&found);
        assert!(
            refused.ends_with("install the compiler; or use --device opencl, which is a device"),
            "{refused}"
        );
        let refused = said(&alone);
        assert!(
            refused.ends_with("OpenCL cannot take its place: there is no loader"),
            "{refused}"
        );
        let refused = found
            .select_without_cuda(Selection::Gpu, unusable())
            .unwrap_err();
        assert!(refused.to_string().ends_with("it has no GPU"), "{refused}");
        let gpu = device(Backend::OpenCl, DeviceKind::Gpu);
        found.devices.push(gpu.clone());
        for wanted in [Selection::Gpu, Selection::Any] {
            assert_eq!(found.select_without_cuda(wanted, unusable()), Ok(&gpu));
        }
    }

    #[test]
    fn nodes_of_gpus_are_known() {
        for name in ["nvidia0", "nvidiactl", "dri", "kfd", "dxg", "mali0"] {
            assert!(is_node(name.as_ref()), "{name}");
        }
        for name in ["null", "tty0", "vda", "nvme0n1", "fd", "shm"] {
            assert!(!is_node(name.as_ref()), "{name}");
        }
    }
}
