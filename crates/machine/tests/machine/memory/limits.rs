//! Limits of a process and of its groups, as the kernel tells them.

use std::path::Path;
use sunzi_machine::internals::{groups_left_of, kibibytes, process_left_of};

const LIMITS: &str = "\
Limit                     Soft Limit           Hard Limit           Units     
Max file size             unlimited            unlimited            bytes     
Max data size             unlimited            unlimited            bytes     
Max address space         52428800             unlimited            bytes     
";
const STATUS: &str =
    "Name:\tx\nVmPeak:\t  99999 kB\nVmSize:\t   1024 kB\nVmData:\t    100 kB\nVmStk:\t   100 kB\n";

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
