//! Plonky3's transforms of the columns of a matrix: `peers-plonky3 FIELD METHOD COLUMNS CLOCK`.
//!
//! The first line of standard input has the residues, column after column. Then each line is a command: `run N` transforms
//! N times, and is answered by the seconds that it took; `output` is answered by the values.

use std::io::{BufRead, Write};
use std::num::ParseIntError;
use std::time::Instant;

use cpu_time::ProcessTime;
use p3_baby_bear::BabyBear;
use p3_dft::{Radix2DFTSmallBatch, Radix2DitParallel, TwoAdicSubgroupDft};
use p3_field::{PrimeField64, TwoAdicField};
use p3_goldilocks::Goldilocks;
use p3_matrix::bitrev::{BitReversedMatrixView, BitReversibleMatrix};
use p3_matrix::dense::RowMajorMatrix;
use p3_monty_31::dft::RecursiveDft;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [field, method, columns, clock] = &arguments[..] else {
        return Err("usage: peers-plonky3 FIELD METHOD COLUMNS CLOCK".into());
    };
    let columns = columns.parse().map_err(|_| "COLUMNS is a number")?;
    let clock: fn() -> f64 = match &clock[..] {
        "processor" => || ProcessTime::now().as_duration().as_secs_f64(),
        "wall" => wall,
        _ => return Err(format!("{clock}: the clock is processor or wall")),
    };
    let mut line = String::new();
    read(&mut line)?;
    let words = line.split_ascii_whitespace().map(str::parse);
    let input: Vec<u64> = words
        .collect::<Result<_, _>>()
        .map_err(|error: ParseIntError| error.to_string())?;
    let length = input.len() / columns;
    match (&field[..], &method[..]) {
        ("BabyBear", "Radix2DitParallel") => serve(
            Radix2DitParallel::<BabyBear>::default(),
            &input,
            columns,
            clock,
        ),
        ("BabyBear", "Radix2DFTSmallBatch") => serve(
            Radix2DFTSmallBatch::<BabyBear>::new(length),
            &input,
            columns,
            clock,
        ),
        ("BabyBear", "RecursiveDft") => serve(
            RecursiveDft::<BabyBear>::new(length),
            &input,
            columns,
            clock,
        ),
        ("Goldilocks", "Radix2DitParallel") => serve(
            Radix2DitParallel::<Goldilocks>::default(),
            &input,
            columns,
            clock,
        ),
        ("Goldilocks", "Radix2DFTSmallBatch") => serve(
            Radix2DFTSmallBatch::<Goldilocks>::new(length),
            &input,
            columns,
            clock,
        ),
        _ => Err(format!("there is no {method} over {field}")),
    }
}

/// Seconds since the first call.
fn wall() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Reads the next line; nothing at the end of the input.
fn read(line: &mut String) -> Result<usize, String> {
    line.clear();
    std::io::stdin()
        .lock()
        .read_line(line)
        .map_err(|error| error.to_string())
}

/// What a transform gives back, as the plain matrix inside it: no work is done, so that the time holds nothing but the
/// transform. Rows may be in bit-reversed order.
trait GiveBack<F> {
    fn give_back(self) -> RowMajorMatrix<F>;
}

impl<F> GiveBack<F> for RowMajorMatrix<F> {
    fn give_back(self) -> RowMajorMatrix<F> {
        self
    }
}

impl<F: Clone + Send + Sync> GiveBack<F> for BitReversedMatrixView<RowMajorMatrix<F>> {
    fn give_back(self) -> RowMajorMatrix<F> {
        self.bit_reverse_rows()
    }
}

/// Transforms as often as the lines say. A transform takes the matrix and gives one back, so that the same buffer goes
/// round.
fn serve<F, D>(dft: D, input: &[u64], columns: usize, clock: fn() -> f64) -> Result<(), String>
where
    F: PrimeField64 + TwoAdicField,
    D: TwoAdicSubgroupDft<F>,
    D::Evaluations: GiveBack<F>,
{
    let length = input.len() / columns;
    let values = (0..input.len())
        .map(|index| F::from_u64(input[(index % columns) * length + index / columns]))
        .collect();
    let mut matrix = RowMajorMatrix::new(values, columns);
    let (mut line, mut out) = (String::new(), std::io::stdout().lock());
    while read(&mut line)? > 0 {
        let answer = match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["run", times] => {
                let times: usize = times.parse().map_err(|_| "run N: N is a number")?;
                let start = clock();
                for _ in 0..times {
                    matrix = std::hint::black_box(dft.dft_batch(matrix).give_back());
                }
                (clock() - start).to_string()
            }
            ["output"] => {
                let words = matrix.values.iter();
                let words = words.map(|value| value.as_canonical_u64().to_string());
                words.collect::<Vec<_>>().join(" ")
            }
            _ => return Err(format!("{line:?} is no command")),
        };
        writeln!(out, "{answer}")
            .and_then(|()| out.flush())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}
