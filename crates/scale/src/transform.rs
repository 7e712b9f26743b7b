//! A transform from a file to a file: what is asked for, and the passes that do it.

use crate::buffer::Buffer;
use crate::disk::{Disk, System};
use crate::error::ScaleError;
use crate::job::Job;
use crate::matrix::{Bands, Layout, Matrix, Run};
use crate::npy::{Header, MOST_BYTES};
use crate::pass::{End, Pass};
use crate::plan::{BUFFERS, Order, Plan, Problem, Route};
use crate::storage::{Storage, StoredFile};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sunzi_dft::{AnyBands, Decimation, DftError, Direction};
use sunzi_field::AnyField;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::{Work, look};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Values that are compared with their definition.
const CHECKED: usize = 3;

/// Bytes at both ends of the input by which it is known again, with its length and the time of its last change.
const KNOWN_BY: usize = 1 << 16;

/// Memory that is used where no limit is given: this share of what the system can give.
const SHARE: u64 = 2;

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

/// A transform that has its folder and its plan, and knows what is done already.
#[derive(Debug)]
pub struct Started {
    asked: FileTransform,
    vector: Vector,
    storage: Storage,
    output: PathBuf,
    unfinished: PathBuf,
    job: Job,
}

/// Where a job goes on that was begun before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// The pass, from 1 on.
    pub pass: usize,
    /// The first band that is still to be done, from 1 on.
    pub band: usize,
    /// How many bands the pass has.
    pub bands: usize,
}

/// What a transform took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was done.
    pub plan: Plan,
    /// Where it went on, if it had been begun before.
    pub resumed: Option<Resumed>,
    /// Bytes of a word of the output: 4 or 8.
    pub word: usize,
    /// Bytes read from files by this process.
    pub read: u64,
    /// Bytes written to files by this process.
    pub written: u64,
}

/// The input as its header tells it.
#[derive(Debug)]
struct Vector {
    file: StoredFile,
    points: usize,
    /// Bytes of a word in the file.
    word: usize,
    start: u64,
    /// The matrix as which it is given.
    given: Option<[usize; 2]>,
}

