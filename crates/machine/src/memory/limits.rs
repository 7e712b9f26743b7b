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

fn process_left_of(limits: &str, status: &str) -> Option<u64> {
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
pub(super) fn kibibytes(table: &str, name: &str) -> Option<u64> {
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
fn groups_left_of(
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

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: &str = "\
Limit                     Soft Limit           Hard Limit           Units     
Max file size             unlimited            unlimited            bytes     
Max data size             unlimited            unlimited            bytes     
Max address space         52428800             unlimited            bytes     
";
    const STATUS: &str = "Name:\tx\nVmPeak:\t  99999 kB\nVmSize:\t   1024 kB\nVmData:\t    100 kB\nVmStk:\t   100 kB\n";

    #[test]
    fn limits_of_the_process_leave_what_is_not_mapped() {
        assert_eq!(
            process_left_of(LIMITS, STATUS),
            Some(52_428_800 - 1024 * 1024)
        );
        let small = LIMITS.replace("52428800 ", "1000     ");
        assert_eq!(process_left_of(&small, STATUS), Some(0));
        let none = LIMITS.replace("52428800 ", "unlimited");
        assert_eq!(process_left_of(&none, STATUS), None);
        let data = none.replacen(
            "data size             unlimited",
            "data size             300000   ",
            1,
        );
        assert_eq!(process_left_of(&data, STATUS), Some(300_000 - 100 * 1024));
        assert_eq!(process_left_of("", ""), None);
    }

    const MOUNTS: &str = "\
22 1 8:1 / / rw - ext4 /dev/sda rw
30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate
";

    fn left(groups: &str, mounts: &str, files: &[(&str, &str)]) -> Option<u64> {
        groups_left_of(groups, mounts, |path| {
            let file = files.iter().find(|(name, _)| path == Path::new(name));
            file.map(|(_, text)| (*text).to_owned())
        })
    }

    #[test]
    fn the_least_of_all_groups_above_counts() {
        let files = [
            ("/sys/fs/cgroup/user/job/memory.max", "max\n"),
            ("/sys/fs/cgroup/user/job/memory.current", "5000\n"),
            ("/sys/fs/cgroup/user/memory.max", "9000\n"),
            ("/sys/fs/cgroup/user/memory.current", "6000\n"),
            (
                "/sys/fs/cgroup/user/memory.stat",
                "anon 5000\ninactive_file 600\nactive_file 150\n",
            ),
            ("/sys/fs/cgroup/memory.max", "100000\n"),
            ("/sys/fs/cgroup/memory.current", "7000\n"),
            // Not above the process's own group.
            ("/sys/fs/cgroup/other/memory.max", "1\n"),
            ("/sys/fs/cgroup/other/memory.current", "1\n"),
        ];
        assert_eq!(
            left("0::/user/job\n", MOUNTS, &files),
            Some(9000 - 6000 + 750)
        );
        assert_eq!(left("0::/\n", MOUNTS, &files), Some(93_000));
        // A namespace shows a part of the tree as if it were the whole.
        assert_eq!(left("0::/../../elsewhere\n", MOUNTS, &files), Some(93_000));
        assert_eq!(left("0::/user/job\n", MOUNTS, &files[..2]), None);
        assert_eq!(left("", MOUNTS, &files), None);
        assert_eq!(left("0::/user/job\n", "", &files), None);
    }

    #[test]
    fn version_1_has_other_names_and_places() {
        let mounts = "\
31 22 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw
32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
35 31 0:32 /box /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
";
        let files = [
            ("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "5000\n"),
            ("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "4000\n"),
            (
                "/sys/fs/cgroup/memory/a/memory.stat",
                "cache 9\ntotal_inactive_file 500\n",
            ),
            (
                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                "9223372036854771712\n",
            ),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "4000\n"),
        ];
        let groups = "4:memory:/box/a\n1:cpu:/\n0::/\n";
        assert_eq!(left(groups, mounts, &files), Some(1500));
        assert_eq!(left("4:memory:/box\n", mounts, &files), None);
        assert_eq!(left("1:cpu:/\n0::/\n", mounts, &files), None);
    }

    #[test]
    fn tables_of_the_kernel_are_read() {
        let table = "MemTotal:       100 kB\nMemAvailable:   24 kB\n";
        assert_eq!(kibibytes(table, "MemAvailable"), Some(24 * 1024));
        assert_eq!(kibibytes(table, "Mem"), None);
        assert_eq!(kibibytes("MemAvailable: x kB", "MemAvailable"), None);
    }
}
