//! What is asked for of files: inputs, an output, and how; the start of a job.

pub(crate) mod product;
pub(crate) mod transform;

use crate::buffer::PAGE;
use crate::disk::{Disk, System};
use crate::error::ScaleError;
use crate::input::{Vector, check_points};
use crate::job::description::{CONTENTS, Description};
use crate::job::folder::{RESULT, in_hex, of_job, unfinished};
use crate::job::{Job, Opening};
use crate::plan::{Plan, Problem, Route};
use crate::run::{Paths, Started};
use crate::storage::Storage;
use crate::task::stages::reader;
use crate::task::{Operation, Task};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sunzi_dft::AnyBands;
use sunzi_field::AnyField;
use sunzi_machine::memory::{Budget, Shown};
use sunzi_machine::threads;
use xxhash_rust::xxh3::xxh3_64;

/// Values that are compared with their definition.
const CHECKED: usize = 3;

/// Memory that is used where no limit is given: this share of what the system can give.
const SHARE: u64 = 2;

/// Symbolic links that are followed one after the other, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// What all operations are asked for with.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    field: AnyField,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    scratch: PathBuf,
    pub(crate) budget: Budget,
    pub(crate) fresh: bool,
    pub(crate) verify: bool,
    pub(crate) plan: Option<Plan>,
    pub(crate) disk: Arc<dyn Disk>,
}

/// A request with its inputs, and the names of all files.
struct Prepared<'a> {
    opened: Opened<'a>,
    folder: PathBuf,
    facts: Vec<(&'static str, String)>,
    contents: Vec<String>,
    paths: Paths,
}

/// The inputs, opened, and what they make of the request.
struct Opened<'a> {
    request: &'a Request,
    operation: Operation,
    vectors: Vec<Vector>,
    /// Points N of the transforms, and elements of the output.
    points: usize,
    outputs: usize,
}

impl Request {
    fn new(field: &AnyField, inputs: Vec<PathBuf>, output: PathBuf, scratch: PathBuf) -> Self {
        Self {
            field: field.clone(),
            inputs,
            output,
            scratch,
            budget: Budget::system(),
            fresh: false,
            verify: true,
            plan: None,
            disk: Arc::new(System),
        }
    }

