//! The library's work: where it runs, and how it ends early.
//!
//! Short work runs at once, on the thread that calls. Longer work runs without the interpreter's lock; and what takes so long that
//! more threads gain, or somebody may want to end it, runs on a pool, while the thread that called looks for signals and deadlines. A pool belongs
//! to a process: one that was forked has none of its threads, and makes its own. Threads of Python take turns on a pool: its threads,
//! while they wait for one computation, would else take another, and the first could not end before that.

use crate::failure::{internal, wrong_type, wrong_value};
use pyo3::exceptions::{PyRuntimeError, PyTimeoutError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use sunzi::{Cancel, InstructionSet, Meter, ThreadPool, ThreadPoolBuilder, alone};

/// Below so many nanoseconds the lock is kept: to give it away and take it back costs a tenth of that.
const KEEPS_LOCK: f64 = 2e3;

/// From so many on, work is given to a pool of several threads.
const ON_POOL: f64 = 3e5;

/// The same of one thread, where nothing is gained but that it can be interrupted.
const ON_ONE: f64 = 5e6;

/// How long a thread waits before it looks for signals.
const STEP: Duration = Duration::from_millis(50);

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Threads of the pool that are used where nothing else is said; 0: as many as the processor has.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// More than any machine has; each takes memory.
const MOST_THREADS: usize = 1 << 12;

/// Pools that are kept for the next computation.
const KEPT_POOLS: usize = 3;

/// The pools of this process by their numbers of threads. It is locked for moments only, where there is one by threads that have the
/// interpreter's lock, so that no fork finds it locked.
static POOLS: Mutex<Pools> = Mutex::new(Pools {
    process: 0,
    pools: BTreeMap::new(),
});

struct Pools {
    process: u32,
    pools: BTreeMap<usize, Arc<Pool>>,
}

/// Threads, and whether they work for somebody.
struct Pool {
    threads: ThreadPool,
    busy: Flag,
}

thread_local! {
    /// What `with` statements of this thread say, the innermost last.
    static WITHIN: RefCell<Within> = const { RefCell::new(Within::new()) };
}

/// What is said, each by the number of the object that says it.
struct Within {
    threads: Vec<(u64, usize)>,
    deadlines: Vec<(u64, Instant)>,
    /// A function of a text; or none, where it is written to standard error.
    shown: Vec<(u64, Option<Py<PyAny>>)>,
}

impl Within {
    const fn new() -> Self {
        Self {
            threads: Vec::new(),
            deadlines: Vec::new(),
            shown: Vec::new(),
        }
    }
}

/// A number for an object.
fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Takes back what an object said last: other `with` statements may end before it.
fn take_back<T>(said: &mut Vec<(u64, T)>, number: u64) {
    if let Some(at) = said.iter().rposition(|&(by, _)| by == number) {
        said.remove(at);
    }
}

/// Runs work of the library that is expected to take so many nanoseconds.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    nanoseconds: f64,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    if nanoseconds >= ON_POOL {
        let threads = threads();
        if nanoseconds >= ON_ONE || threads != 1 {
            return on_pool(py, threads, work);
        }
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

fn on_pool<R: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let pool = pool(threads)?;
    let meter = Arc::new(Meter::new());
    let interrupts = Interrupts::new(py, &meter);
    interrupts.wait(py, |step| pool.busy.raised_within(step))?;
    let _turn = Turn(&pool.busy);
    let (cancel, done) = (Cancel::new(), Flag::default());
    let mut ended = None;
    // It returns when nothing runs any more: work may write to arrays of Python.
    pool.threads.in_place_scope(|scope| {
        scope.spawn(|_| {
            ended = Some(caught(|| cancel.run(|| meter.watch(work))));
            done.raise();
        });
        let waited = interrupts.wait(py, |step| done.is_up_within(step));
        if waited.is_err() {
            cancel.cancel();
            py.detach(|| while !done.is_up_within(STEP) {});
        }
        interrupts.clear(py)?;
        waited
    })?;
    match ended {
        Some(Ok(Ok(result))) => Ok(result),
        Some(Ok(Err(cancelled))) => Err(PyRuntimeError::new_err(cancelled.to_string())),
        Some(Err(panic)) => Err(internal(panic)),
        None => Err(PyRuntimeError::new_err("the computation did not run")),
    }
}

