//! The library's work: where it runs, and how it ends early.
//!
//! Short work runs at once, on the thread that calls. Longer work runs without the interpreter's lock; and what takes so long that
//! more threads gain runs on a pool, while the thread that called looks for signals and deadlines, and ends it for them. A pool belongs
//! to a process: one that was forked has none of its threads, and makes its own.

use crate::failure::{internal, wrong_value};
use pyo3::exceptions::{PyRuntimeError, PyTimeoutError};
use pyo3::prelude::*;
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use sunzi::{Cancel, ThreadPool, ThreadPoolBuilder, alone};

/// Below so many nanoseconds the lock is kept: to give it away and take it back costs a tenth of that.
const KEEPS_LOCK: f64 = 2e3;

/// From so many on, work is given to a pool.
const ON_POOL: f64 = 1e5;

/// How long a thread waits before it looks for signals.
const STEP: Duration = Duration::from_millis(50);

/// Threads of the pool that are used where nothing else is said; 0: as many as the processor has.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// More than any machine has; each takes memory.
const MOST_THREADS: usize = 1 << 12;

/// The pools of this process by their numbers of threads. It is locked only by threads that have the interpreter's, so that no fork
/// finds it locked.
static POOLS: Mutex<Pools> = Mutex::new(Pools {
    process: 0,
    pools: BTreeMap::new(),
});

struct Pools {
    process: u32,
    pools: BTreeMap<usize, Arc<ThreadPool>>,
}

thread_local! {
    /// What `with` statements of this thread say, the innermost last.
    static WITHIN: RefCell<Within> = const { RefCell::new(Within { threads: Vec::new(), deadlines: Vec::new() }) };
}

struct Within {
    threads: Vec<usize>,
    deadlines: Vec<Instant>,
}

/// Runs work of the library that is expected to take so many nanoseconds.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    nanoseconds: f64,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    if nanoseconds >= ON_POOL {
        return on_pool(py, work);
    }
    let work = || caught(|| alone(work));
    let ended = match nanoseconds < KEEPS_LOCK {
        true => work(),
        false => py.detach(work),
    };
    ended.map_err(internal)
}

/// What panicked, or the result.
fn caught<R>(work: impl FnOnce() -> R) -> Result<R, Box<dyn Any + Send>> {
    // Nothing that was changed is looked at again.
    catch_unwind(AssertUnwindSafe(work))
}

fn on_pool<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = pool()?;
    let (cancel, done) = (Cancel::new(), Done::default());
    let mut ended = None;
    // It returns when nothing runs any more: work may write to arrays of Python.
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            ended = Some(caught(|| cancel.run(work)));
            done.set();
        });
        wait(py, &cancel, &done)
    })?;
    match ended {
        Some(Ok(Ok(result))) => Ok(result),
        Some(Ok(Err(cancelled))) => Err(PyRuntimeError::new_err(cancelled.to_string())),
        Some(Err(panic)) => Err(internal(panic)),
        None => Err(PyRuntimeError::new_err("the computation did not run")),
    }
}

/// Waits for work, and ends it if a signal or a deadline says so.
fn wait(py: Python<'_>, cancel: &Cancel, done: &Done) -> PyResult<()> {
    let deadline = WITHIN.with_borrow(|within| within.deadlines.iter().min().copied());
    let mut looked = Ok(());
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let step = match (&looked, left) {
            (Ok(()), Some(left)) => left.min(STEP),
            _ => STEP,
        };
        if py.detach(|| done.wait(step)) {
            return looked;
        }
        if looked.is_ok() {
            looked = py.check_signals().and(match left {
                Some(left) if left <= step => Err(PyTimeoutError::new_err(
                    "the time of `with sunzi.timeout(…)` is over",
                )),
                _ => Ok(()),
            });
        }
        if looked.is_err() {
            cancel.cancel();
        }
    }
}

/// Whether something is done, for whoever waits for it.
#[derive(Default)]
struct Done {
    done: Mutex<bool>,
    changed: Condvar,
}

impl Done {
    fn set(&self) {
        *self.lock() = true;
        self.changed.notify_all();
    }

    /// Whether it is done within the time.
    fn wait(&self, time: Duration) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), time, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pool that work of this thread runs on.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let within = WITHIN.with_borrow(|within| within.threads.last().copied());
    let threads = within.unwrap_or_else(|| THREADS.load(Ordering::Relaxed));
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pools.process != process {
        // The threads of the process that was forked are not here: nobody may wait for them.
        std::mem::forget(std::mem::take(&mut pools.pools));
        pools.process = process;
    }
    if let Some(pool) = pools.pools.get(&threads) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let pool = Arc::new(pool);
    pools.pools.insert(threads, Arc::clone(&pool));
    Ok(pool)
}

fn checked_threads(threads: usize) -> PyResult<usize> {
    match threads {
        1..=MOST_THREADS => Ok(threads),
        _ => Err(wrong_value(format!(
            "there are no {threads} threads to be had: give 1 to {MOST_THREADS}"
        ))),
    }
}

/// Long computations use so many threads from now on, or as many as the processor has.
#[pyfunction]
#[pyo3(signature = (threads=None, /))]
pub(crate) fn set_threads(threads: Option<usize>) -> PyResult<()> {
    let threads = threads.map_or(Ok(0), checked_threads)?;
    THREADS.store(threads, Ordering::Relaxed);
    Ok(())
}

/// ``with threads(n):`` computations of this thread use n threads.
#[pyclass(frozen, module = "sunzi", name = "threads")]
pub(crate) struct Threads(usize);

#[pymethods]
impl Threads {
    #[new]
    #[pyo3(signature = (threads, /))]
    fn new(threads: usize) -> PyResult<Self> {
        checked_threads(threads).map(Self)
    }

    fn __enter__(&self) {
        WITHIN.with_borrow_mut(|within| within.threads.push(self.0));
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        WITHIN.with_borrow_mut(|within| within.threads.pop());
    }
}

/// ``with timeout(seconds):`` computations of this thread that are not done by then raise TimeoutError.
#[pyclass(frozen, module = "sunzi", name = "timeout")]
pub(crate) struct Timeout(Duration);

#[pymethods]
impl Timeout {
    #[new]
    #[pyo3(signature = (seconds, /))]
    fn new(seconds: f64) -> PyResult<Self> {
        let time = Duration::try_from_secs_f64(seconds);
        let time = time.map_err(|_| wrong_value("a time is 0 or more seconds"))?;
        // A longer one is none.
        Ok(Self(time.min(Duration::from_secs(1 << 32))))
    }

    fn __enter__(&self) {
        WITHIN.with_borrow_mut(|within| within.deadlines.push(Instant::now() + self.0));
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        WITHIN.with_borrow_mut(|within| within.deadlines.pop());
    }
}
