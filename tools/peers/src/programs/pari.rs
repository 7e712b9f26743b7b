//! PARI/GP: the time of its computation by its own clock, its start apart.

use std::process::Command;

use super::{LIMIT, Program, Trouble, on_path, run_to_end};

/// A computation that PARI's program does.
pub struct Pari {
    definitions: String,
    expression: String,
    read: fn(&str) -> Option<Vec<u64>>,
}

impl Pari {
    /// The value of an expression, after definitions that are not timed; `read` turns what is printed of it into words.
    pub fn new(definitions: String, expression: &str, read: fn(&str) -> Option<Vec<u64>>) -> Self {
        Self {
            definitions,
            expression: expression.into(),
            read,
        }
    }
}

impl Program for Pari {
    const NAME: &'static str = "PARI";
    const INSTALL: &'static str = "apt-get install pari-gp, or pip install passagemath-pari";

    fn run(&mut self, times: usize) -> Result<(f64, Vec<u64>), Trouble> {
        let mut command = Command::new(on_path("gp")?);
        command.args(["-q", "-f", "-s", "2G"]);
        let Self {
            definitions,
            expression,
            ..
        } = self;
        // Its clock has steps of a millisecond; runs are many where they are quick.
        let script = format!(
            "{definitions}\nt = gettime(); for(i = 1, {times}, r = {expression}); print(gettime()); print(r); quit\n"
        );
        let done = run_to_end(&mut command, &script, LIMIT)?;
        let (milliseconds, result) = done
            .output
            .trim()
            .split_once('\n')
            .ok_or_else(|| Trouble::Failed("it printed no result".into()))?;
        let milliseconds: f64 = milliseconds
            .trim()
            .parse()
            .map_err(|_| Trouble::Failed(format!("it printed {milliseconds:?} for a time")))?;
        let words = (self.read)(result)
            .ok_or_else(|| Trouble::Failed("its result is not understood".into()))?;
        // Half a step, so that nothing takes no time.
        Ok(((milliseconds + 0.5) * 1e-3, words))
    }
}