/// An error unless the field has transforms of so many points.
pub(crate) fn check_points(field: &AnyField, points: usize) -> Result<(), ScaleError> {
    let max = 1usize << field.two_adicity().min(usize::BITS - 8);
    if !points.is_power_of_two() {
        let next = points.max(1).checked_next_power_of_two().unwrap_or(max);
        return Err(DftError::NotPowerOfTwo { len: points, next }.into());
    }
    match points > max {
        true => Err(DftError::TooLong { len: points, max }.into()),
        false => Ok(()),
    }
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
        let vector = self.vector(&storage)?;
        self.plan_for(&vector)
    }

    fn plan_for(&self, vector: &Vector) -> Result<Plan, ScaleError> {
        self.problem(vector, |problem| match self.plan {
            Some(plan) if plan.fits(problem) => Ok(plan),
            Some(plan) => Err(ScaleError::input(
                &self.input,
                format!("the plan is not for it: {plan}"),
            )),
            None => problem.plan(self.memory()),
        })
    }

    fn memory(&self) -> u64 {
        match (self.budget.limit(), self.budget.available()) {
            (Some(_), Some(bytes)) => bytes,
            (None, Some(bytes)) => bytes / SHARE,
            (_, None) => 1 << 30,
        }
    }

    fn problem<R>(&self, vector: &Vector, with: impl FnOnce(&Problem<'_>) -> R) -> R {
        let words = vector
            .word
            .max(self.word())
            .max(self.word_of_output(vector));
        with(&Problem {
            points: vector.points,
            element: self.field.width() * self.word(),
            in_buffer: self.field.width() * words,
            direction: self.direction,
            order: self.order,
            given: vector.given,
            working: &|height, width| AnyBands::working_bytes(&self.field, height, width),
        })
    }

    /// Bytes of a word in memory.
    fn word(&self) -> usize {
        self.field.word_bits() / 8
    }

    /// Bytes of a word of the output: as of the input, and 8 where residues need more than 4.
    fn word_of_output(&self, vector: &Vector) -> usize {
        let is_short = self
            .field
            .word_prime()
            .is_some_and(|prime| prime >> 32 == 0);
        match is_short && vector.word == 4 {
            true => 4,
            false => 8,
        }
    }

    /// Opens the input, and reads its header.
    fn vector(&self, storage: &Storage) -> Result<Vector, ScaleError> {
        let problem = |what: String| ScaleError::input(&self.input, what);
        let file = storage.open(&self.input)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(problem(
                "this is no file whose parts can be read in any order".to_owned(),
            ));
        }
        let mut bytes = vec![0; MOST_BYTES.min(metadata.len() as usize)];
        storage.read_run(&file, &Run::whole(0, bytes.len()), &mut bytes)?;
        let (header, start) = Header::parse(&bytes).map_err(problem)?;
        let words = header.words().map_err(problem)?;
        let held = metadata.len() - start as u64;
        if held != (words * header.word) as u64 {
            return Err(problem(format!(
                "its header tells of {words} words of {} bytes, and {held} bytes follow it: it is cut off, or no file of numpy.save",
                header.word
            )));
        }
        let width = self.field.width();
        let is_matrix = self.direction == Direction::Inverse && self.order == Order::Transposed;
        let (lengths, digits) = match &header.shape[..] {
            [lengths @ .., digits] if width > 1 => (lengths, *digits),
            lengths => (lengths, width),
        };
        let given = match (lengths, is_matrix) {
            (&[height, width], true) => Some([height, width]),
            (&[_], false) => None,
            _ => {
                return Err(problem(format!(
                    "its shape {} is not what is needed here: {}",
                    header.shape_text(),
                    shape_needed(is_matrix, width)
                )));
            }
        };
        if digits != width || (width > 1 && header.word != 8) {
            return Err(problem(format!(
                "elements modulo r^{width} + 1 are rows of {width} words of uint64, and its shape is {} of words of {} bytes",
                header.shape_text(),
                header.word
            )));
        }
        let points = words / width;
        if given.is_some_and(|lengths| !lengths.iter().all(|length| length.is_power_of_two())) {
            return Err(problem(format!(
                "its shape {} is no power of two",
                header.shape_text()
            )));
        }
        check_points(&self.field, points)?;
        Ok(Vector {
            file,
            points,
            word: header.word,
            start: start as u64,
            given,
        })
    }

    /// Makes the folder of the job, or finds it, and locks it.
    ///
    /// # Errors
    /// As [`FileTransform::plan`]; [`ScaleError::Busy`] if another process works at the same job; [`ScaleError::OtherJob`] if what was begun
    /// there is not the same; [`ScaleError::Disk`].
    pub fn start(self) -> Result<Started, ScaleError> {
        let storage = Storage::new(Arc::clone(&self.disk));
        let vector = self.vector(&storage)?;
        let output = self.place()?;
        let input = fs::canonicalize(&self.input);
        let input = input.map_err(ScaleError::disk(&self.input, "cannot be read"))?;
        if input == output {
            let problem = "it would be written over: give -o (`output` in Rust) another name";
            return Err(ScaleError::input(&self.input, problem));
        }
        let modulus = self.field.modulus::<dashu_int::UBig>();
        let identity = format!("{}\n{}\n{modulus}", input.display(), output.display());
        let name = format!("{:016x}", xxh3_64(identity.as_bytes()));
        let unfinished = output.with_file_name(format!(".sunzi-{name}.unfinished"));
        let facts = vec![
            ("input", input.display().to_string()),
            ("output", output.display().to_string()),
            ("unfinished", unfinished.display().to_string()),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("modulus", modulus.to_string()),
            ("direction", format!("{:?}", self.direction)),
            ("order", format!("{:?}", self.order)),
            ("contents", contents(&storage, &vector)?),
        ];
        let new = || {
            let random = RandomState::new();
            let count = if self.verify { CHECKED } else { 0 };
            let places = (0..count).map(|i| random.hash_one(i) as usize & (vector.points - 1));
            Ok((self.plan_for(&vector)?, places.collect()))
        };
        let fits = |plan: &Plan| {
            let is_asked = self.plan.is_none_or(|asked| asked == *plan);
            let memory = if self.plan.is_some() {
                u64::MAX
            } else {
                self.memory()
            };
            is_asked && plan.memory <= memory && self.problem(&vector, |problem| plan.fits(problem))
        };
        let job = Job::open(&storage, &self.scratch, &name, facts, self.fresh, fits, new)?;
        Ok(Started {
            asked: self,
            vector,
            storage,
            output,
            unfinished,
            job,
        })
    }

    /// Where the output is to be, through links.
    fn place(&self) -> Result<PathBuf, ScaleError> {
        let refused = |problem: &str| ScaleError::input(&self.output, problem);
        if let Ok(path) = fs::canonicalize(&self.output) {
            return match path.is_file() {
                true => Ok(path),
                false => Err(refused("results of this length go to a file")),
            };
        }
        let name = self
            .output
            .file_name()
            .ok_or_else(|| refused("this is no file name"))?;
        let folder = match self.output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = fs::canonicalize(folder);
        let folder = folder.map_err(ScaleError::disk(&self.output, "cannot be made"))?;
        Ok(folder.join(name))
    }
}