/// What a thread looks for while it waits: signals and a deadline, which end its work early, and how far that is, which it shows.
struct Interrupts<'a> {
    deadline: Option<Instant>,
    since: Instant,
    shown: Option<Option<Py<PyAny>>>,
    /// Whether a line was written.
    has_line: Cell<bool>,
    meter: &'a Meter,
}

impl<'a> Interrupts<'a> {
    /// Those of this thread.
    fn new(py: Python<'_>, meter: &'a Meter) -> Self {
        WITHIN.with_borrow(|within| {
            let deadlines = within.deadlines.iter().map(|&(_, deadline)| deadline);
            Self {
                deadline: deadlines.min(),
                since: Instant::now(),
                shown: within.shown.last().map(|(_, shown)| {
                    let shown = shown.as_ref();
                    shown.map(|shown| shown.clone_ref(py))
                }),
                has_line: Cell::new(false),
                meter,
            }
        })
    }

    /// Shows how far the work is, if it is known and somebody wants to know it.
    fn show(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(shown) = &self.shown
            && self.since.elapsed() >= PATIENCE
            && let Some(reading) = self.meter.read()
        {
            let text = reading.to_string();
            match shown {
                Some(show) => drop(show.call1(py, (text,))?),
                None => {
                    self.has_line.set(true);
                    write(py, &line(&text))?;
                }
            }
        }
        Ok(())
    }

    /// Takes away the line that was written.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        match self.has_line.take() {
            true => write(py, &format!("{}\r", line(""))),
            false => Ok(()),
        }
    }

    /// Waits without the interpreter's lock until something is so, which is asked for some time at a time.
    fn wait(&self, py: Python<'_>, mut is_so: impl FnMut(Duration) -> bool + Send) -> PyResult<()> {
        loop {
            let left = self
                .deadline
                .map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let step = left.map_or(STEP, |left| left.min(STEP));
            if py.detach(|| is_so(step)) {
                return Ok(());
            }
            py.check_signals()?;
            self.show(py)?;
            if left.is_some_and(|left| left <= step) {
                return Err(PyTimeoutError::new_err(
                    "the time of `with sunzi.timeout(…)` is over",
                ));
            }
        }
    }
}

/// Something that is so or is not, and whoever waits for it.
#[derive(Default)]
struct Flag {
    up: Mutex<bool>,
    changed: Condvar,
}

impl Flag {
    fn raise(&self) {
        *self.lock() = true;
        self.changed.notify_all();
    }

    fn lower(&self) {
        *self.lock() = false;
        self.changed.notify_all();
    }

    /// Whether it is up within the time.
    fn is_up_within(&self, time: Duration) -> bool {
        let wait = self
            .changed
            .wait_timeout_while(self.lock(), time, |up| !*up);
        *wait.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Raises it as soon as nobody else has, within the time.
    fn raised_within(&self, time: Duration) -> bool {
        let wait = self.changed.wait_timeout_while(self.lock(), time, |up| *up);
        let mut up = wait.unwrap_or_else(PoisonError::into_inner).0;
        !std::mem::replace(&mut *up, true)
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.up.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of a thread on a pool.
struct Turn<'a>(&'a Flag);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lower();
    }
}

/// How many threads the work of this thread runs on; 0: as many as the processor has.
fn threads() -> usize {
    let within = WITHIN.with_borrow(|within| within.threads.last().map(|&(_, threads)| threads));
    within.unwrap_or_else(|| THREADS.load(Ordering::Relaxed))
}

