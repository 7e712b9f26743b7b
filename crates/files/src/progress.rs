//! What is being done and how far it is, on standard error: only on a terminal, only for work longer than a second.
//!
//! Where the amount of work is known there is a bar, with the share that is done, the rate, and the time left at that rate;
//! elsewhere the time that has passed. The amount is known of input in bytes, of loops of the program, and of what the library
//! counts by itself ([`Progress::watch`]). Of that, one amount may follow another, so that the bar says which step it is: the time
//! left is that step's. Work is told of between its pieces, never inside of kernels.

use crate::output::removal;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::borrow::Cow;
use std::fmt;
use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use sunzi_machine::threads::Meter;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time before the rate of the first pieces is taken for that of all.
const WARMING_UP: Duration = Duration::from_millis(500);

/// Time from one look at the work to the next.
const STEP: Duration = Duration::from_millis(200);

/// The progress of a command; dropping it removes the bar.
pub struct Progress {
    shown: Option<Shown>,
}

struct Shown {
    bar: ProgressBar,
    counts: Arc<Counts>,
    /// Dropped to tell the thread that there is nothing more to wait for.
    done: Option<Sender<()>>,
    looking: Option<JoinHandle<()>>,
}

impl Progress {
    /// Progress over `total` bytes of input, or over an unknown amount.
    pub fn new(total: Option<u64>) -> Self {
        Self::over_amount(Some(Amount {
            unit: Unit::Bytes,
            total,
            may_end_early: false,
        }))
    }

    /// Progress of reading so many bytes of input, or an unknown amount.
    pub fn reading(total: Option<u64>) -> Self {
        let progress = Self::new(total);
        progress.say("reading");
        progress
    }

    /// Progress over `total` pieces of work that take about as long; `pieces` is what they are: `products`.
    pub fn over(total: u64, pieces: &'static str) -> Self {
        Self::over_amount(Some(Amount {
            unit: Unit::Pieces(pieces),
            total: Some(total),
            may_end_early: false,
        }))
    }

    /// The same of work that may end before all pieces are done.
    pub fn over_at_most(total: u64, pieces: &'static str) -> Self {
        Self::over_amount(Some(Amount {
            unit: Unit::Pieces(pieces),
            total: Some(total),
            may_end_early: true,
        }))
    }

    /// Progress of a stage of unknown length, unless what runs in [`Progress::watch`] tells it.
    pub fn of(stage: &'static str) -> Self {
        let progress = Self::over_amount(None);
        progress.say(stage);
        progress
    }