/// The shape that an input must have, in words.
fn shape_needed(is_matrix: bool, width: usize) -> String {
    let lengths = match is_matrix {
        true => "n1, n2",
        false => "N",
    };
    let shape = match (width, is_matrix) {
        (1, true) => format!("({lengths})"),
        (1, false) => format!("({lengths},)"),
        _ => format!("({lengths}, {width})"),
    };
    match is_matrix {
        true => format!("values in transposed order have the shape {shape}"),
        false => format!("a vector has the shape {shape}"),
    }
}

/// By what the input is known again: its length, the time of its last change, and its ends.
fn contents(storage: &Storage, vector: &Vector) -> Result<String, ScaleError> {
    let metadata = vector.file.metadata()?;
    let changed = metadata.modified().ok();
    let changed = changed.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let mut hash = Xxh3::new();
    let length = KNOWN_BY.min(metadata.len() as usize);
    for at in [0, metadata.len() - length as u64] {
        let mut bytes = vec![0; length];
        storage.read_run(&vector.file, &Run::whole(at, length), &mut bytes)?;
        hash.update(&bytes);
    }
    Ok(format!(
        "{} bytes, changed at {}, sum {:016x}",
        metadata.len(),
        changed.map_or(0, |time| time.as_nanos()),
        hash.digest()
    ))
}

/// What is computed of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Columns(Decimation),
    Rows,
    Transposition,
    /// Columns and rows, or rows and columns, of all.
    All,
}

/// A pass of a route: from one file to the next.
struct Stage {
    step: Step,
    source: (Place, Bands),
    sink: (Place, Bands),
}

/// The files of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Input,
    /// The matrix behind the first pass.
    First,
    /// The matrix before a transposition.
    Second,
    Output,
}

impl Route {
    fn stages(self) -> Vec<Stage> {
        use Bands::{Columns, Rows};
        let stage = |step, source, sink| Stage { step, source, sink };
        let columns = |decimation| Step::Columns(decimation);
        match self {
            Self::InMemory => vec![stage(
                Step::All,
                (Place::Input, Rows),
                (Place::Output, Rows),
            )],
            Self::ToTransposed => vec![
                stage(
                    columns(Decimation::InFrequency),
                    (Place::Input, Columns),
                    (Place::First, Columns),
                ),
                stage(Step::Rows, (Place::First, Rows), (Place::Output, Rows)),
            ],
            Self::FromTransposed => vec![
                stage(Step::Rows, (Place::Input, Rows), (Place::First, Rows)),
                stage(
                    columns(Decimation::InTime),
                    (Place::First, Columns),
                    (Place::Output, Columns),
                ),
            ],
            Self::Natural => vec![
                stage(
                    columns(Decimation::InFrequency),
                    (Place::Input, Columns),
                    (Place::First, Columns),
                ),
                stage(Step::Rows, (Place::First, Rows), (Place::Second, Rows)),
                stage(
                    Step::Transposition,
                    (Place::Second, Columns),
                    (Place::Output, Rows),
                ),
            ],
        }
    }
}

