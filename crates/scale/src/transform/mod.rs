//! A transform from a file to a file: what is asked for, its plan, and its start. [`input`] reads the header of the vector, [`stages`] says
//! which passes there are between which matrices, [`run`] does them, and [`band`] is what is computed of one band.

mod band;
pub(crate) mod input;
mod run;
mod stages;

pub use run::{Report, Resumed, Started};

use crate::disk::{Disk, System};
use crate::error::ScaleError;
use crate::job::folder::{RESULT, in_hex, of_job, unfinished};
use crate::job::{Job, Opening};
use crate::plan::{Order, Plan, Problem};
use crate::storage::Storage;
use input::Vector;
use run::Paths;
use stages::Task;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sunzi_dft::{AnyBands, Direction};
use sunzi_field::AnyField;
use sunzi_machine::memory::{Budget, Shown};
use xxhash_rust::xxh3::xxh3_64;

/// Values that are compared with their definition.
const CHECKED: usize = 3;

/// Memory that is used where no limit is given: this share of what the system can give.
const SHARE: u64 = 2;

/// Symbolic links that are followed one after the other, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// A discrete Fourier transform of 2^k elements of a prime field, from one file to another, in as little memory as is asked for.
///
/// Files are NumPy's, `.npy`: arrays of `uint32` or `uint64` of N residues, or of N rows of k digits modulo r^k + 1. All entries must be
/// elements, `0 ≤ x < p`. Values have the type of the entries, and `uint64` where a prime needs it. ω is the field's root of unity, so that
/// values are those of [`DftContext`](sunzi_dft::DftContext).
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::scale::{npy::Header, FileTransform};
///
/// let folder = tempfile::tempdir()?;
/// let [x, y] = ["x.npy", "y.npy"].map(|name| folder.path().join(name));
/// let mut bytes = Header { word: 4, shape: vec![4] }.bytes();
/// bytes.extend([1, 2, 3, 4u32].map(u32::to_le_bytes).concat());
/// std::fs::write(&x, bytes)?;
///
/// let field = AnyField::modulo_word(17)?; // ω = 13
/// let report = FileTransform::new(&field, &x, &y, folder.path()).start()?.finish()?;
/// assert_eq!(report.plan.passes(), 1);
/// assert_eq!(std::fs::read(&y)?[4096..], [10, 6, 15, 7u32].map(u32::to_le_bytes).concat());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileTransform {
    field: AnyField,
    input: PathBuf,
    output: PathBuf,
    scratch: PathBuf,
    direction: Direction,
    order: Order,
    budget: Budget,
    fresh: bool,
    verify: bool,
    plan: Option<Plan>,
    disk: Arc<dyn Disk>,
}

impl FileTransform {
    /// The forward transform of a file, in natural order, with half of the memory that the system can give; a folder for scratch files.
    #[must_use]
    pub fn new(
        field: &AnyField,
        input: impl Into<PathBuf>,
        output: impl Into<PathBuf>,
        scratch: impl Into<PathBuf>,
    ) -> Self {
        Self {
            field: field.clone(),
            input: input.into(),
            output: output.into(),
            scratch: scratch.into(),
            direction: Direction::Forward,
            order: Order::Natural,
            budget: Budget::system(),
            fresh: false,
            verify: true,
            plan: None,
            disk: Arc::new(System),
        }
    }

    /// In this direction.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// With values in this order: those that are written, or of the inverse transform those that are read.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// In this memory, all of it: bands, tables, and what transforms work in.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Whether to begin anew where the same job was begun before.
    #[must_use]
    pub fn fresh(self, fresh: bool) -> Self {
        Self { fresh, ..self }
    }

    /// Whether to compare three values with their definition; it takes about a tenth of the processor's time.
    #[must_use]
    pub fn verify(self, verify: bool) -> Self {
        Self { verify, ..self }
    }

    /// By this plan, whatever memory it takes.
    #[must_use]
    pub fn by(self, plan: Plan) -> Self {
        Self {
            plan: Some(plan),
            ..self
        }
    }

    /// On a disk that is not the system's.
    #[cfg(feature = "internals")]
    #[must_use]
    pub fn on(self, disk: Arc<dyn Disk>) -> Self {
        Self { disk, ..self }
    }

    /// The plan; the header of the input is read, nothing is written.
    ///
    /// # Errors
    /// [`ScaleError::Input`] if the input is no vector of the field; [`ScaleError::Memory`] if the memory is too small for any plan.
    pub fn plan(&self) -> Result<Plan, ScaleError> {
        let storage = Storage::new(Arc::clone(&self.disk));
        let vector = Vector::open(self, &storage)?;
        self.plan_for(&vector)
    }

    fn plan_for(&self, vector: &Vector) -> Result<Plan, ScaleError> {
        self.problem(vector, |problem| match self.plan {
            Some(plan) if plan.fits(problem) => Ok(plan),
            Some(plan) => {
                let problem = format!("the plan is not for it: {plan}");
                Err(ScaleError::input(&self.input, problem))
            }
            None => problem.plan(self.memory()[0]),
        })
    }

    /// The memory for a new job, and for one that was begun.
    fn memory(&self) -> [u64; 2] {
        match (self.budget.limit(), self.budget.available()) {
            (Some(_), Some(bytes)) => [bytes; 2],
            (None, Some(bytes)) => [bytes / SHARE, bytes],
            (_, None) => [1 << 30; 2],
        }
    }

