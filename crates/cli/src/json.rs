//! The JSON form of results: one object, with facts before the results and figures after them.
//!
//! The results between its two halves are written as they come, so that they need not be in memory
//! together.

use crate::error::Failure;
use serde::Serialize;

/// The object up to its results, to be closed by [`tail`].
pub fn head(facts: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut text = object(facts)?;
    text.pop();
    text.push_str(",\"results\":[\n");
    Ok(text.into_bytes())
}

/// What follows the results.
pub fn tail(figures: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let text = object(figures)?;
    let members = text.strip_prefix('{').unwrap_or(&text);
    Ok(format!("\n],{members}\n").into_bytes())
}

fn object(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Computation(error.to_string()))
}