impl Started {
    /// What will be done.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.job.description.plan
    }

    /// Where it goes on, if it was begun before.
    #[must_use]
    pub fn resumed(&self) -> Option<Resumed> {
        let last = self.job.entries.last()?;
        let stages = self.plan().route.stages();
        let bands = |pass: usize| {
            let stage = stages.get(pass)?;
            Some(self.matrix(stage.source.0).count(stage.source.1))
        };
        let (pass, band) = match bands(last.pass) {
            Some(bands) if last.band + 1 == bands && last.pass + 1 < stages.len() => {
                (last.pass + 1, 0)
            }
            _ => (last.pass, last.band + 1),
        };
        Some(Resumed {
            pass: pass + 1,
            band: band + 1,
            bands: bands(pass)?,
        })
    }

    /// Computes what is left, checks it, and gives the result its name.
    ///
    /// # Errors
    /// [`ScaleError::Input`] for entries that are no elements; [`ScaleError::Damaged`] if a tile or a value is not what it must be;
    /// [`ScaleError::Disk`]. What was done is kept, and the same call goes on from there.
    pub fn finish(mut self) -> Result<Report, ScaleError> {
        let resumed = self.resumed();
        if !self.job.is_complete {
            self.compute()?;
            self.job.complete(&self.storage)?;
        }
        if self.unfinished.exists() {
            let named = self.storage.disk.rename(&self.unfinished, &self.output);
            let named = named.and_then(|()| match self.output.parent() {
                Some(folder) => fs::File::open(folder)?.sync_all(),
                None => Ok(()),
            });
            named.map_err(ScaleError::disk(&self.output, "cannot be given its name"))?;
        }
        let [read, written] = self.storage.traffic();
        let plan = *self.plan();
        let word = self.asked.word_of_output(&self.vector);
        self.job.remove()?;
        Ok(Report {
            plan,
            resumed,
            word,
            read,
            written,
        })
    }

    fn compute(&mut self) -> Result<(), ScaleError> {
        let (plan, stages) = (*self.plan(), self.plan().route.stages());
        let field = &self.asked.field;
        // What the plan counts with is there, or the job would not have been begun.
        let budget = Budget::within(Some(plan.memory.max(1)));
        let tables = AnyBands::new(field, plan.height, plan.width, budget)?;
        let all: usize = stages
            .iter()
            .map(|stage| self.matrix(stage.source.0).count(stage.source.1))
            .sum();
        let work = Work::new(all as u64, "bands");
        work.done(self.job.entries.len() as u64);
        for (number, stage) in stages.iter().enumerate() {
            self.stage(number, stage, &tables, &work)?;
        }
        self.check()?;
        Ok(())
    }

    /// Does what is left of one pass.
    fn stage(
        &mut self,
        number: usize,
        stage: &Stage,
        tables: &AnyBands,
        work: &Work,
    ) -> Result<(), ScaleError> {
        let plan = *self.plan();
        let [from, to] = [stage.source.0, stage.sink.0].map(|place| self.matrix(place));
        let bands = from.count(stage.source.1);
        let done = self
            .job
            .entries
            .iter()
            .filter(|entry| entry.pass == number)
            .count();
        if done >= bands {
            return Ok(());
        }
        let opened;
        let source = match stage.source.0 {
            Place::Input => &self.vector.file,
            place => {
                opened = self.storage.open_whole(&self.path(place), from.bytes())?;
                &opened
            }
        };
        let sink = self.sink(stage.sink.0, &to, done > 0)?;
        let in_buffer = self
            .asked
            .problem(&self.vector, |problem| problem.in_buffer);
        let pass = Pass {
            number,
            source: End {
                matrix: from,
                bands: stage.source.1,
                file: source,
            },
            sink: End {
                matrix: to,
                bands: stage.sink.1,
                file: &sink,
            },
            sums: self.sums(number, &from, stage.source.1),
            bytes: from.band_elements(stage.source.1) * in_buffer,
            bands: done..bands,
        };
        let (asked, vector, places) = (
            &self.asked,
            &self.vector,
            &self.job.description.places.clone(),
        );
        let band_work = BandWork {
            asked,
            vector,
            tables,
            plan: &plan,
            places: if number == 0 { places } else { &[] },
            stage,
        };
        let (storage, job) = (&self.storage, &mut self.job);
        pass.run(
            storage,
            BUFFERS,
            stage.step == Step::Transposition
                || (stage.step == Step::All && asked.order == Order::Natural),
            &mut |band, buffer, spare| {
                look();
                band_work.run(band, buffer, spare)
            },
            &mut |entry| {
                job.done(storage, &sink, entry)?;
                work.done(1);
                Ok(())
            },
        )?;
        // What the next pass does not read gives its room back.
        if number > 0 && stage.source.0 == Place::First && stage.sink.0 == Place::Second {
            let path = self.path(Place::First);
            let removed = self.storage.disk.remove(&path);
            removed.map_err(ScaleError::disk(&path, "cannot be removed"))?;
        }
        Ok(())
    }

    /// Opens what a pass writes to, or makes it.
    fn sink(
        &self,
        place: Place,
        matrix: &Matrix,
        is_begun: bool,
    ) -> Result<StoredFile, ScaleError> {
        let path = match place {
            Place::Output => self.unfinished.clone(),
            place => self.path(place),
        };
        let bytes = matrix.start + matrix.bytes();
        if is_begun {
            return self.storage.open_whole(&path, bytes);
        }
        let file = self.storage.create(&path, bytes)?;
        if place == Place::Output {
            let header = self.header().bytes();
            self.storage
                .write_run(&file, &Run::whole(0, header.len()), &header)?;
        }
        Ok(file)
    }

    /// The header of the output.
    fn header(&self) -> Header {
        let plan = self.plan();
        let mut shape = match (self.asked.order, self.asked.direction) {
            (Order::Transposed, Direction::Forward) => vec![plan.height, plan.width],
            _ => vec![self.vector.points],
        };
        let width = self.asked.field.width();
        if width > 1 {
            shape.push(width);
        }
        Header {
            word: self.asked.word_of_output(&self.vector),
            shape,
        }
    }

    fn path(&self, place: Place) -> PathBuf {
        self.job.scratch(match place {
            Place::First => "columns",
            _ => "rows",
        })
    }

    /// How the matrix lies in a file.
    fn matrix(&self, place: Place) -> Matrix {
        let plan = self.plan();
        let width = self.asked.field.width();
        let tiles = Matrix {
            rows: plan.height,
            columns: plan.width,
            band_rows: plan.band_rows,
            band_columns: plan.band_columns,
            element: plan.element,
            start: 0,
            layout: Layout::Tiles,
        };
        match place {
            Place::First => tiles,
            Place::Second => Matrix {
                band_columns: plan.moved_columns,
                ..tiles
            },
            Place::Input => Matrix {
                element: width * self.vector.word,
                start: self.vector.start,
                layout: Layout::RowMajor,
                ..tiles
            },
            Place::Output => {
                let header = self.header();
                let output = Matrix {
                    element: width * header.word,
                    start: header.bytes().len() as u64,
                    layout: Layout::RowMajor,
                    ..tiles
                };
                match plan.route {
                    // A band of columns has become one of rows.
                    Route::Natural => Matrix {
                        rows: plan.width,
                        columns: plan.height,
                        band_rows: plan.moved_columns,
                        band_columns: plan.height,
                        ..output
                    },
                    _ => output,
                }
            }
        }
    }

    /// The sums of the tiles that the pass before has written, by their numbers.
    fn sums(&self, pass: usize, matrix: &Matrix, read_by: Bands) -> Vec<u64> {
        if matrix.layout == Layout::RowMajor {
            return Vec::new();
        }
        // Written by the other kind of bands.
        let written_by = match (pass, read_by) {
            (1, Bands::Rows) => Bands::Columns,
            _ => Bands::Rows,
        };
        let mut sums = vec![0; matrix.tiles()];
        for entry in self
            .job
            .entries
            .iter()
            .filter(|entry| entry.pass + 1 == pass)
        {
            let runs = matrix.runs(written_by, entry.band);
            for (run, &sum) in runs.iter().zip(&entry.sums) {
                sums[run.tile] = sum;
            }
        }
        sums
    }

    /// Compares values with what the first pass has summed up for them.
    fn check(&self) -> Result<(), ScaleError> {
        let field = &self.asked.field;
        let matrix = self.matrix(Place::Output);
        let file = self.storage.open(&self.unfinished)?;
        let (width, plan) = (field.width(), self.plan());
        for (index, &place) in self.job.description.places.iter().enumerate() {
            let mut expected = vec![0; width];
            for entry in self.job.entries.iter().filter(|entry| entry.pass == 0) {
                let share = entry.shares.get(index * width..(index + 1) * width);
                expected = field.sum_row(&expected, share.unwrap_or(&vec![0; width]));
            }
            let at = match (self.asked.order, self.asked.direction) {
                (Order::Transposed, Direction::Forward) => {
                    place % plan.height * plan.width + place / plan.height
                }
                _ => place,
            };
            let mut buffer = Buffer::new(matrix.element);
            let run = Run::whole(matrix.start + (at * matrix.element) as u64, matrix.element);
            self.storage.read_run(&file, &run, buffer.bytes_mut())?;
            let word = matrix.element / width;
            buffer.resize_words(width, word, 8);
            let found = match buffer.words(width, 8) {
                sunzi_field::WordRows::Words64(words) => words.to_vec(),
                sunzi_field::WordRows::Words32(_) => Vec::new(),
            };
            if found != expected {
                let problem = format!("value {place} is not the sum of its definition");
                return Err(ScaleError::damaged(&self.unfinished, problem));
            }
        }
        Ok(())
    }
}

