//! How much memory a computation may take, asked before it starts.

pub(crate) mod limits;
mod shown;

pub use shown::Shown;

use std::cell::Cell;
use std::fs;
use thiserror::Error;

/// Requests below this many bytes are not compared with what the system has: to ask it costs some hundred microseconds.
const UNCHECKED_BYTES: u64 = 1 << 24;

/// A computation needs more memory than can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "this needs about {} of memory and {} can be used: use smaller operands, a larger machine, or higher limits",
    Shown(*needed),
    Shown(*available)
)]
pub struct OutOfMemory {
    /// Bytes that the computation would take.
    pub needed: u64,
    /// Bytes that the system can give.
    pub available: u64,
}

/// The memory that a computation may take: what the system can give, and no more than a limit.
///
/// Memory that the computation holds already counts toward the limit, but the system need not give it again.
///
/// ```
/// use sunzi::memory::Budget;
///
/// assert!(Budget::system().require(1000).is_ok());
/// assert!(Budget::system().require(u64::MAX).is_err());
///
/// let budget = Budget::within(Some(1000)).holding(600);
/// assert!(budget.require(400).is_ok());
/// let refused = budget.require(401).unwrap_err();
/// assert_eq!((refused.needed, refused.available), (1001, 1000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    limit: Option<u64>,
    held: u64,
}

impl Budget {
    /// What the system can give.
    pub const fn system() -> Self {
        Self::within(None)
    }

    /// What the system can give, and no more bytes than the limit, where there is one.
    pub const fn within(limit: Option<u64>) -> Self {
        Self { limit, held: 0 }
    }

    /// The same for a computation that holds this many bytes more.
    #[must_use]
    pub const fn holding(self, bytes: u64) -> Self {
        Self {
            held: self.held.saturating_add(bytes),
            ..self
        }
    }

    /// The limit, where there is one.
    pub const fn limit(self) -> Option<u64> {
        self.limit
    }

    /// The bytes that may be taken in all, with those that are held; `None` where there is no limit and the system does
    /// not tell (anything but Linux).
    ///
    /// The system tells what it can give now without swapping, within the limits set for this process (`ulimit -v` and
    /// `-d`) and for its control groups.
    ///
    /// ```
    /// if let Some(bytes) = sunzi::memory::Budget::system().available() {
    ///     println!("{} MiB are free", bytes >> 20);
    /// }
    /// ```
    pub fn available(self) -> Option<u64> {
        let free = [meminfo("MemAvailable"), process_bytes(), group_bytes()];
        let free = free.into_iter().flatten().min();
        let all = free.map(|free| free.saturating_add(self.held));
        [self.limit, all].into_iter().flatten().min()
    }

    /// Whether this many bytes can be taken beside those that are held.
    ///
    /// # Errors
    /// [`OutOfMemory`] if all together are more than the limit, or the system says that it has less. Small requests within
    /// the limit pass, and all of them where the system does not tell.
    pub fn require(self, bytes: u64) -> Result<(), OutOfMemory> {
        let needed = self.held.saturating_add(bytes);
        if bytes < UNCHECKED_BYTES && self.limit.is_none_or(|limit| needed <= limit) {
            return Ok(());
        }
        // More than any address space is refused wherever this runs.
        let available = self.available().unwrap_or(1 << 47);
        if needed > available {
            return Err(OutOfMemory { needed, available });
        }
        Ok(())
    }
}

/// The bytes that are drawn from a budget little by little, as a file is read that may declare anything, and holds a
/// thousand times its size where it is packed.
///
/// ```
/// use sunzi::memory::{Budget, Drawn};
///
/// let drawn = Drawn::new(Budget::within(Some(1000)));
/// for _ in 0..50 {
///     drawn.draw(8, 12)?;
/// }
/// assert!(drawn.check().is_ok());
/// assert_eq!(drawn.rest(8).unwrap_err().needed, 1008);
/// # Ok::<(), sunzi::memory::OutOfMemory>(())
/// ```
#[derive(Debug)]
pub struct Drawn {
    budget: Budget,
    taken: Cell<u64>,
    later: Cell<u64>,
    /// The system is asked once more has been taken.
    allowed: Cell<u64>,
}

impl Drawn {
    /// Nothing is drawn yet.
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            taken: Cell::new(0),
            later: Cell::new(0),
            allowed: Cell::new(UNCHECKED_BYTES),
        }
    }

    /// Counts bytes before they are taken, and those that will be taken for their sake later, when all are there.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the system, which is asked each time that the bytes have doubled, has less. The limit is for
    /// [`check`](Self::check) and [`rest`](Self::rest).
    #[inline]
    pub fn draw(&self, bytes: u64, later: u64) -> Result<(), OutOfMemory> {
        self.draw_asking(bytes, later, |taken| Budget::system().require(taken))
    }

    #[inline]
    pub(crate) fn draw_asking(
        &self,
        bytes: u64,
        later: u64,
        ask: impl FnOnce(u64) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let taken = self.taken.get().saturating_add(bytes);
        self.taken.set(taken);
        self.later.set(self.later.get().saturating_add(later));
        if taken > self.allowed.get() {
            // What there is stays, so that to double it takes as much again.
            ask(taken)?;
            self.allowed.set(taken.saturating_mul(2));
        }
        Ok(())
    }

    /// Whether all that was counted keeps within the limit of the budget; the system is not asked.
    ///
    /// # Errors
    /// [`OutOfMemory`] if it is more.
    pub fn check(&self) -> Result<(), OutOfMemory> {
        let counted = self.taken.get().saturating_add(self.later.get());
        self.budget.holding(counted).require(0)
    }

    /// Counts `more` bytes for later, and asks whether all that was left for later can be had now.
    ///
    /// # Errors
    /// [`OutOfMemory`] if not.
    pub fn rest(&self, more: u64) -> Result<(), OutOfMemory> {
        self.later.set(self.later.get().saturating_add(more));
        let budget = self.budget.holding(self.taken.get());
        budget.require(self.later.get())
    }
}

/// All memory of the machine in bytes; `None` where the system does not tell.
///
/// ```
/// if let Some(bytes) = sunzi_machine::memory::machine_bytes() {
///     println!("{} MiB are built in", bytes >> 20);
/// }
/// ```
pub fn machine_bytes() -> Option<u64> {
    meminfo("MemTotal")
}

/// The most memory that this process had in use at a time, in bytes; `None` where the system does not tell.
///
/// ```
/// assert!(sunzi_machine::memory::peak_bytes().is_none_or(|bytes| bytes > 1 << 16));
/// ```
pub fn peak_bytes() -> Option<u64> {
    limits::kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

/// A figure of the kernel's table of the machine's memory, in bytes.
fn meminfo(name: &str) -> Option<u64> {
    limits::kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, name)
}

/// The memory that the limits of this process (`ulimit -v` and `-d`) leave it, in bytes; `None` where there are none.
///
/// ```
/// if let Some(bytes) = sunzi_machine::memory::process_bytes() {
///     println!("{} MiB are left to this process", bytes >> 20);
/// }
/// ```
pub fn process_bytes() -> Option<u64> {
    limits::process_left()
}

/// The memory that the limits of this process's control groups leave it, in bytes; `None` where there are none.
///
/// ```
/// if let Some(bytes) = sunzi_machine::memory::group_bytes() {
///     println!("{} MiB are left to this group of processes", bytes >> 20);
/// }
/// ```
pub fn group_bytes() -> Option<u64> {
    limits::groups_left()
}
