//! What spare launches have in common in both interfaces: how long they are waited for, and why they fail.

use std::time::Duration;

use sunzi_tune::live::Unchanged;
use thiserror::Error;

/// How long the program's work before the launch may take, and a spare launch, which may be compiled first.
pub const PATIENCE: Duration = Duration::from_secs(5);
const PATIENCE_FOR_ONE: Duration = Duration::from_secs(10);
/// A spare launch may take so many times the first one beside.
const SLOWER: f64 = 50.0;

/// How long a spare launch may take; `first` is what the first one took, in milliseconds.
pub fn patience(first: Option<f64>) -> Duration {
    PATIENCE_FOR_ONE + Duration::from_secs_f64(SLOWER * first.unwrap_or(0.0) / 1e3)
}

/// Why a spare launch fails.
#[derive(Debug, Error)]
pub enum SpareError {
    #[error("the driver says {0}")]
    Driver(i64),
    #[error("it did not end in time")]
    Late,
}

/// As it fails before anything is launched: what is late then is the program's own work.
impl From<SpareError> for Unchanged {
    fn from(error: SpareError) -> Self {
        Unchanged::Spare(match error {
            SpareError::Late => "what the launch waits for did not come in time".to_owned(),
            error => error.to_string(),
        })
    }
}