/// The pool of so many threads.
fn pool(threads: usize) -> PyResult<Arc<Pool>> {
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
    let pool = Arc::new(Pool {
        threads: pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?,
        busy: Flag::default(),
    });
    if pools.pools.len() == KEPT_POOLS {
        // Those that work go on, and end with their last computation.
        pools.pools.clear();
    }
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

/// The package's version, the threads that long computations use, the processor's vector instructions that they use.
///
/// >>> sorted(info())
/// ['instructions', 'threads', 'version']
#[pyfunction]
pub(crate) fn info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("version", env!("CARGO_PKG_VERSION"))?;
    facts.set_item("threads", pool(threads())?.threads.current_num_threads())?;
    facts.set_item("instructions", InstructionSet::detect().to_string())?;
    Ok(facts)
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
pub(crate) struct Threads {
    number: u64,
    threads: usize,
}

#[pymethods]
impl Threads {
    #[new]
    #[pyo3(signature = (threads, /))]
    fn new(threads: usize) -> PyResult<Self> {
        Ok(Self {
            number: number(),
            threads: checked_threads(threads)?,
        })
    }

    fn __enter__(&self) {
        WITHIN.with_borrow_mut(|within| within.threads.push((self.number, self.threads)));
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        WITHIN.with_borrow_mut(|within| take_back(&mut within.threads, self.number));
    }
}

/// ``with timeout(seconds):`` computations of this thread that are not done by then raise TimeoutError.
#[pyclass(frozen, module = "sunzi", name = "timeout")]
pub(crate) struct Timeout {
    number: u64,
    time: Duration,
}

#[pymethods]
impl Timeout {
    #[new]
    #[pyo3(signature = (seconds, /))]
    fn new(seconds: f64) -> PyResult<Self> {
        /// A longer time is none.
        const LONGEST: f64 = 4e9;
        let time = Duration::try_from_secs_f64(if seconds > LONGEST { LONGEST } else { seconds });
        Ok(Self {
            number: number(),
            time: time.map_err(|_| wrong_value("a time is 0 or more seconds"))?,
        })
    }

    fn __enter__(&self) {
        WITHIN.with_borrow_mut(|within| {
            within
                .deadlines
                .push((self.number, Instant::now() + self.time))
        });
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        WITHIN.with_borrow_mut(|within| take_back(&mut within.deadlines, self.number));
    }
}

/// ``with progress(show):`` show is called with a text as "60 of 200 lifting steps" again and again while a computation of this thread
/// takes longer than a second and it is known how far it is. Without show the text is written to standard error.
#[pyclass(frozen, module = "sunzi", name = "progress")]
pub(crate) struct Progress {
    number: u64,
    show: Option<Py<PyAny>>,
}

#[pymethods]
impl Progress {
    #[new]
    #[pyo3(signature = (show=None, /))]
    fn new(show: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        if let Some(show) = &show
            && !show.is_callable()
        {
            return Err(wrong_type(format!(
                "progress is shown by a function of a text, not by '{}'",
                show.get_type().name()?
            )));
        }
        Ok(Self {
            number: number(),
            show: show.map(Bound::unbind),
        })
    }

    fn __enter__(&self, py: Python<'_>) {
        let show = self.show.as_ref().map(|show| show.clone_ref(py));
        WITHIN.with_borrow_mut(|within| within.shown.push((self.number, show)));
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        WITHIN.with_borrow_mut(|within| take_back(&mut within.shown, self.number));
    }
}

/// A line over the one before.
fn line(text: &str) -> String {
    /// What is left of a longer text before is covered.
    const COLUMNS: usize = 60;
    format!("\r{text:COLUMNS$}")
}

/// Writes to Python's standard error.
fn write(py: Python<'_>, text: &str) -> PyResult<()> {
    let stream = py.import("sys")?.getattr("stderr")?;
    stream.call_method1("write", (text,))?;
    stream.call_method0("flush")?;
    Ok(())
}
