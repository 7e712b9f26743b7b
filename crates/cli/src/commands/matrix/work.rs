//! The way from files to results, the same for all numbers.

use super::numbers::{Found, Numbers, Refused};
use super::task::{Pair, Single, Task};
use crate::args::Common;
use crate::commands::dense::input::{Input, Purpose, counted};
use crate::report::{Figures, Head, Report, Tail, timed};
use serde::Serialize;
use serde_json::json;
use std::path::Path;
use sunzi::memory::Budget;
use sunzi_files::failure::Failure;
use sunzi_files::memory;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

impl<M> Task<Input<M>> {
    /// How sentences name the file that there is a problem with.
    fn name(&self) -> String {
        match self {
            Self::Single(_, input) | Self::Pair(_, [input, _]) => input.name.clone(),
        }
    }

    /// The least number of entries of the result, by the shapes of the matrices; refuses those that do not fit.
    fn result_entries(&self, shape: impl Fn(&M) -> (usize, usize)) -> Result<u64, Failure> {
        let entries = |rows: usize, columns: usize| (rows as u64).saturating_mul(columns as u64);
        match self {
            Self::Single(Single::Nullspace, input) => {
                let (rows, columns) = shape(&input.matrix);
                Ok(entries(columns, columns.saturating_sub(rows)))
            }
            Self::Single(..) => Ok(0),
            Self::Pair(pair, [left, right]) => {
                let (rows, columns) = shape(&left.matrix);
                let (right_rows, right_columns) = shape(&right.matrix);
                let (shared, noun, who) = match pair {
                    Pair::Solve => (rows, "row", "a system"),
                    Pair::Mul => (columns, "column", "a product"),
                };
                if shared != right_rows {
                    return Err(Failure::Computation(format!(
                        "{} has {} and {} has {}; {who} needs as many",
                        left.name,
                        counted(shared, noun),
                        right.name,
                        counted(right_rows, "row"),
                    )));
                }
                Ok(match pair {
                    Pair::Solve => entries(columns, right_columns),
                    Pair::Mul => entries(rows, right_columns),
                })
            }
        }
    }

    /// The bytes that all matrices take.
    fn bytes(&self, bytes: impl Fn(&M) -> u64) -> u64 {
        match self {
            Self::Single(_, input) => bytes(&input.matrix),
            Self::Pair(_, inputs) => inputs.iter().map(|input| bytes(&input.matrix)).sum(),
        }
    }

    /// The same without names.
    fn matrices(self) -> Task<M> {
        match self {
            Self::Single(single, input) => Task::Single(single, input.matrix),
            Self::Pair(pair, inputs) => Task::Pair(pair, inputs.map(|input| input.matrix)),
        }
    }
}

/// What is found beside a matrix, or instead of one.
#[derive(Serialize)]
struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<usize>,
    /// Whether a system has no other solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
}

/// Reads files, does the work, and writes the results.
pub fn run<N: Numbers>(
    task: Task<&Path>,
    numbers: &N,
    budget: Budget,
    common: &Common,
) -> Result<(), Failure> {
    let mut figures = Figures::start();
    let output = Output::create(common.output.as_deref())?;
    let purpose = task.purpose(budget);
    let files = task.files();
    let task = read(task, purpose, numbers, &mut figures)?;
    let (command, name) = (task.command(), task.name());
    let result = task.result_entries(|matrix| numbers.shape(matrix))?;
    let budget = budget.holding(task.bytes(|matrix| numbers.bytes(matrix)));
    let needed = result.saturating_mul(numbers.entry_bytes());
    memory::check(&name, purpose.work, needed, budget)?;

    let task = task.matrices();
    let (Task::Single(_, matrix) | Task::Pair(_, [matrix, _])) = &task;
    let (rows, columns) = numbers.shape(matrix);
    let (arithmetic, modulus) = numbers.arithmetic();
    let inputs = json!({
        "files": files,
        "rows": rows,
        "columns": columns,
        "arithmetic": arithmetic,
        "modulus": modulus,
    });
    let head = Head::new(command, inputs);
    let progress = Progress::of("computing");
    let is_system = matches!(task, Task::Pair(Pair::Solve, _));
    let found = timed(&mut figures.seconds.computing, || {
        progress.watch(|| numbers.compute(task, budget))
    });
    drop(progress);
    let Found { matrix, rank } = found.map_err(|refused| match refused {
        Refused::Memory(error) => memory::refusal(&name, purpose.work, "about", error),
        Refused::Other(sentence) => Failure::Computation(format!("{name}: {sentence}")),
    })?;
    let unique = rank.filter(|_| is_system).map(|rank| rank == columns);
    let details = Details { rank, unique };
    let Some(matrix) = matrix else {
        let report = Report {
            head,
            result: details,
            figures: figures.ended(),
        };
        return report.write(output, common.json, |_| {
            rank.map(|rank| format!("{rank}\n")).unwrap_or_default()
        });
    };
    let mut results = Results::new(output, common.json);
    results.facts(|| head)?;
    timed(&mut figures.seconds.writing, || {
        if numbers.shape(&matrix).1 > 0 {
            numbers.write(&matrix, common.json, &mut results)?;
        } else if !common.json {
            results.push(match command {
                "matrix nullspace" => b"# no column: only the zero vector is in the nullspace",
                _ => &b"# no column"[..],
            })?;
        }
        if unique == Some(false) && !common.json {
            let line = format!(
                "# not the only solution: the rank is {}, and there are {}",
                rank.unwrap_or_default(),
                counted(columns, "variable")
            );
            results.push(line.as_bytes())?;
        }
        Ok::<_, Failure>(())
    })?;
    let output = match rank {
        Some(_) => results.close(|| Tail {
            details,
            figures: figures.ended(),
        }),
        None => results.close(|| figures.ended()),
    };
    output?.finish()
}

/// Reads the matrices.
fn read<N: Numbers>(
    task: Task<&Path>,
    purpose: Purpose,
    numbers: &N,
    figures: &mut Figures,
) -> Result<Task<Input<N::Matrix>>, Failure> {
    let mut read_one = |file, purpose| numbers.read(file, purpose, &mut figures.seconds);
    Ok(match task {
        Task::Single(single, file) => Task::Single(single, read_one(file, purpose)?),
        Task::Pair(pair, [left, right]) => {
            let left = read_one(left, purpose)?;
            let second = Purpose {
                copies: 1,
                budget: purpose.budget.holding(numbers.bytes(&left.matrix)),
                ..purpose
            };
            Task::Pair(pair, [left, read_one(right, second)?])
        }
    })
}
