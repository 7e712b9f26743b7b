//! What is arranged with the system before a command runs.

use crate::kept;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sunzi::tune::ProcessorTuning;
use sunzi_files::failure::Failure;
use sunzi_files::memory::limit_heap;
use sunzi_files::progress;
use sunzi_machine::memory::{group_bytes, process_bytes};

/// Address space that a thread takes when it starts, for its stack and more.
const BYTES_TO_START: u64 = 4 << 20;
/// The least that it should have, with the memory that it computes with.
const BYTES_TO_COMPUTE: u64 = 64 << 20;

/// Makes a file that outgrows the limit of its size an error of writing, not a signal that ends the program.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    // SAFETY: nothing else in the program sets what this signal does, and to ignore one needs no handler.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Sets the limits of memory: no more than the user and the control groups allow.
pub fn limit_memory(by_user: Option<u64>) {
    let by_group = group_bytes();
    limit_heap(by_user, by_group);
    if by_user.is_some() || process_bytes().is_some() {
        heap::keep_little();
    }
}

/// Processors for this process: those of the machine are shared with the other ranks of a job that are there.
fn processors() -> usize {
    let usable = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(unix)]
    {
        // SAFETY: it only asks the system for a number.
        let all = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
        // What is less than all was shared already.
        if usable as libc::c_long >= all {
            return (usable / crate::ranks::on_this_machine()).max(1);
        }
    }
    usable
}

/// The threads that compute: as many as wanted or as there are processors, and fewer where the system does not give so
/// many. Results do not depend on how many there are.
pub fn threads(wanted: Option<u16>) -> Result<ThreadPool, Failure> {
    let processors = processors();
    let room = process_bytes();
    let mut count = match wanted {
        // Half of the room is left to compute in.
        Some(wanted) => fitting(
            usize::from(wanted),
            room.map(|room| room / 2),
            BYTES_TO_START,
        ),
        None => fitting(tuned(processors), room, BYTES_TO_COMPUTE),
    };
    loop {
        match ThreadPoolBuilder::new().num_threads(count).build() {
            Err(_) if count > 1 => count /= 2,
            built => {
                if wanted.is_some_and(|wanted| count < usize::from(wanted)) {
                    progress::warn(&format!(
                        "threads: {count}, for memory or the system allow no more; results are the same"
                    ));
                }
                return built.map_err(|error| {
                    Failure::Computation(format!("threads cannot be started: {error}"))
                });
            }
        }
    }
}

/// The threads that `tune self` found to be the fastest on so many processors, or one for each. What is damaged is told where it is used.
fn tuned(processors: usize) -> usize {
    let tuning = kept::tuning().ok().flatten();
    let measured = tuning.and_then(|tuning| tuning.processor);
    let here = measured.filter(ProcessorTuning::is_for_this);
    here.map_or(processors, |tuning| tuning.threads(processors))
}

/// As many threads as wanted, but no more than there is room for; one at least.
fn fitting(wanted: usize, room: Option<u64>, bytes_per_thread: u64) -> usize {
    let most = room.map_or(u64::MAX, |bytes| bytes / bytes_per_thread);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    wanted.min(most).max(1)
}

/// How the system's allocator deals with what is given back.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod heap {
    /// Blocks of at least this many bytes go back to the system at once.
    const RETURNED: i32 = 1 << 18;

    /// Keeps as little as possible for later: what is kept counts against limits, and a slow run is better than none. By
    /// default each thread reserves 64 MiB of addresses, too.
    pub fn keep_little() {
        // SAFETY: these calls only set numbers of the allocator, which may be done at any time.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_MMAP_THRESHOLD, RETURNED);
            libc::mallopt(libc::M_TRIM_THRESHOLD, RETURNED);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod heap {
    /// Nothing can be said to other allocators.
    pub fn keep_little() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_threads_as_there_is_room_for() {
        assert_eq!(fitting(8, Some(0), BYTES_TO_START), 1);
        assert_eq!(fitting(8, Some(3 * BYTES_TO_START), BYTES_TO_START), 3);
        assert_eq!(fitting(2, Some(3 * BYTES_TO_START), BYTES_TO_START), 2);
        assert_eq!(fitting(8, None, BYTES_TO_START), 8);
    }
}