    fn problem<R>(&self, vector: &Vector, with: impl FnOnce(&Problem<'_>) -> R) -> R {
        let field = &self.field;
        let words = [
            vector.word,
            field.word_bits() / 8,
            vector.word_of_values(field),
        ];
        with(&Problem {
            points: vector.points,
            elements: words.map(|word| field.width() * word),
            direction: self.direction,
            order: self.order,
            given: vector.given,
            working: &|height, width| AnyBands::working_bytes(field, height, width),
        })
    }

    /// What is done by a plan.
    fn task(&self, vector: &Vector, plan: Plan) -> Task {
        Task {
            field: self.field.clone(),
            direction: self.direction,
            order: self.order,
            plan,
            word: self.field.word_bits() / 8,
            word_of_input: vector.word,
            word_of_output: vector.word_of_values(&self.field),
            start_of_input: vector.start,
            is_given_transposed: vector.given.is_some(),
        }
    }

    /// Makes the folder of the job, or finds it, and locks it.
    ///
    /// # Errors
    /// As [`FileTransform::plan`]; [`ScaleError::Busy`] if another process works at the same job; [`ScaleError::OtherJob`] if what was begun
    /// there is not the same; [`ScaleError::Disk`].
    pub fn start(self) -> Result<Started, ScaleError> {
        let storage = Storage::new(Arc::clone(&self.disk));
        let vector = Vector::open(&self, &storage)?;
        let output = self.place()?;
        let input = fs::canonicalize(&self.input);
        let input = input.map_err(ScaleError::disk(&self.input, "cannot be read"))?;
        if input == output {
            return Err(ScaleError::Output {
                path: self.output.clone(),
                problem: "the input would be written over: give -o (`output` in Rust) another name"
                    .to_owned(),
            });
        }
        let scratch = fs::canonicalize(&self.scratch);
        let scratch =
            scratch.map_err(ScaleError::disk(&self.scratch, "the folder cannot be read"))?;
        let modulus = self.field.modulus::<dashu_int::UBig>();
        let mut identity = Vec::new();
        for path in [&input, &output, &scratch] {
            identity.extend(path.as_os_str().as_bytes());
            identity.push(0);
        }
        identity.extend(modulus.to_string().bytes());
        let name = format!("{:016x}", xxh3_64(&identity));
        let unfinished = unfinished(&output, &name);
        let contents = vector.contents(&storage)?;
        let facts = vec![
            ("input", format!("{input:?}")),
            ("output", format!("{output:?}")),
            (RESULT, in_hex(&output)),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("modulus", modulus.to_string()),
            ("direction", format!("{:?}", self.direction)),
            ("order", format!("{:?}", self.order)),
            ("contents", contents.clone()),
        ];
        let opening = Opening {
            storage: &storage,
            facts,
            fresh: self.fresh,
            accept: &|plan| self.accept(plan, &vector),
            new: &|| {
                let random = RandomState::new();
                let count = if self.verify { CHECKED } else { 0 };
                let place = |i| random.hash_one(i) as usize & (vector.points - 1);
                Ok((self.plan_for(&vector)?, (0..count).map(place).collect()))
            },
            bands: &|plan| {
                let task = self.task(&vector, *plan);
                let stages = plan.route.stages();
                stages.iter().map(|stage| task.bands(stage)).collect()
            },
        };
        let job = Job::open(of_job(&scratch, &name), opening)?;
        if job.progress.complete.is_none() && !unfinished.exists() {
            // That it cannot be written there is told before the work.
            drop(
                storage
                    .create(&unfinished, 0)
                    .map_err(|error| ScaleError::Output {
                        path: self.output.clone(),
                        problem: error.to_string(),
                    })?,
            );
            storage.sync_folder(folder_of(&output))?;
        }
        let paths = Paths {
            input: self.input.clone(),
            output,
            unfinished,
        };
        let task = self.task(&vector, job.description.plan);
        Ok(Started::new(task, vector, contents, storage, paths, job))
    }

    /// Whether a plan that was begun can be gone on with now, and what memory it takes here.
    fn accept(&self, plan: &mut Plan, vector: &Vector) -> Result<(), String> {
        let [_, memory] = self.memory();
        self.problem(vector, |problem| {
            let is_asked = self.plan.is_none_or(|asked| asked.line() == plan.line());
            if !is_asked || !plan.fits(problem) {
                return Err(format!("another plan ({plan})"));
            }
            plan.memory = problem.memory(plan);
            match plan.memory > memory && self.plan.is_none() {
                true => Err(format!(
                    "more memory: its plan takes {} here, and {} can be used",
                    Shown(plan.memory),
                    Shown(memory)
                )),
                false => Ok(()),
            }
        })
    }

    /// Where the output is to be, through links, which stay.
    fn place(&self) -> Result<PathBuf, ScaleError> {
        let refused = |problem: String| ScaleError::Output {
            path: self.output.clone(),
            problem,
        };
        let mut path = self.output.clone();
        for _ in 0..MOST_LINKS {
            match fs::read_link(&path) {
                // An absolute link replaces the whole path.
                Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
                Err(_) => break,
            }
        }
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(refused(
                "results of this length go to a file, and this is none".to_owned(),
            ));
        }
        let name = path
            .file_name()
            .ok_or_else(|| refused("this is no name of a file".to_owned()))?;
        let folder = fs::canonicalize(folder_of(&path));
        let folder =
            folder.map_err(|error| refused(format!("its folder cannot be found: {error}")))?;
        Ok(folder.join(name))
    }
}

/// The folder that a file is in, or is to be in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
