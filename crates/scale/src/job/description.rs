//! What a job computes, in lines `name value`, and what was drawn for it.

use super::folder::Folder;
use crate::error::ScaleError;
use crate::matrix::Run;
use crate::plan::Plan;
use crate::storage::Storage;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The form of folders; a program that writes another form refuses this one.
const FORM: &str = "sunzi job through files, form 3";

/// The file.
const NAME: &str = "job";

/// The fact by which inputs are known again.
pub(crate) const CONTENTS: &str = "contents";

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    /// Lines that must be the same for the job to go on.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) plan: Plan,
    /// What was drawn for what is checked.
    pub(crate) drawn: Vec<usize>,
}

/// The lines of a description that is as it was written.
pub(super) fn lines(text: &str) -> Option<Vec<&str>> {
    let end = text.trim_end_matches('\n').rfind('\n')? + 1;
    let (told, sum) = text.split_at(end);
    let is_whole = sum == sum_of(told) && told.starts_with(FORM);
    is_whole.then(|| told.lines().skip(1).collect())
}

fn sum_of(text: &str) -> String {
    format!("sum {:016x}\n", xxh3_64(text.as_bytes()))
}

/// What is chosen for a job, in two lines.
pub(crate) fn choices(plan: &Plan, drawn: &[usize]) -> String {
    let drawn: Vec<_> = drawn.iter().map(usize::to_string).collect();
    format!("plan {}\ndrawn {}\n", plan.line(), drawn.join(" "))
}

/// The plan and what was drawn, of two such lines.
pub(crate) fn of_choices(text: &str) -> Option<(Plan, Vec<usize>)> {
    let (plan, drawn) = text.trim_end_matches('\n').split_once('\n')?;
    let plan = Plan::of_line(plan.strip_prefix("plan ")?)?;
    let numbers = drawn.strip_prefix("drawn ")?.split(' ');
    let numbers = numbers.filter(|number| !number.is_empty());
    let drawn: Option<Vec<usize>> = numbers.map(|number| number.parse().ok()).collect();
    Some((plan, drawn?))
}

impl Description {
    /// As a file, which is there as a whole or not at all.
    pub(super) fn write(&self, storage: &Storage, folder: &Folder) -> Result<(), ScaleError> {
        let (unfinished, path, text) = (folder.file("job.new"), folder.file(NAME), self.text());
        let file = storage.create(&unfinished, 0)?;
        storage.write_run(&file, &Run::whole(0, text.len()), text.as_bytes())?;
        storage.sync(&file)?;
        let named = storage.disk.rename(&unfinished, &path);
        named.map_err(ScaleError::disk(&path, "cannot be written"))?;
        storage.sync_folder(folder.path())
    }

    fn text(&self) -> String {
        let mut text = format!("{FORM}\n");
        for (name, value) in &self.facts {
            text += &format!("{name} {value}\n");
        }
        text += &choices(&self.plan, &self.drawn);
        let sum = sum_of(&text);
        text + &sum
    }

    /// What stands in a folder, if anything does, of a job with these facts.
    pub(crate) fn read(
        folder: &Path,
        facts: &[(&'static str, String)],
    ) -> Result<Option<Self>, ScaleError> {
        let path = folder.join(NAME);
        let other_job = |difference| ScaleError::OtherJob {
            folder: folder.to_owned(),
            difference,
        };
        let damaged = || ScaleError::damaged(&path, "it is not as it was written");
        let text = match fs::read(&path) {
            Ok(text) => String::from_utf8(text).map_err(|_| damaged())?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return match folder.join("journal").exists() {
                    true => Err(ScaleError::damaged(&path, "it is gone")),
                    false => Ok(None),
                };
            }
            Err(error) => return Err(ScaleError::disk(&path, "cannot be read")(error)),
        };
        if text.lines().next().is_some_and(|form| form != FORM) {
            return Err(other_job("another version of the program".to_owned()));
        }
        let lines = lines(&text).ok_or_else(damaged)?;
        let (told, rest) = lines.split_at_checked(facts.len()).ok_or_else(damaged)?;
        for ((name, value), line) in facts.iter().zip(told) {
            let found = line
                .strip_prefix(name)
                .and_then(|line| line.strip_prefix(' '));
            if found != Some(value) {
                let difference = match *name {
                    CONTENTS => "inputs that have changed since".to_owned(),
                    name => format!("another {name}: {}", found.unwrap_or("none")),
                };
                return Err(other_job(difference));
            }
        }
        match of_choices(&rest.join("\n")) {
            Some((plan, drawn)) if rest.len() == 2 => Ok(Some(Self {
                facts: facts.to_vec(),
                plan,
                drawn,
            })),
            _ => Err(damaged()),
        }
    }
}
