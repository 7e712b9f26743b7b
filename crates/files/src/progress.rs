//! A progress bar on standard error: only on a terminal, only for work longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

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
        Self::with_style(
            total,
            match total {
                Some(_) => "{elapsed_precise} [{wide_bar}] {bytes}/{total_bytes} {msg}, {eta} left",
                None => "{elapsed_precise} {spinner} {bytes} {msg}",
            },
        )
    }

    /// Progress over `total` pieces of work that take about as long.
    pub fn over_pieces(total: u64) -> Self {
        Self::with_style(
            Some(total),
            "{elapsed_precise} [{wide_bar}] {pos}/{len} {msg}, {eta} left",
        )
    }

    /// Progress of work whose end is unknown.
    pub fn without_total(stage: &'static str) -> Self {
        let progress = Self::with_style(None, "{elapsed_precise} {spinner} {msg}");
        if let Some(shown) = &progress.shown {
            shown.bar.set_message(stage);
        }
        progress
    }

    fn with_style(total: Option<u64>, template: &str) -> Self {
        if !stderr().is_terminal() {
            return Self { shown: None };
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
            .with_style(style(template));
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

    /// Says that one more piece of work starts, and what it is.
    pub fn piece(&self, stage: &'static str) {
        if let Some(shown) = &self.shown {
            shown.bar.inc(1);
            shown.bar.set_message(stage);
        }
    }

    /// Writes a remark to standard error, past the bar.
    pub fn note(&self, text: &str) {
        let write = || {
            // Without standard error there is nobody to tell.
            let _ = writeln!(stderr(), "sunzi: note: {text}");
        };
        match &self.shown {
            Some(shown) => shown.bar.suspend(write),
            None => write(),
        }
    }

    /// Says how many bytes of input are dealt with, and what happens now.
    pub fn at(&self, bytes: u64, stage: &'static str) {
        if let Some(shown) = &self.shown {
            shown.bar.set_position(bytes);
            shown.bar.set_message(stage);
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
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