    fn over_amount(amount: Option<Amount>) -> Self {
        if !stderr().is_terminal() {
            return Self { shown: None };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let counts = Arc::new(Counts {
            amount,
            done: AtomicU64::new(0),
            goes_on: AtomicBool::new(false),
            meter: Arc::new(Meter::new()),
        });
        let (done, finished) = channel();
        let mut display = Display {
            bar: bar.clone(),
            counts: Arc::clone(&counts),
            start: Instant::now(),
            stage: None,
            steps: 0,
        };
        // One product can take minutes, so a thread, not the work, looks how far it is.
        let look = move || {
            let mut is_seen = false;
            while finished.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
                if !is_seen && display.start.elapsed() >= PATIENCE {
                    is_seen = true;
                    removal::bar(true);
                    display.bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                display.look();
            }
        };
        // Where there is no thread to be had there is no bar.
        let looking = std::thread::Builder::new().spawn(look).ok();
        Self {
            shown: Some(Shown {
                bar,
                counts,
                done: Some(done),
                looking,
            }),
        }
    }

    /// Says how many bytes of input or pieces of work are done.
    pub fn at(&self, position: u64) {
        if let Some(shown) = &self.shown {
            shown.counts.done.store(position, Ordering::Relaxed);
        }
    }

    /// Says that a piece of work starts, and what it is; all that started before are done.
    pub fn piece(&self, stage: &'static str) {
        if let Some(shown) = &self.shown {
            if !shown.bar.message().is_empty() {
                shown.counts.done.fetch_add(1, Ordering::Relaxed);
            }
            shown.bar.set_message(stage);
        }
    }

    /// Runs some work on this thread, and shows how far it is where the library knows it.
    pub fn watch<R>(&self, work: impl FnOnce() -> R) -> R {
        match &self.shown {
            Some(shown) => shown.counts.meter.watch(work),
            None => work(),
        }
    }

    /// Says what happens from now on, which is no longer a part of the amount.
    pub fn goes_on(&self, stage: &'static str) {
        if let Some(shown) = &self.shown {
            shown.counts.goes_on.store(true, Ordering::Relaxed);
            shown.bar.set_message(stage);
        }
    }

    /// Says what happens now.
    pub fn say(&self, text: impl Into<Cow<'static, str>>) {
        if let Some(shown) = &self.shown {
            shown.bar.set_message(text);
        }
    }

    /// Writes a warning to standard error, past the bar.
    pub fn warn(&self, text: &str) {
        match &self.shown {
            Some(shown) => shown.bar.suspend(|| warn(text)),
            None => warn(text),
        }
    }
}

/// Writes a warning to standard error.
pub fn warn(text: &str) {
    // Without standard error there is nobody to tell.
    let _ = writeln!(stderr(), "sunzi: note: {text}");
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Bytes,
    Pieces(&'static str),
}

/// How much work there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Amount {
    unit: Unit,
    total: Option<u64>,
    may_end_early: bool,
}

/// Where work tells how far it is.
struct Counts {
    amount: Option<Amount>,
    done: AtomicU64,
    /// Whether the amount is no longer what is worked on.
    goes_on: AtomicBool,
    /// What the library counts.
    meter: Arc<Meter>,
}

/// How much there is, and how much of it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Unknown,
    /// Of all that the program does.
    Whole(Amount, u64),
    /// Of what the library does now.
    Stage(Amount, u64),
}

impl Counts {
    fn read(&self) -> Count {
        if let Some(reading) = self.meter.read() {
            let amount = Amount {
                unit: Unit::Pieces(reading.pieces),
                total: Some(reading.total),
                may_end_early: reading.may_end_early,
            };
            return Count::Stage(amount, reading.done);
        }
        match self.amount {
            Some(amount) if !self.goes_on.load(Ordering::Relaxed) => {
                Count::Whole(amount, self.done.load(Ordering::Relaxed))
            }
            _ => Count::Unknown,
        }
    }
}

/// The bar.
struct Display {
    bar: ProgressBar,
    counts: Arc<Counts>,
    start: Instant,
    stage: Option<Stage>,
    /// How many amounts of the library began.
    steps: u32,
}

/// What is worked on, since when, and how much of it was done then and at the last look.
#[derive(Clone, Copy)]
struct Stage {
    amount: Amount,
    /// Which of the library's amounts it is, from 1; none of them where it is the program's own.
    step: Option<u32>,
    since: Instant,
    first: u64,
    last: u64,
}

impl Stage {
    /// The same stage where so much of the same is done, or else one that begins now, after so many `steps`.
    fn next(before: Option<Self>, amount: Amount, done: u64, steps: &mut u32) -> Self {
        let same = before.filter(|stage| stage.amount == amount && stage.last <= done);
        let begin = || {
            *steps += 1;
            Self {
                amount,
                step: Some(*steps),
                since: Instant::now(),
                first: done,
                last: done,
            }
        };
        Self {
            last: done,
            ..same.unwrap_or_else(begin)
        }
    }

    /// The amount of a program, which began with it.
    fn whole(amount: Amount, done: u64, start: Instant) -> Self {
        Self {
            amount,
            step: None,
            since: start,
            first: 0,
            last: done,
        }
    }

    fn told(&self) -> Told {
        Told {
            amount: self.amount,
            step: self.step,
            done: self.last,
            new: self.last - self.first,
            elapsed: self.since.elapsed(),
        }
    }
}

