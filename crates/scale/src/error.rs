//! What can go wrong between a file and its transform.

use crate::ranks::Gone;
use std::io;
use std::path::{Path, PathBuf};
use sunzi_dft::DftError;
use sunzi_field::FieldError;
use sunzi_machine::memory::Shown;
use thiserror::Error;

/// Why a transform through files ended without a result. Nothing has been written under the name of the result then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// The input is no vector of the field.
    #[error("{}: {problem}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What is wrong there, and what to do.
        problem: String,
    },
    /// The result cannot be where it is to be.
    #[error("{}: {problem}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        problem: String,
    },
    /// The system refused something.
    #[error("{}: {action}: {}", path.display(), reason(source))]
    Disk {
        /// The file.
        path: PathBuf,
        /// What was to be done with it, in a sentence's words.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The memory is too small for any way.
    #[error(
        "transforms of {points} points need {} of memory at least and {} can be used: raise the limit",
        Shown(*needed),
        Shown(*available)
    )]
    Memory {
        /// The points.
        points: usize,
        /// The least memory in bytes that has a plan.
        needed: u64,
        /// The memory in bytes that there is.
        available: u64,
    },
    /// Another process works at the same job.
    #[error("{}: {holder} works at this job: wait for it, or name another folder for scratch files", folder.display())]
    Busy {
        /// The folder of the job.
        folder: PathBuf,
        /// Who it is, as far as it is known.
        holder: String,
    },
    /// The folder holds the beginning of a job that is not this one.
    #[error(
        "{}: this job was begun with {difference}: run it as it was begun, or begin anew with --fresh (`fresh` in Rust)",
        folder.display()
    )]
    OtherJob {
        /// The folder of the job.
        folder: PathBuf,
        /// In what it differs.
        difference: String,
    },
    /// A file is not as it was written.
    #[error(
        "{}: {problem}: begin anew with --fresh (`fresh` in Rust); if nobody has changed it, the disk or the memory is not to be trusted",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Another rank has ended with an error, which it tells.
    #[error("rank {rank}: {problem}")]
    OtherRank {
        /// Its number.
        rank: usize,
        /// What it says.
        problem: String,
    },
    /// Another rank has ended.
    #[error(transparent)]
    Gone(#[from] Gone),
    /// There is no such transform.
    #[error(transparent)]
    Dft(#[from] DftError),
    /// There is no such field.
    #[error(transparent)]
    Field(#[from] FieldError),
}

impl ScaleError {
    /// What makes an error of a system's refusal.
    pub(crate) fn disk(
        path: &Path,
        action: &'static str,
    ) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Disk {
            path,
            action,
            source,
        }
    }

    pub(crate) fn input(path: &Path, problem: impl Into<String>) -> Self {
        Self::Input {
            path: path.to_owned(),
            problem: problem.into(),
        }
    }

    /// An input that is not what it was when the job began.
    pub(crate) fn changed(path: &Path) -> Self {
        Self::input(
            path,
            "it has changed while it was read: run the command again",
        )
    }

    pub(crate) fn damaged(path: &Path, problem: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            problem: problem.into(),
        }
    }
}

/// A system error in words, without the number that Rust appends.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_lowercase(),
        None => text,
    }
}
