//! Whether there may be a GPU, asked without loading any driver.

use std::ffi::OsStr;
use std::fs;

/// How the names in `/dev` start by which Linux lets drivers reach GPUs: NVIDIA's, those of the common interface and
/// AMD's, those of a Windows that it runs in, and those of phones and boards.
const NODES: [&str; 10] = [
    "nvidia", "nvhost", "nvgpu", "nvmap", "dri", "kfd", "dxg", "mali", "kgsl", "pvr",
];

/// Whether this machine may have a GPU. Drivers take long to load, and much memory: where the answer is no they need
/// not be asked. Only Linux tells; elsewhere there may always be one.
///
/// ```
/// if !sunzi_gpu::may_have_gpu() {
///     println!("this machine has no GPU");
/// }
/// ```
pub fn may_have_gpu() -> bool {
    if !cfg!(target_os = "linux") {
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
    fn nodes_of_gpus_are_known() {
        for name in ["nvidia0", "nvidiactl", "dri", "kfd", "dxg", "mali0"] {
            assert!(is_node(name.as_ref()), "{name}");
        }
        for name in ["null", "tty0", "vda", "nvme0n1", "fd", "shm"] {
            assert!(!is_node(name.as_ref()), "{name}");
        }
    }
}