impl Display {
    /// Shows how far the work is now.
    fn look(&mut self) {
        self.stage = match self.counts.read() {
            Count::Unknown => None,
            Count::Whole(amount, done) => Some(Stage::whole(amount, done, self.start)),
            Count::Stage(amount, done) => {
                Some(Stage::next(self.stage, amount, done, &mut self.steps))
            }
        };
        let template = match self.stage.map(|stage| stage.amount.total) {
            None => "{elapsed_precise} {spinner} {msg}",
            Some(None) => "{elapsed_precise} {spinner} {msg} {prefix}",
            Some(Some(_)) => "{elapsed_precise} {msg} [{wide_bar}] {prefix}",
        };
        self.bar.set_style(style(template));
        if let Some(stage) = self.stage {
            if let Some(total) = stage.amount.total {
                self.bar.update(|state| {
                    state.set_len(total);
                    state.set_pos(stage.last);
                });
            }
            self.bar.set_prefix(stage.told().to_string());
        }
        self.bar.tick();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// How far work is: the share, the mean rate, and the time that the rest takes at that rate.
struct Told {
    amount: Amount,
    step: Option<u32>,
    done: u64,
    /// What was done in the time that has elapsed.
    new: u64,
    elapsed: Duration,
}

impl Told {
    fn count(&self, count: u64) -> String {
        match self.amount.unit {
            Unit::Bytes => HumanBytes(count).to_string(),
            Unit::Pieces(_) => HumanCount(count).to_string(),
        }
    }

    fn rate(&self) -> String {
        let per_second = self.new as f64 / self.elapsed.as_secs_f64();
        match self.amount.unit {
            Unit::Bytes => format!("{}/s", HumanBytes(per_second as u64)),
            Unit::Pieces(_) if per_second >= 100.0 => {
                format!("{}/s", HumanCount(per_second as u64))
            }
            Unit::Pieces(_) if per_second >= 1.0 => format!("{per_second:.1}/s"),
            Unit::Pieces(_) => format!("{:.1}/min", 60.0 * per_second),
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = self.step {
            write!(formatter, "step {step}: ")?;
        }
        match self.amount.total {
            None => formatter.write_str(&self.count(self.done))?,
            Some(total) => {
                let share = self.done as f64 / total.max(1) as f64;
                let share = (100.0 * share.min(1.0)).floor();
                write!(formatter, "{share} % of {}", self.count(total))?;
            }
        }
        if let Unit::Pieces(pieces) = self.amount.unit {
            write!(formatter, " {pieces}")?;
        }
        if self.new == 0 || self.elapsed < WARMING_UP {
            return Ok(());
        }
        write!(formatter, ", {}", self.rate())?;
        if let Some(total) = self.amount.total {
            let rest = total.saturating_sub(self.done) as f64 / self.new as f64;
            let seconds = (self.elapsed.as_secs_f64() * rest).ceil() as u64;
            let most = if self.amount.may_end_early {
                "at most "
            } else {
                ""
            };
            write!(formatter, ", {most}{} left", Lasting(seconds))?;
        }
        Ok(())
    }
}

/// A time in seconds.
struct Lasting(u64);

impl fmt::Display for Lasting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0;
        let (minutes, hours) = (seconds / 60, seconds / 3600);
        match (hours, minutes) {
            (0, 0) => write!(formatter, "{seconds} s"),
            (0, _) => write!(formatter, "{minutes} min {} s", seconds % 60),
            (..100, _) => write!(formatter, "{hours} h {} min", minutes % 60),
            _ => write!(formatter, "more than {} days", hours / 24),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(shown) = &mut self.shown {
            drop(shown.done.take());
            if let Some(looking) = shown.looking.take() {
                // A panic of that thread concerns the bar only.
                let _ = looking.join();
            }
            shown.bar.finish_and_clear();
            removal::bar(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(unit: Unit, done: u64, total: Option<u64>, seconds: u64) -> String {
        let amount = Amount {
            unit,
            total,
            may_end_early: false,
        };
        let told = Told {
            amount,
            step: None,
            done,
            new: done,
            elapsed: Duration::from_secs(seconds),
        };
        told.to_string()
    }

    #[test]
    fn rates_are_those_since_work_was_first_seen() {
        let told = Told {
            amount: Amount {
                unit: Unit::Pieces("primes"),
                total: Some(100),
                may_end_early: true,
            },
            step: Some(2),
            done: 60,
            new: 20,
            elapsed: Duration::from_secs(2),
        };
        assert_eq!(
            told.to_string(),
            "step 2: 60 % of 100 primes, 10.0/s, at most 4 s left"
        );
    }

    #[test]
    fn what_the_library_counts_comes_before_the_whole() {
        let bytes = Amount {
            unit: Unit::Bytes,
            total: None,
            may_end_early: false,
        };
        let primes = Amount {
            unit: Unit::Pieces("primes"),
            total: Some(3),
            may_end_early: false,
        };
        let counts = Counts {
            amount: Some(bytes),
            done: AtomicU64::new(7),
            goes_on: AtomicBool::new(false),
            meter: Arc::new(Meter::new()),
        };
        assert_eq!(counts.read(), Count::Whole(bytes, 7));
        counts.meter.watch(|| {
            let work = sunzi_machine::threads::Work::new(3, "primes");
            work.done(1);
            assert_eq!(counts.read(), Count::Stage(primes, 1));
        });
        assert_eq!(counts.read(), Count::Whole(bytes, 7));
        counts.goes_on.store(true, Ordering::Relaxed);
        assert_eq!(counts.read(), Count::Unknown);
    }

    #[test]
    fn a_stage_counts_from_where_it_was_first_seen() {
        let pieces = |total| Amount {
            unit: Unit::Pieces("primes"),
            total: Some(total),
            may_end_early: false,
        };
        let mut steps = 0;
        let mut next = |before, amount, done| Stage::next(before, amount, done, &mut steps);
        let first = next(None, pieces(100), 40);
        let second = next(Some(first), pieces(100), 60);
        assert_eq!((first.step, second.step), (Some(1), Some(1)));
        assert_eq!((second.first, second.last), (40, 60));
        assert_eq!(second.since, first.since);
        assert_eq!(second.told().new, 20);
        // Fewer than before, or others, are another stage; so is what follows on the whole.
        let start = Instant::now();
        let whole = Stage::whole(pieces(7), 50, start);
        for (step, before) in [(2, Some(second)), (3, Some(whole)), (4, None)] {
            let other = next(before, pieces(100), 50);
            assert_eq!((other.first, other.told().new), (50, 0));
            assert_eq!((other.step, whole.step), (Some(step), None));
        }
        assert_eq!(Stage::whole(pieces(7), 5, start).told().new, 5);
    }

    #[test]
    fn share_rate_and_time_left_are_told() {
        let products = Unit::Pieces("products");
        for (done, total, seconds, text) in [
            (0, 8, 3, "0 % of 8 products"),
            (2, 8, 0, "25 % of 8 products"),
            (2, 8, 4, "25 % of 8 products, 30.0/min, 12 s left"),
            (7, 8, 2, "87 % of 8 products, 3.5/s, 1 s left"),
            (8, 8, 2, "100 % of 8 products, 4.0/s, 0 s left"),
            (
                999,
                1_000_000,
                1,
                "0 % of 1,000,000 products, 999/s, 16 min 41 s left",
            ),
        ] {
            assert_eq!(told(products, done, Some(total), seconds), text);
        }
        let bytes = |done, total| told(Unit::Bytes, done, total, 2);
        assert_eq!(
            bytes(1 << 20, Some(1 << 30)),
            "0 % of 1.00 GiB, 512.00 KiB/s, 34 min 6 s left"
        );
        assert_eq!(bytes(1 << 20, None), "1.00 MiB, 512.00 KiB/s");
        assert_eq!(bytes(0, Some(0)), "0 % of 0 B");
    }

    #[test]
    fn times_are_told_in_units_that_fit() {
        for (seconds, text) in [
            (59, "59 s"),
            (60, "1 min 0 s"),
            (3599, "59 min 59 s"),
            (3660, "1 h 1 min"),
            (359_999, "99 h 59 min"),
            (360_000, "more than 4 days"),
        ] {
            assert_eq!(Lasting(seconds).to_string(), text);
        }
    }
}
