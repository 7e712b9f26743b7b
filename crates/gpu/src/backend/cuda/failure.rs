//! What error codes of NVIDIA's driver mean.

use super::api::Api;
use crate::{DeviceInfo, GpuError};
use cudarc::driver::sys::CUresult::*;
use std::ffi::c_uint;

/// Codes after which the context, and all that was on the device, is gone.
///
/// The last three are those of drivers newer than the bindings: the device is unavailable, an error was contained to
/// this process, tensor memory was not given back.
const LOST: [c_uint; 19] = [
    CUDA_ERROR_DEINITIALIZED as c_uint,
    CUDA_ERROR_INVALID_CONTEXT as c_uint,
    CUDA_ERROR_ECC_UNCORRECTABLE as c_uint,
    CUDA_ERROR_NVLINK_UNCORRECTABLE as c_uint,
    CUDA_ERROR_ILLEGAL_ADDRESS as c_uint,
    CUDA_ERROR_LAUNCH_TIMEOUT as c_uint,
    CUDA_ERROR_CONTEXT_IS_DESTROYED as c_uint,
    CUDA_ERROR_ASSERT as c_uint,
    CUDA_ERROR_HARDWARE_STACK_ERROR as c_uint,
    CUDA_ERROR_ILLEGAL_INSTRUCTION as c_uint,
    CUDA_ERROR_MISALIGNED_ADDRESS as c_uint,
    CUDA_ERROR_INVALID_ADDRESS_SPACE as c_uint,
    CUDA_ERROR_INVALID_PC as c_uint,
    CUDA_ERROR_LAUNCH_FAILED as c_uint,
    CUDA_ERROR_MPS_RPC_FAILURE as c_uint,
    CUDA_ERROR_EXTERNAL_DEVICE as c_uint,
    46,
    226,
    721,
];

/// The error of a code.
pub fn failure(api: &Api, info: &DeviceInfo, call: &'static str, code: c_uint) -> GpuError {
    classified(info, call, code, api.name(code))
}

fn classified(info: &DeviceInfo, call: &'static str, code: c_uint, name: String) -> GpuError {
    let device = info.name.clone();
    if code == CUDA_ERROR_OUT_OF_MEMORY as c_uint {
        GpuError::OutOfMemory {
            device,
            wanted: 0,
            free: 0,
            limit: info.memory,
            largest: info.largest_buffer,
        }
    } else if LOST.contains(&code) {
        GpuError::DeviceLost {
            device,
            call,
            code: name,
        }
    } else {
        GpuError::Driver {
            device,
            call,
            code: name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, DeviceKind};

    #[test]
    fn codes_are_sorted_by_what_can_be_done() {
        let info = DeviceInfo {
            backend: Backend::Cuda,
            index: 0,
            name: "a GPU".to_owned(),
            driver: String::new(),
            kind: DeviceKind::Gpu,
            architecture: "sm_90".to_owned(),
            memory: 1 << 30,
            largest_buffer: 1 << 30,
            shared_memory: 0,
            group_threads: 0,
            simd_width: 0,
            units: 0,
            clock_mhz: 0,
            doubles: true,
        };
        let of = |code| classified(&info, "cuSomething", code, format!("E{code}"));
        assert!(matches!(of(2), GpuError::OutOfMemory { .. }));
        for lost in [4, 46, 201, 214, 226, 700, 702, 709, 710, 714, 716, 718, 719] {
            assert!(
                matches!(of(lost), GpuError::DeviceLost { code, .. } if code == format!("E{lost}"))
            );
        }
        for refused in [1, 3, 200, 209, 218, 222, 400, 500, 701, 801, 999, 123_456] {
            assert!(
                matches!(of(refused), GpuError::Driver { code, .. } if code == format!("E{refused}"))
            );
        }
    }
}
