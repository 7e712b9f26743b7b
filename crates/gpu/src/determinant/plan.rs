//! How matrices are laid out in groups of threads, or cut for them.

use crate::word::Word;
use sunzi_device::{DeviceInfo, DeviceKind, GpuError};

/// What errors call the program.
pub(crate) const NAME: &str = "determinants of small matrices";

/// Threads side by side in a row, which the kernel is written for.
const WIDTH: usize = 32;

/// Entries that a thread of a GPU has, where there are threads enough.
const ENTRIES: usize = 16;

/// Orders for which programs are compiled: smaller matrices share one.
const ORDER_STEP: usize = 16;

/// How matrices are laid out in groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeterminantConfig {
    /// Threads of a group, which has one matrix: a multiple of 32, or fewer.
    pub threads: usize,
    /// Rows of a matrix at most.
    pub order: usize,
}

impl DeterminantConfig {
    /// What suits a device for matrices of up to `order` rows.
    ///
    /// ```
    /// use sunzi::gpu::{DeviceInfo, Word};
    /// use sunzi_gpu::determinant::DeterminantConfig;
    /// let config = DeterminantConfig::for_device(&DeviceInfo::h100(), Word::U32, 60);
    /// assert_eq!((config.threads, config.order), (256, 64));
    /// ```
    pub fn for_device(info: &DeviceInfo, word: Word, order: usize) -> Self {
        let wanted = match info.kind {
            DeviceKind::Cpu => 64,
            DeviceKind::Gpu | DeviceKind::Accelerator => {
                let entries = order.saturating_mul(order);
                (entries / ENTRIES)
                    .next_multiple_of(WIDTH)
                    .clamp(WIDTH, 1024)
            }
        };
        let mut threads = wanted.min(info.group_threads).max(1);
        if threads > WIDTH {
            threads -= threads % WIDTH;
        }
        let rounded = Self {
            threads,
            order: order.checked_next_multiple_of(ORDER_STEP).unwrap_or(order),
        };
        match rounded.shared_bytes(word) <= info.shared_memory {
            true => rounded,
            false => Self { threads, order },
        }
    }

    /// Bytes of local memory of a group.
    pub(crate) const fn shared_bytes(&self, word: Word) -> usize {
        let entries = self.order.saturating_mul(self.order);
        entries
            .saturating_add(self.threads)
            .saturating_mul(word.bytes())
    }

    /// Checks it against the limits of the kernel and of a device.
    ///
    /// # Errors
    /// [`GpuError::Limits`] if a group cannot share such a matrix, [`GpuError::Shape`] for what is none anywhere.
    pub(crate) fn check(self, info: &DeviceInfo, word: Word) -> Result<Self, GpuError> {
        let threads = self.threads;
        let is_group = (1..=info.group_threads).contains(&threads)
            && (threads < WIDTH || threads.is_multiple_of(WIDTH));
        if !is_group || self.order == 0 {
            return Err(GpuError::Shape(format!(
                "{threads} threads with a matrix of {} rows are no shape for {}: a group has at most {} threads, a multiple of \
                 {WIDTH} of them or fewer",
                self.order, info.name, info.group_threads
            )));
        }
        if self.shared_bytes(word) > info.shared_memory {
            return Err(GpuError::Limits {
                device: info.name.clone(),
                kernel: NAME.to_owned(),
                reason: format!(
                    "a group of threads shares {} bytes, too few for a matrix of {} rows",
                    info.shared_memory, self.order
                ),
            });
        }
        Ok(self)
    }
}

/// Columns and rows of a tile for each thread of a side.
const EACH: usize = 4;

/// Rows of a panel at most: one bit each of a word.
const MOST_ROWS: usize = 64;

/// How matrices are cut that no group of threads shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PanelConfig {
    /// Rows that are eliminated at a time: a multiple of 4, at most 64.
    pub rows: usize,
    /// Groups have side² threads, and each of them a square tile of 4·side rows.
    pub side: usize,
}

impl PanelConfig {
    /// What suits a device.
    ///
    /// ```
    /// use sunzi::gpu::{DeviceInfo, Word};
    /// use sunzi_gpu::determinant::PanelConfig;
    /// let config = PanelConfig::for_device(&DeviceInfo::h100(), Word::U32);
    /// assert_eq!((config.rows, config.side), (32, 16));
    /// ```
    pub fn for_device(info: &DeviceInfo, word: Word) -> Self {
        let mut config = match info.kind {
            DeviceKind::Cpu => Self { rows: 16, side: 8 },
            DeviceKind::Gpu | DeviceKind::Accelerator => Self { rows: 32, side: 16 },
        };
        while config.side > 1 && config.threads() > info.group_threads {
            config.side /= 2;
        }
        while config.rows > 4 && config.shared_bytes(word) > info.array_bytes() {
            config.rows /= 2;
        }
        config
    }