    /// Opens the inputs, each once, and finds all names.
    fn prepare<'a>(
        &'a self,
        operation: Operation,
        storage: &Storage,
    ) -> Result<Prepared<'a>, ScaleError> {
        let [is_matrix, _] = operation.is_transposed();
        let open = |path: &PathBuf| Vector::open(path, &self.field, is_matrix, storage);
        let vectors = self
            .inputs
            .iter()
            .map(open)
            .collect::<Result<Vec<_>, _>>()?;
        let real = |path: &PathBuf| {
            fs::canonicalize(path).map_err(ScaleError::disk(path, "cannot be read"))
        };
        let inputs = self
            .inputs
            .iter()
            .map(real)
            .collect::<Result<Vec<_>, _>>()?;
        let mut opened = Opened::new(self, operation, vectors)?;
        let mut given = self.inputs.clone();
        let is_square = inputs.windows(2).any(|two| two[0] == two[1]);
        let inputs = match is_square {
            // One transform serves both operands.
            true => {
                opened.vectors.truncate(1);
                given.truncate(1);
                inputs[..1].to_vec()
            }
            false => inputs,
        };
        let output = self.place()?;
        if inputs.contains(&output) {
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
        for path in inputs.iter().chain([&output, &scratch]) {
            identity.extend(path.as_os_str().as_bytes());
            identity.push(0);
        }
        identity.extend(modulus.to_string().bytes());
        let name = format!("{:016x}", xxh3_64(&identity));
        let contents = opened.vectors.iter().map(|vector| vector.contents(storage));
        let contents = contents.collect::<Result<Vec<_>, _>>()?;
        let facts = vec![
            ("input", format!("{inputs:?}")),
            ("output", format!("{output:?}")),
            (RESULT, in_hex(&output)),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("modulus", modulus.to_string()),
            ("operation", format!("{operation:?}")),
            (CONTENTS, contents.join("; ")),
        ];
        Ok(Prepared {
            folder: of_job(&scratch, &name),
            paths: Paths {
                inputs: given,
                unfinished: unfinished(&output, &name),
                output,
            },
            opened,
            contents,
            facts,
        })
    }

    fn plan(&self, operation: Operation) -> Result<Plan, ScaleError> {
        let storage = Storage::new(Arc::clone(&self.disk));
        let Prepared {
            opened,
            folder,
            facts,
            ..
        } = self.prepare(operation, &storage)?;
        let begun = match self.fresh {
            true => None,
            false => Description::read(&folder, &facts)?,
        };
        match begun {
            Some(Description { mut plan, .. }) => {
                let accepted = opened.accept(&mut plan);
                accepted.map_err(|difference| ScaleError::OtherJob { folder, difference })?;
                Ok(plan)
            }
            None => opened.plan(),
        }
    }

    /// The memory for a new job, and for one that was begun.
    fn memory(&self) -> [u64; 2] {
        match (self.budget.limit(), self.budget.available()) {
            (Some(_), Some(bytes)) => [bytes; 2],
            (None, Some(bytes)) => [bytes / SHARE, bytes],
            (_, None) => [1 << 30; 2],
        }
    }

    fn start(&self, operation: Operation) -> Result<Started, ScaleError> {
        let storage = Storage::new(Arc::clone(&self.disk));
        let Prepared {
            opened,
            folder,
            facts,
            contents,
            paths,
        } = self.prepare(operation, &storage)?;
        let opening = Opening {
            storage: &storage,
            facts,
            fresh: self.fresh,
            accept: &|plan| opened.accept(plan),
            new: &|| Ok((opened.plan()?, opened.places())),
            passes: &|plan| {
                let task = opened.task(*plan);
                let stages = task.stages();
                let pass = |number| [task.bands(&stages[number]), reader(&stages, number)];
                (0..stages.len()).map(pass).collect()
            },
        };
        let job = Job::open(folder, opening)?;
        if job.progress.complete.is_none() && !paths.unfinished.exists() {
            // That it cannot be written there is told before the work.
            if let Err(error) = storage.create(&paths.unfinished, 0) {
                if job.progress.all_done() == 0 {
                    // There is nothing to go on with.
                    let _ = job.remove();
                }
                return Err(ScaleError::Output {
                    path: self.output.clone(),
                    problem: error.to_string(),
                });
            }
            storage.sync_folder(folder_of(&paths.output))?;
        }
        let task = opened.task(job.description.plan);
        Ok(Started::new(
            task,
            opened.vectors,
            contents,
            storage,
            paths,
            job,
        ))
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
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(refused(
                    "results of this length go to a file, and this is none".to_owned(),
                ));
            }
            // Such as that of a name that is too long.
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(refused(format!("it cannot be made: {error}")));
            }
            _ => {}
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

impl<'a> Opened<'a> {
    fn new(
        request: &'a Request,
        operation: Operation,
        vectors: Vec<Vector>,
    ) -> Result<Self, ScaleError> {
        let (points, outputs) = match operation {
            Operation::Transform { .. } => (vectors[0].given.elements, vectors[0].given.elements),
            Operation::Product => {
                let [a, b] = [0, vectors.len() - 1].map(|operand| vectors[operand].given.elements);
                // Without coefficients a polynomial is 0, and so is the product.
                let outputs = if a == 0 || b == 0 { 0 } else { a + b - 1 };
                (outputs.max(1).next_power_of_two(), outputs)
            }
        };
        check_points(&request.field, points)?;
        Ok(Self {
            request,
            operation,
            vectors,
            points,
            outputs,
        })
    }

