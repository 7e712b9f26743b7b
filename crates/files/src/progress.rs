//! What is being done and how far it is, on standard error: only on a terminal, only for work longer than a second.
//!
//! Where the amount of work is known there is a bar, with the share that is done, the rate, and the time left at that rate;
//! elsewhere the time that has passed. Work is told of between its pieces, never inside of kernels.

use indicatif::{
    HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::borrow::Cow;
use std::fmt;
use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time before the rate of the first pieces is taken for that of all.
const WARMING_UP: Duration = Duration::from_millis(500);

/// The progress of a command; dropping it removes the bar.
pub struct Progress {
    shown: Option<Shown>,
}

struct Shown {
    bar: ProgressBar,
    /// Dropped to tell the thread that there is nothing more to wait for.
    done: Option<Sender<()>>,
    waiting: Option<JoinHandle<()>>,
}

impl Progress {
    /// Progress over `total` bytes of input, or over an unknown amount.
    pub fn new(total: Option<u64>) -> Self {
        Self::with_style(total, || known(Work::Bytes, "left"))
    }

    /// Progress of reading so many bytes of input, or an unknown amount.
    pub fn reading(total: Option<u64>) -> Self {
        let progress = Self::new(total);
        progress.say("reading");
        progress
    }

    /// Progress over `total` pieces of work that take about as long; `pieces` is what they are: `products`.
    pub fn over(total: u64, pieces: &'static str) -> Self {
        Self::with_style(Some(total), || known(Work::Pieces(pieces), "left"))
    }

    /// The same of work that may end before all pieces are done.
    pub fn over_at_most(total: u64, pieces: &'static str) -> Self {
        Self::with_style(Some(total), || known(Work::Pieces(pieces), "left for all"))
    }

    /// Progress of work whose end is unknown.
    pub fn without_total(stage: &'static str) -> Self {
        let progress = Self::with_style(None, unknown);
        progress.say(stage);
        progress
    }

    fn with_style(total: Option<u64>, style: impl FnOnce() -> ProgressStyle) -> Self {
        if !stderr().is_terminal() {
            return Self { shown: None };
        }
        let bar =
            ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden()).with_style(style());
        let (done, finished) = channel();
        let later = bar.clone();
        // One product can take minutes, so a thread, not the work, decides when to appear.
        let wait = move || {
            if finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(Duration::from_millis(200));
            }
        };
        // Where there is no thread to be had there is no bar.
        let waiting = std::thread::Builder::new().spawn(wait).ok();
        Self {
            shown: Some(Shown {
                bar,
                done: Some(done),
                waiting,
            }),
        }
    }

    /// Says how many bytes of input or pieces of work are done.
    pub fn at(&self, position: u64) {
        if let Some(shown) = &self.shown {
            shown.bar.set_position(position);
        }
    }

    /// Says that a piece of work starts, and what it is; all that started before are done.
    pub fn piece(&self, stage: &'static str) {
        if let Some(shown) = &self.shown {
            if !shown.bar.message().is_empty() {
                shown.bar.inc(1);
            }
            shown.bar.set_message(stage);
        }
    }

    /// Says what happens from now on, of which nothing more is known.
    pub fn goes_on(&self, stage: &'static str) {
        if let Some(shown) = &self.shown {
            shown.bar.set_style(unknown());
            shown.bar.set_message(stage);
        }
    }

    /// Says what happens now.
    pub fn say(&self, text: impl Into<Cow<'static, str>>) {
        if let Some(shown) = &self.shown {
            shown.bar.set_message(text);
        }
    }

    /// Writes a remark to standard error, past the bar.
    pub fn note(&self, text: &str) {
        match &self.shown {
            Some(shown) => shown.bar.suspend(|| note(text)),
            None => note(text),
        }
    }
}

/// Writes a remark to standard error.
pub fn note(text: &str) {
    // Without standard error there is nobody to tell.
    let _ = writeln!(stderr(), "sunzi: note: {text}");
}

/// A bar, and what is told of the work that it stands for.
fn known(work: Work, words: &'static str) -> ProgressStyle {
    let told = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let told = Told {
            work,
            done: state.pos(),
            total: state.len(),
            elapsed: state.elapsed(),
            words,
        };
        // A terminal that takes nothing has no use for an error.
        let _ = write!(out, "{told}");
    };
    style("{elapsed_precise} {msg} [{wide_bar}] {told}").with_key("told", told)
}

/// The time that has passed.
fn unknown() -> ProgressStyle {
    style("{elapsed_precise} {spinner} {msg}")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// What is counted.
#[derive(Clone, Copy)]
enum Work {
    Bytes,
    Pieces(&'static str),
}

/// How far work is: the share, the mean rate, and the time that the rest takes at that rate.
struct Told {
    work: Work,
    done: u64,
    total: Option<u64>,
    elapsed: Duration,
    /// What follows on the time: `left`.
    words: &'static str,
}

impl Told {
    fn amount(&self, amount: u64) -> String {
        match self.work {
            Work::Bytes => HumanBytes(amount).to_string(),
            Work::Pieces(_) => HumanCount(amount).to_string(),
        }
    }

    fn rate(&self) -> String {
        let per_second = self.done as f64 / self.elapsed.as_secs_f64();
        match self.work {
            Work::Bytes => format!("{}/s", HumanBytes(per_second as u64)),
            Work::Pieces(_) if per_second >= 100.0 => {
                format!("{}/s", HumanCount(per_second as u64))
            }
            Work::Pieces(_) if per_second >= 1.0 => format!("{per_second:.1}/s"),
            Work::Pieces(_) => format!("{:.1}/min", 60.0 * per_second),
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_rate = self.done > 0 && self.elapsed >= WARMING_UP;
        match self.total {
            None => formatter.write_str(&self.amount(self.done))?,
            Some(total) => {
                let share = self.done as f64 / total.max(1) as f64;
                let share = (100.0 * share.min(1.0)).floor();
                write!(formatter, "{share} % of {}", self.amount(total))?;
            }
        }
        if let Work::Pieces(pieces) = self.work {
            write!(formatter, " {pieces}")?;
        }
        if !has_rate {
            return Ok(());
        }
        write!(formatter, ", {}", self.rate())?;
        if let Some(total) = self.total {
            let rest = total.saturating_sub(self.done) as f64 / self.done as f64;
            let seconds = (self.elapsed.as_secs_f64() * rest).ceil() as u64;
            write!(formatter, ", {} {}", Lasting(seconds), self.words)?;
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
            if let Some(waiting) = shown.waiting.take() {
                // A panic of that thread concerns the bar only.
                let _ = waiting.join();
            }
            shown.bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(work: Work, done: u64, total: Option<u64>, seconds: u64) -> String {
        let told = Told {
            work,
            done,
            total,
            elapsed: Duration::from_secs(seconds),
            words: "left",
        };
        told.to_string()
    }

    #[test]
    fn share_rate_and_time_left_are_told() {
        let products = Work::Pieces("products");
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
        let bytes = |done, total| told(Work::Bytes, done, total, 2);
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
