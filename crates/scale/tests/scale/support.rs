//! Vectors in files, and their transforms in memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use sunzi_dft::{AnyBands, Direction};
use sunzi_field::AnyField;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::alone;
use sunzi_scale::internals::{Disk, System};
use sunzi_scale::npy::Header;
use sunzi_scale::{FileTransform, Order, Plan, Ranks, Route, Threads};
use sunzi_testkit::Random;

/// A vector, and what a transform of it must be.
pub struct Case {
    pub field: AnyField,
    pub direction: Direction,
    pub order: Order,
    pub height: usize,
    pub points: usize,
    pub input: Vec<u8>,
    pub expected: Vec<u8>,
}

/// The fields that tests take, of all sizes of elements, with transforms of 2^`log_n` points.
pub fn fields(log_n: u32) -> Vec<AnyField> {
    let words = [
        469_762_049,
        4_611_686_018_326_724_609,
        0xffff_ffff_0000_0001,
        4_293_918_721,
        97,
    ];
    let mut fields: Vec<_> = words.map(|p| AnyField::modulo_word(p).unwrap()).into();
    let r = (1 << 59) + (1 << 57) + (1 << 39);
    fields.push(AnyField::generalized_fermat(r, 8).unwrap());
    fields.retain(|field| field.two_adicity() >= log_n);
    fields
}

/// The bytes of rows of words of some bytes each.
fn bytes(rows: &[u64], word: usize) -> Vec<u8> {
    rows.iter()
        .flat_map(|x| x.to_le_bytes()[..word].to_vec())
        .collect()
}

fn file(shape: Vec<usize>, rows: &[u64], word: usize) -> Vec<u8> {
    let mut file = Header {
        word,
        is_signed: false,
        shape,
    }
    .bytes();
    file.extend(bytes(rows, word));
    file
}

/// Row by row with rows and columns exchanged, of elements of `digits` words.
fn transposed(rows: &[u64], width: usize, digits: usize) -> Vec<u64> {
    let height = rows.len() / digits / width;
    let entry = |i: usize| {
        let from = (i % height * width + i / height) * digits;
        &rows[from..from + digits]
    };
    (0..height * width).flat_map(entry).copied().collect()
}

impl Case {
    /// A random vector with the least and the greatest elements, in words of so many bytes.
    pub fn new(
        field: &AnyField,
        log_n: u32,
        height: usize,
        direction: Direction,
        order: Order,
        word: usize,
    ) -> Self {
        let (points, digits) = (1usize << log_n, field.width());
        let mut random = Random::new(u64::from(log_n) + digits as u64);
        let mut rows = Vec::new();
        for i in 0..points {
            match i {
                0 => field.push_integer(&dashu_int::IBig::from(-1), &mut rows),
                1 => field.push_u64(0, &mut rows),
                _ => field.push_u64(random.below(u64::MAX), &mut rows),
            }
        }
        // In memory, by one row.
        let whole = AnyBands::new(field, 1, points, Budget::system()).unwrap();
        let values = match field.word_bits() {
            32 => {
                let mut short: Vec<u32> = rows.iter().map(|&x| x as u32).collect();
                whole.rows((&mut short[..]).into(), direction).unwrap();
                short.into_iter().map(u64::from).collect()
            }
            _ => {
                let mut values = rows.clone();
                whole.rows((&mut values[..]).into(), direction).unwrap();
                values
            }
        };
        let width = points / height;
        let is_short = field.word_prime().is_some_and(|prime| prime >> 32 == 0);
        let word_of_values = if is_short && word == 4 { 4 } else { 8 };
        let shape = |lengths: &[usize]| {
            let digits = (digits > 1).then_some(digits);
            lengths.iter().copied().chain(digits).collect::<Vec<_>>()
        };
        let (mut given, mut found) = (rows, values);
        let (mut given_shape, mut found_shape) = (shape(&[points]), shape(&[points]));
        if order == Order::Transposed {
            // Entry j1 + n1·j2 in row j1 and column j2.
            let (vector, its_shape) = match direction {
                Direction::Forward => (&mut found, &mut found_shape),
                Direction::Inverse => (&mut given, &mut given_shape),
            };
            *vector = transposed(vector, height, digits);
            *its_shape = shape(&[height, width]);
        }
        Self {
            field: field.clone(),
            direction,
            order,
            height,
            points,
            input: file(given_shape, &given, word),
            expected: file(found_shape, &found, word_of_values),
        }
    }

    /// Bytes of an element in the input, between passes, and in the output.
    fn elements(&self) -> [usize; 3] {
        let in_file = |file: &[u8]| (file.len() - 4096) / self.points;
        [
            in_file(&self.input),
            self.field.element_bytes(),
            in_file(&self.expected),
        ]
    }