    /// Bytes of a word of the output: as of the inputs, and 8 where residues need more than 4.
    fn word_of_output(&self) -> usize {
        let prime = self.request.field.word_prime();
        let is_short = prime.is_some_and(|prime| prime >> 32 == 0);
        match is_short && self.word_of_inputs() == 4 {
            true => 4,
            false => 8,
        }
    }

    /// Bytes of the longest word of the inputs.
    fn word_of_inputs(&self) -> usize {
        self.vectors
            .iter()
            .map(|vector| vector.given.word)
            .max()
            .unwrap_or(8)
    }

    fn problem<R>(&self, with: impl FnOnce(&Problem<'_>) -> R) -> R {
        let field = &self.request.field;
        let digits = field.width();
        let words = [
            self.word_of_inputs(),
            field.word_bits() / 8,
            self.word_of_output(),
        ];
        let elements = words.map(|word| digits * word);
        let given = self
            .vectors
            .iter()
            .map(|vector| (vector.given.elements * digits * vector.given.word) as u64);
        with(&Problem {
            points: self.points,
            elements,
            ends: [given.sum(), (self.outputs * elements[2]) as u64],
            route: self.operation.route(self.vectors.len()),
            vectors: self.vectors.len() + usize::from(self.operation.is_to_natural()),
            windows: self
                .vectors
                .iter()
                .filter(|vector| !vector.given.start.is_multiple_of(PAGE as u64))
                .count(),
            given: self.vectors[0].matrix,
            working: &|height, width| {
                // A row that is multiplied by itself, on each thread.
                let again = match self.operation.route(self.vectors.len()) {
                    Route::Square => (threads::count() * width * elements[1]) as u64,
                    _ => 0,
                };
                AnyBands::working_bytes(field, height, width).saturating_add(again)
            },
        })
    }

    /// The plan of a new job.
    fn plan(&self) -> Result<Plan, ScaleError> {
        self.problem(|problem| match self.request.plan {
            Some(plan) if plan.fits(problem) => Ok(plan),
            Some(plan) => {
                let problem = format!("the plan is not for it: {plan}");
                Err(ScaleError::input(&self.request.inputs[0], problem))
            }
            None => problem.plan(self.request.memory()[0]),
        })
    }

    /// Whether a plan that was begun can be gone on with now, and what memory it takes here.
    fn accept(&self, plan: &mut Plan) -> Result<(), String> {
        let (asked, [_, memory]) = (self.request.plan, self.request.memory());
        self.problem(|problem| {
            let is_asked = asked.is_none_or(|asked| asked.line() == plan.line());
            if !is_asked || !plan.fits(problem) {
                return Err(format!("another plan ({plan})"));
            }
            plan.memory = problem.memory(plan);
            match plan.memory > memory && asked.is_none() {
                true => Err(format!(
                    "more memory or fewer threads: its plan takes {} by {} threads, and {} can be used",
                    Shown(plan.memory),
                    threads::count(),
                    Shown(memory)
                )),
                false => Ok(()),
            }
        })
    }

    /// What a new job checks: indices of values, or points at which polynomials have values.
    fn places(&self) -> Vec<usize> {
        let random = RandomState::new();
        let count = if self.request.verify { CHECKED } else { 0 };
        let place = |i: usize| match self.operation {
            Operation::Transform { .. } => random.hash_one(i) as usize & (self.points - 1),
            Operation::Product => random.hash_one(i) as usize,
        };
        (0..count).map(place).collect()
    }

    /// What is done by a plan.
    fn task(&self, plan: Plan) -> Task {
        Task {
            field: self.request.field.clone(),
            operation: self.operation,
            plan,
            inputs: self.vectors.iter().map(|vector| vector.given).collect(),
            outputs: self.outputs,
            word: self.request.field.word_bits() / 8,
            word_of_output: self.word_of_output(),
        }
    }
}

/// The folder that a file is in, or is to be in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