/// What one pass computes.
struct BandWork<'a> {
    asked: &'a FileTransform,
    vector: &'a Vector,
    tables: &'a AnyBands,
    plan: &'a Plan,
    /// The values to which shares are summed up.
    places: &'a [usize],
    stage: &'a Stage,
}

impl BandWork<'_> {
    fn run(
        &self,
        band: usize,
        buffer: &mut Buffer,
        spare: &mut Option<Buffer>,
    ) -> Result<Vec<u64>, ScaleError> {
        let (plan, asked) = (self.plan, self.asked);
        let (width, word) = (asked.field.width(), asked.word());
        let elements = match self.stage.step {
            Step::All => plan.height * plan.width,
            Step::Rows => plan.band_rows * plan.width,
            Step::Columns(_) => plan.height * plan.band_columns,
            Step::Transposition => plan.height * plan.moved_columns,
        };
        let words = elements * width;
        let mut shares = Vec::new();
        if self.stage.source.0 == Place::Input {
            self.take_in(band, buffer, words)?;
            shares = self.shares(band, buffer, words)?;
        }
        let (tables, direction) = (self.tables, asked.direction);
        match self.stage.step {
            Step::Columns(decimation) => {
                let first = band * plan.band_columns;
                tables.columns(buffer.words_mut(words, word), first, direction, decimation)?;
            }
            Step::Rows => tables.rows(buffer.words_mut(words, word), direction)?,
            Step::Transposition => self.transpose(buffer, spare, plan.moved_columns)?,
            Step::All if direction == Direction::Inverse && asked.order == Order::Transposed => {
                tables.rows(buffer.words_mut(words, word), direction)?;
                let band = buffer.words_mut(words, word);
                tables.columns(band, 0, direction, Decimation::InTime)?;
            }
            Step::All => {
                let band = buffer.words_mut(words, word);
                tables.columns(band, 0, direction, Decimation::InFrequency)?;
                tables.rows(buffer.words_mut(words, word), direction)?;
                if asked.order == Order::Natural {
                    self.transpose(buffer, spare, plan.width)?;
                }
            }
        }
        if self.stage.sink.0 == Place::Output {
            buffer.resize_words(words, word, asked.word_of_output(self.vector));
        }
        Ok(shares)
    }

    /// Exchanges rows of `width` elements and columns, by way of the other buffer.
    fn transpose(
        &self,
        buffer: &mut Buffer,
        spare: &mut Option<Buffer>,
        width: usize,
    ) -> Result<(), ScaleError> {
        if let Some(other) = spare {
            let words = self.plan.height * width * self.asked.field.width();
            let word = self.asked.word();
            let (from, to) = (buffer.words(words, word), other.words_mut(words, word));
            self.tables.transpose(from, to, width)?;
            std::mem::swap(buffer, other);
        }
        Ok(())
    }

    /// Makes what was read elements of the field.
    fn take_in(&self, band: usize, buffer: &mut Buffer, words: usize) -> Result<(), ScaleError> {
        let (field, plan) = (&self.asked.field, self.plan);
        if let Some(index) = field.first_outside(buffer.words(words, self.vector.word)) {
            let place = match self.stage.source.1 {
                Bands::Rows => band * plan.band_rows * plan.width + index,
                Bands::Columns => {
                    let (row, column) = (index / plan.band_columns, index % plan.band_columns);
                    row * plan.width + band * plan.band_columns + column
                }
            };
            let problem = format!(
                "entry {place} is no element: it is not below the modulus, {}",
                field.modulus::<dashu_int::UBig>()
            );
            return Err(ScaleError::input(&self.asked.input, problem));
        }
        buffer.resize_words(words, self.vector.word, self.asked.word());
        Ok(())
    }

    /// What a band of the input comes to in the values that are checked: x_i is multiplied by ω^(i·j), or by its inverse and 1/N.
    fn shares(&self, band: usize, buffer: &Buffer, words: usize) -> Result<Vec<u64>, ScaleError> {
        let (field, plan) = (&self.asked.field, self.plan);
        let points = self.vector.points;
        let log = points.trailing_zeros();
        let mut shares = Vec::new();
        for &place in self.places {
            let root = field.root_of_unity_row(log).unwrap_or_default();
            // ω has order N: its inverse is its power N − 1.
            let exponent = match self.asked.direction {
                Direction::Forward => place,
                Direction::Inverse => points - place,
            };
            let ratio = field.power_row(&root, exponent as u64);
            let power = |exponent: usize| field.power_row(&ratio, exponent as u64);
            // The index of the entry in row r and column c of the band is `start + r·down + c·across`.
            let is_matrix = self.vector.given.is_some();
            let [down, across] = match is_matrix {
                true => [1, plan.height],
                false => [plan.width, 1],
            };
            let (start, columns) = match (self.stage.source.1, is_matrix) {
                (Bands::Columns, _) => (band * plan.band_columns * across, plan.band_columns),
                (Bands::Rows, _) => (band * plan.band_rows * down, plan.width),
            };
            let matrix = buffer.words(words, self.asked.word());
            let sum = self
                .tables
                .evaluate(matrix, columns, [&power(down), &power(across)])?;
            let mut share = field.product_row(&sum, &power(start));
            if self.asked.direction == Direction::Inverse {
                let mut row = Vec::new();
                field.push_u64(points as u64, &mut row);
                let inverse = field.inverse_row(&row).unwrap_or_default();
                share = field.product_row(&share, &inverse);
            }
            shares.extend(share);
        }
        Ok(shares)
    }
}
