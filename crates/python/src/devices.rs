//! GPUs and other devices: what computes where the argument `device` is given.
//!
//! An engine that was opened stays open as long as the process, as its driver does; there is one for each name. Drivers do not survive
//! a fork: a process that was forked after devices were looked for is refused, as it would wait for threads that it does not have.

use crate::failure::{raised, wrong_value};
use crate::run::run;
use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use sunzi::engine::{Batch, DeviceChoice, Engine, EngineError};
use sunzi::gpu::discover;

/// The process that looked for devices first; 0: none has.
static LOOKED: AtomicU32 = AtomicU32::new(0);

/// The engines. It is locked only by threads that have the interpreter's lock, so that no fork finds it locked.
static ENGINES: Mutex<Option<HashMap<DeviceChoice, &'static Engine>>> = Mutex::new(None);

/// Refuses a process that was forked after devices were looked for.
fn check_process() -> PyResult<()> {
    let process = std::process::id();
    let first = LOOKED.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
    match first {
        Err(first) if first != process => Err(PyRuntimeError::new_err(FORKED)),
        _ => Ok(()),
    }
}

/// What a forked process is told.
const FORKED: &str = "devices were looked for before this process was forked, and their drivers do not survive that: start it with \"spawn\" or \"forkserver\"";

/// What computes where an argument says.
#[derive(Clone, Copy)]
pub(crate) struct OnDevice {
    engine: &'static Engine,
    choice: DeviceChoice,
}

/// What the argument `device` names, if that is not the processor.
pub(crate) fn on_device(py: Python<'_>, device: Option<&str>) -> PyResult<Option<OnDevice>> {
    let Some(device) = device else {
        return Ok(None);
    };
    let choice = device.parse::<DeviceChoice>();
    let choice = choice.map_err(|error| {
        wrong_value(format!(
            "{error}; \"auto\" is wherever it is faster, and \"cpu\" the processor"
        ))
    })?;
    match choice {
        DeviceChoice::Cpu => return Ok(None),
        // The processor is one of the places where it may be faster.
        DeviceChoice::Auto if check_process().is_err() => return Ok(None),
        _ => check_process()?,
    }
    let engines = || ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    let known = engines().as_ref().and_then(|all| all.get(&choice).copied());
    let engine = match known {
        Some(engine) => engine,
        None => {
            let engine = run(py, f64::MAX, || Engine::new(choice))?.map_err(failed)?;
            // Another thread may have been faster.
            let mut engines = engines();
            let engines = engines.get_or_insert_default();
            *engines
                .entry(choice)
                .or_insert_with(|| Box::leak(Box::new(engine)))
        }
    };
    Ok(Some(OnDevice { engine, choice }))
}

impl OnDevice {
    /// The name that it was asked for by.
    pub(crate) fn name(self) -> String {
        self.choice.to_string()
    }

    /// Tells that something is computed on the processor, if another place was asked for.
    pub(crate) fn warn_of(self, py: Python<'_>, what: &str) -> PyResult<()> {
        match self.choice {
            DeviceChoice::Only(_) => warn(py, &format!("{what} are computed on the processor")),
            _ => Ok(()),
        }
    }

    /// The result of the one row of a batch. What is computed on the processor instead is told as a warning.
    pub(crate) fn one<T: Send>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&'static Engine) -> Result<Batch<T>, EngineError> + Send,
    ) -> PyResult<T> {
        let mut all = self.all(py, work)?;
        let found = all.pop();
        found.ok_or_else(|| PyRuntimeError::new_err("the device gave no result"))
    }

    /// The results of the rows of a batch.
    pub(crate) fn all<T: Send>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&'static Engine) -> Result<Batch<T>, EngineError> + Send,
    ) -> PyResult<Vec<T>> {
        let mut batch = self.made(py, work)?;
        for warning in batch.warnings.drain(..) {
            warn(py, &warning)?;
        }
        batch.into_all().map_err(failed)
    }

    /// What the engine makes.
    pub(crate) fn made<T: Send>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&'static Engine) -> Result<T, EngineError> + Send,
    ) -> PyResult<T> {
        check_process()?;
        run(py, f64::MAX, || work(self.engine))?.map_err(failed)
    }
}

/// The exception for an error of an engine: that of the part that failed.
fn failed(error: EngineError) -> PyErr {
    match error {
        EngineError::Gpu(error) => raised(error),
        EngineError::Integer(error) => raised(error),
        EngineError::Arithmetic(error) => raised(error),
        EngineError::Matrix(error) => raised(error),
        EngineError::Polynomial(error) => raised(error),
        other => raised(other),
    }
}

/// Tells what is computed on the processor although a device was named.
fn warn(py: Python<'_>, warning: &str) -> PyResult<()> {
    let text = CString::new(warning).map_err(|error| wrong_value(error.to_string()))?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
}

/// The devices that the argument ``device`` can name, beside "auto" and "cpu", each as {"device", "name", "kind", "memory", "driver"}.
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    check_process()?;
    let found = run(py, f64::MAX, discover)?;
    let devices = found.devices.iter().map(|device| {
        let facts = PyDict::new(py);
        let name = format!("{}:{}", device.backend.name(), device.index);
        facts.set_item("device", name)?;
        facts.set_item("name", &device.name)?;
        facts.set_item("kind", device.kind.to_string())?;
        facts.set_item("memory", device.memory)?;
        facts.set_item("driver", &device.driver)?;
        Ok(facts)
    });
    PyList::new(py, devices.collect::<PyResult<Vec<_>>>()?)
}