    /// Threads of a group.
    pub const fn threads(&self) -> usize {
        self.side.saturating_mul(self.side)
    }

    /// Rows of a tile.
    pub(crate) const fn tile(&self) -> usize {
        EACH * self.side
    }

    /// Bytes of local memory of the kernel that wants most, less than these.
    const fn shared_bytes(&self, word: Word) -> usize {
        let tiles = self.rows * (2 * self.tile() + 1);
        let panel = self.rows * (2 * self.rows + 5);
        let solved = self.rows * (self.tile() + self.rows + 1);
        let most = if tiles > panel { tiles } else { panel };
        (if most > solved { most } else { solved }) * word.bytes()
    }

    /// Bytes on the device for a matrix of `order` rows while it is computed with, beside the matrix.
    ///
    /// ```
    /// use sunzi::gpu::Word;
    /// use sunzi_gpu::determinant::PanelConfig;
    /// let bytes = PanelConfig { rows: 32, side: 16 }.working_bytes(Word::U32, 4000);
    /// assert_eq!(bytes, 4 * (4000 * 4000 + 4000 + 32 * 4000 + 32 * 32 + 4));
    /// ```
    pub fn working_bytes(&self, word: Word, order: usize) -> u64 {
        let [order, rows] = [order, self.rows].map(|number| number as u64);
        let entries = order.saturating_mul(order.saturating_add(rows));
        let words = entries
            .saturating_add(rows.saturating_mul(rows))
            .saturating_add(4);
        let columns = order.saturating_mul(size_of::<u32>() as u64);
        words
            .saturating_mul(word.bytes() as u64)
            .saturating_add(columns)
    }

    /// Checks it against the limits of the kernels and of a device, for matrices of `order` rows.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a configuration that is none there, [`GpuError::Limits`] for orders above 2^16.
    pub(crate) fn check(
        self,
        info: &DeviceInfo,
        word: Word,
        order: usize,
    ) -> Result<Self, GpuError> {
        let Self { rows, side } = self;
        let is_panel = (EACH..=MOST_ROWS).contains(&rows) && rows.is_multiple_of(EACH);
        let is_group = side > 0 && self.threads() <= info.group_threads;
        let shared = info.array_bytes();
        if !(is_panel && is_group && self.shared_bytes(word) <= shared) {
            return Err(GpuError::Shape(format!(
                "panels of {rows} rows and tiles of {side}² threads are no shape for {}: panels have 4, 8 … {MOST_ROWS} rows, \
                 groups up to {} threads, which share {shared} bytes",
                info.name, info.group_threads
            )));
        }
        // Indices of entries have 32 bits.
        if order >> 16 != 0 {
            return Err(GpuError::Limits {
                device: info.name.clone(),
                kernel: "determinants of large matrices".to_owned(),
                reason: format!("a matrix has less than 2^16 rows there, not {order}"),
            });
        }
        Ok(self)
    }
}

/// How determinants of one order are computed on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeterminantPlan {
    /// A group of threads has a whole matrix in the memory that they share.
    Shared(DeterminantConfig),
    /// Matrices lie in the device's memory, and panels of their rows are eliminated one after the other.
    Panels(PanelConfig),
}

impl DeterminantPlan {
    /// What suits a device for matrices of `order` rows: a group where it can share them.
    ///
    /// ```
    /// use sunzi::gpu::{DeviceInfo, Word};
    /// use sunzi_gpu::determinant::DeterminantPlan;
    ///
    /// let plan = |order| DeterminantPlan::for_device(&DeviceInfo::h100(), Word::U32, order);
    /// assert!(matches!(plan(200), DeterminantPlan::Shared(_)));
    /// assert!(matches!(plan(4000), DeterminantPlan::Panels(_)));
    /// assert_eq!(plan(4000).launches(4000), 375);
    /// ```
    pub fn for_device(info: &DeviceInfo, word: Word, order: usize) -> Self {
        let config = DeterminantConfig::for_device(info, word, order);
        match config.shared_bytes(word) <= info.shared_memory {
            true => Self::Shared(config),
            false => Self::Panels(PanelConfig::for_device(info, word)),
        }
    }

    /// Launches for matrices of `order` rows, as many as the memory holds at a time.
    pub const fn launches(&self, order: usize) -> usize {
        match self {
            Self::Shared(_) => 1,
            // A copy, three for every panel but the last, and the end.
            Self::Panels(config) => {
                let rows = if config.rows == 0 { 1 } else { config.rows };
                3_usize.saturating_mul(order.div_ceil(rows))
            }
        }
    }
}