    /// A plan with bands of these lengths.
    pub fn plan(&self, band_columns: usize, band_rows: usize, moved_columns: usize) -> Plan {
        Plan {
            route: match (self.direction, self.order) {
                (_, Order::Natural) => Route::Natural,
                (Direction::Forward, Order::Transposed) => Route::ToTransposed,
                (Direction::Inverse, Order::Transposed) => Route::FromTransposed,
            },
            height: self.height,
            width: self.points / self.height,
            band_columns,
            band_rows,
            moved_columns,
            primes: 0,
            ranks: 1,
            combined_rows: band_rows,
            combined_columns: self.points / self.height,
            elements: self.elements(),
            ends: [&self.input, &self.expected].map(|file| file.len() as u64 - 4096),
            memory: 1 << 30,
        }
    }

    /// The transform from `x.npy` to `y.npy` in a folder, with scratch files in the folder `scratch`; the input is written.
    pub fn in_folder(&self, folder: &Path) -> FileTransform {
        let [x, y, scratch] = paths(folder);
        fs::create_dir_all(&scratch).unwrap();
        if !x.exists() {
            fs::write(&x, &self.input).unwrap();
        }
        FileTransform::new(&self.field, x, y, scratch)
            .direction(self.direction)
            .order(self.order)
    }

    /// Compares what is in `y.npy`, and looks whether anything else is left.
    pub fn check(&self, folder: &Path, case: &str) {
        let [_, y, scratch] = paths(folder);
        assert!(fs::read(&y).unwrap() == self.expected, "{case}");
        assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0, "{case}");
        let names = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let hidden = names.filter(|name| name.to_string_lossy().starts_with('.'));
        assert_eq!(hidden.count(), 0, "{case}");
    }
}

/// A folder in memory where there is one: syncing costs nothing there.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

pub fn paths(folder: &Path) -> [PathBuf; 3] {
    ["x.npy", "y.npy", "scratch"].map(|name| folder.join(name))
}

/// What each of so many ranks finds, with one thread each.
pub fn on_ranks<R: Send>(count: usize, work: impl Fn(Arc<dyn Ranks>) -> R + Sync) -> Vec<R> {
    let run = |rank: Threads| alone(|| work(Arc::new(rank)));
    let run = &run;
    thread::scope(|scope| {
        let ranks = Threads::new(count).into_iter();
        let all: Vec<_> = ranks.map(|rank| scope.spawn(move || run(rank))).collect();
        all.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call of this number, and all after it, fail.
    Dies(usize, ErrorKind),
    /// The call of this number alone fails.
    Fails(usize, ErrorKind),
    /// All reads and writes are short, and every third is interrupted.
    Short,
    /// No file can be opened past the cache.
    OnlyCached,
}

/// A disk on which something goes wrong.
#[derive(Debug)]
pub struct Faulty {
    fault: Fault,
    pub calls: AtomicUsize,
}

impl Faulty {
    pub fn new(fault: Fault) -> Arc<Self> {
        let calls = AtomicUsize::new(0);
        Arc::new(Self { fault, calls })
    }

    fn call(&self) -> io::Result<usize> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            Fault::Dies(from, kind) if call >= from => Err(kind.into()),
            Fault::Fails(at, kind) if call == at => Err(kind.into()),
            Fault::Short if call % 3 == 2 => Ok(usize::MAX),
            _ => Ok(call),
        }
    }

    /// How many bytes of the first part are moved.
    fn part(&self, bytes: usize) -> io::Result<Option<usize>> {
        let call = self.call()?;
        match self.fault {
            Fault::Short if call == usize::MAX => Err(ErrorKind::Interrupted.into()),
            // What goes past the cache is short by whole pages.
            Fault::Short if bytes.is_multiple_of(4096) => {
                Ok(Some(bytes.min(4096 * (1 + call % 3))))
            }
            Fault::Short => Ok(Some(bytes.min(1 + call % 700))),
            _ => Ok(None),
        }
    }
}

impl Disk for Faulty {
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<File> {
        let is_direct = format!("{options:?}").contains(&format!(
            "custom_flags: {}",
            if cfg!(target_arch = "aarch64") {
                0o200_000
            } else {
                0o40_000
            }
        ));
        if self.fault == Fault::OnlyCached && is_direct {
            return Err(ErrorKind::InvalidInput.into());
        }
        self.call()?;
        System.open(path, options)
    }

    fn read(&self, file: &File, parts: &mut [IoSliceMut<'_>], at: u64) -> io::Result<usize> {
        match self.part(parts[0].len())? {
            Some(bytes) => System.read(file, &mut [IoSliceMut::new(&mut parts[0][..bytes])], at),
            None => System.read(file, parts, at),
        }
    }

    fn write(&self, file: &File, parts: &[IoSlice<'_>], at: u64) -> io::Result<usize> {
        match self.part(parts[0].len())? {
            Some(bytes) => System.write(file, &[IoSlice::new(&parts[0][..bytes])], at),
            None => System.write(file, parts, at),
        }
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.call().and_then(|_| System.sync(file))
    }

    fn reserve(&self, file: &File, bytes: u64) -> io::Result<()> {
        self.call().and_then(|_| System.reserve(file, bytes))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call().and_then(|_| System.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call().and_then(|_| System.remove(path))
    }
}
