//! The limits of memory that were set for this process: its own, and those of its control groups.

use std::fs;
use std::path::{Path, PathBuf};

/// The bytes that this process's own limits (`ulimit -v`, `ulimit -d`) leave it.
pub(super) fn process_left() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    process_left_of(&limits, &status)
}

/// The bytes that this process's control groups leave it, versions 1 and 2.
pub(super) fn groups_left() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    groups_left_of(&groups, &mounts, |path| fs::read_to_string(path).ok())
}

pub fn process_left_of(limits: &str, status: &str) -> Option<u64> {
    let left = |limit, used: &[&str]| {
        let used = used.iter().filter_map(|name| kibibytes(status, name)).sum();
        Some(soft_limit(limits, limit)?.saturating_sub(used))
    };
    let of_addresses = left("Max address space", &["VmSize"]);
    let of_data = left("Max data size", &["VmData"]);
    of_addresses.into_iter().chain(of_data).min()
}

/// A limit in force out of /proc/self/limits; `None` where it is `unlimited`.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A line `name: 123 kB` of a table of the kernel, in bytes.
pub fn kibibytes(table: &str, name: &str) -> Option<u64> {
    let of_name = |line: &'_ str| -> Option<u64> {
        let value = line.strip_prefix(name)?.strip_prefix(':')?;
        value.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    table.lines().find_map(of_name)?.checked_mul(1024)
}

/// The files of a control group that count memory, by the version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interface {
    limit: &'static str,
    used: &'static str,
    /// Lines of `memory.stat` with what the kernel gives back when memory is short: pages of files.
    reclaimable: [&'static str; 2],
}

const VERSION_1: Interface = Interface {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    reclaimable: ["total_inactive_file", "total_active_file"],
};

const VERSION_2: Interface = Interface {
    limit: "memory.max",
    used: "memory.current",
    reclaimable: ["inactive_file", "active_file"],
};

/// The least that any group leaves, of those in which the process is, and those in which these are.
pub fn groups_left_of(
    groups: &str,
    mounts: &str,
    read: impl Fn(&Path) -> Option<String>,
) -> Option<u64> {
    let folders = mounts.lines().filter_map(|mount| of_mount(mount, groups));
    let left = folders.flat_map(|(interface, top, own)| {
        let folders: Vec<_> = own.ancestors().map(Path::to_owned).collect();
        let within = folders
            .into_iter()
            .take_while(move |folder| folder.starts_with(&top));
        within
            .filter_map(|folder| group_left(interface, |file| read(&folder.join(file))))
            .min()
    });
    left.min()
}

/// Where a mount shows the process's group that counts memory, if it does: the top of the mount, and the group's
/// folder.
fn of_mount(mount: &str, groups: &str) -> Option<(Interface, PathBuf, PathBuf)> {
    let (place, system) = mount.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (root, top) = (place.next()?, place.next()?);
    let mut system = system.split(' ');
    let counts_memory = |list: &str| list.split(',').any(|one| one == "memory");
    let (interface, own) = match (system.next()?, system.nth(1)?) {
        ("cgroup2", _) => (VERSION_2, group_of(groups, str::is_empty)?),
        ("cgroup", options) if counts_memory(options) => {
            (VERSION_1, group_of(groups, counts_memory)?)
        }
        _ => return None,
    };
    // A group above the root of the mount is not to be seen, but its parts are.
    let below = Path::new(own).strip_prefix(root).unwrap_or(Path::new(""));
    Some((interface, top.into(), Path::new(top).join(below)))
}

/// The path of the group whose controllers are the ones wanted, out of lines `number:controllers:path`.
fn group_of(groups: &str, wanted: impl Fn(&str) -> bool) -> Option<&str> {
    groups.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        wanted(controllers).then_some(path)
    })
}

/// What one group leaves; `None` if it has no limit.
fn group_left(interface: Interface, read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let number = |file| read(file)?.trim().parse::<u64>().ok();
    // Version 1 says that there is none by a limit beyond any memory.
    let limit = number(interface.limit).filter(|&limit| limit < 1 << 62)?;
    let used = number(interface.used)?;
    let stat = read("memory.stat").unwrap_or_default();
    let reclaimable = stat.lines().filter_map(|line| {
        let (name, bytes) = line.split_once(' ')?;
        interface
            .reclaimable
            .contains(&name)
            .then(|| bytes.parse::<u64>().ok())?
    });
    let held = used.saturating_sub(reclaimable.sum());
    Some(limit.saturating_sub(held))
}
