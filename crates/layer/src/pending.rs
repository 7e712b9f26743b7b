//! Launches whose times are waited for, in both interfaces: a queue with a bound.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use crate::record::{Line, Process, Record};

/// After so many launches those that are done are gathered, though nobody has waited for them.
const TOGETHER: usize = 1024;
/// What nobody waits for must not fill the memory.
const MOST: usize = 16 * TOGETHER;

/// What tells when a launch is done, and is to be released once.
pub trait Event {
    /// What asks the driver.
    type Driver;
    /// Whether the launch is still to be done.
    fn is_to_come(&self, driver: &Self::Driver) -> bool;
    /// How long the launch took, if the driver tells.
    fn milliseconds(&self, driver: &Self::Driver) -> Option<f64>;
    fn release(self, driver: &Self::Driver);
}

/// Launches in the order in which they were made.
#[derive(Debug)]
pub struct Pending<E> {
    state: Mutex<State<E>>,
}

#[derive(Debug)]
struct State<E> {
    process: Process,
    launches: VecDeque<(Line, E)>,
    /// Launches since those that are done were last gathered.
    added: usize,
}

impl<E> Default for Pending<E> {
    fn default() -> Self {
        Pending {
            state: Mutex::new(State {
                process: Process::default(),
                launches: VecDeque::new(),
                added: 0,
            }),
        }
    }
}

impl<E: Event> Pending<E> {
    /// A child of the process has no part in the launches before it, and its driver none in their events.
    fn state(&self) -> Option<MutexGuard<'_, State<E>>> {
        let mut state = self.state.lock().ok()?;
        if state.process.has_changed() {
            state.launches.clear();
        }
        Some(state)
    }

    /// Takes a launch.
    pub fn add(&self, driver: &E::Driver, record: &Record, line: Line, event: E) -> Option<()> {
        let mut state = self.state()?;
        state.launches.push_back((line, event));
        state.added += 1;
        if state.added >= TOGETHER {
            state.gather(driver, record);
        }
        Some(())
    }

    /// Records those that are done, in their order.
    pub fn gather(&self, driver: &E::Driver, record: &Record) {
        if let Some(mut state) = self.state() {
            state.gather(driver, record);
        }
    }

    /// Records all others without their times, and asks no driver.
    pub fn give_up(&self, record: &Record) {
        if let Some(mut state) = self.state() {
            let lost = state.launches.drain(..);
            lost.for_each(|(line, _)| record.write(&line, None));
        }
    }
}

impl<E: Event> State<E> {
    /// From the front to the first that is not done: behind it the driver is not asked.
    fn gather(&mut self, driver: &E::Driver, record: &Record) {
        self.added = 0;
        let done = self.launches.iter();
        let done = done
            .take_while(|(_, event)| !event.is_to_come(driver))
            .count();
        for (line, event) in self.launches.drain(..done) {
            record.write(&line, event.milliseconds(driver));
            event.release(driver);
        }
        let many = self.launches.len().saturating_sub(MOST);
        for (line, event) in self.launches.drain(..many) {
            record.write(&line, None);
            event.release(driver);
        }
    }
}
