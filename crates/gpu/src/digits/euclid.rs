//! Division, greatest common divisors, cofactors and resultants modulo r^k + 1.

use super::Elements;
use crate::big_prime::context::Radix;
use crate::work::column;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Stream, Work, kernel};
use sunzi_field::{AnyField, WordRowsMut};

kernel! {
    /// A step of division for each pair: rows of a, b and the quotient.
    unsafe struct Divide<'a> for "element_divide" in launch {
        rows: &'a mut Buffer<u64> [(launch.rows() * 3 * stride) << log_k],
        inverses: &'a Buffer<u64> [launch.rows() << log_k],
        lengths: &'a Buffer<u32> [2 * launch.rows()],
        stride: u32,
        step: u32,
        radix: Radix,
        log_k: u32,
    }
    work(k, launch) {
        work(launch, k.log_k)
    }
}

kernel! {
    /// A step of Euclid's algorithm for each pair.
    unsafe struct Euclid<'a> for "element_euclid" in launch {
        rows: &'a mut Buffer<u64> [(launch.rows() * count * stride) << log_k],
        states: &'a Buffer<u32> [STATE as u128 * launch.rows()],
        stride: u32,
        count: u32,
        radix: Radix,
        log_k: u32,
    }
    work(k, launch) {
        work(launch, k.log_k)
    }
}

kernel! {
    /// What comes after a step, a thread a pair.
    unsafe struct Round<'a> for "element_round" {
        rows: &'a mut Buffer<u64> [(pairs * count * stride) << log_k],
        states: &'a mut Buffer<u32> [STATE as u128 * pairs],
        trail: &'a mut Buffer<u32> [4 * pairs * stride],
        leading: &'a mut Buffer<u64> [(pairs * stride) << log_k],
        pairs: u32,
        stride: u32,
        count: u32,
        log_k: u32,
    }
    work(k, _launch) {
        Work {
            bytes: u64::from(k.pairs) * (8 << k.log_k),
            ..Work::default()
        }
    }
}

/// Words that are known of a pair between steps.
const STATE: usize = 6;

/// Two products for each element of all groups.
fn work(launch: &Launch, log_k: u32) -> Work {
    let digits = (launch.groups.iter().product::<usize>() * launch.threads[0]) as u64;
    Work {
        bytes: 3 * 8 * digits,
        multiplications: 2 * digits * column(1 << log_k),
        barriers: 6,
    }
}

/// Rows of a pair with its cofactors.
const COFACTORS: usize = 6;

/// The rows of the coefficients of two polynomials, from the constant term upward; the last of each is not 0.
type Pair<'a> = [&'a [u64]; 2];

/// Division and Euclid's algorithm for pairs of polynomials modulo r^k + 1.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::gpu::{Device, Selection};
/// use sunzi_gpu::digits::ElementEuclid;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let field: AnyField = "P4".parse()?;
/// let rows = |words: &[u64]| {
///     let mut rows = Vec::new();
///     words.iter().for_each(|&word| field.push_u64(word, &mut rows));
///     rows
/// };
/// let (a, b) = (rows(&[2, 3, 1]), rows(&[2, 2])); // (x + 1)(x + 2) and 2(x + 1)
/// let context = ElementEuclid::new(&device, &field)?;
/// assert_eq!(context.gcd_all(&device.stream()?, &[[&a, &b]])?, [rows(&[1, 1])]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ElementEuclid {
    elements: Elements,
    divide: Kernel,
    euclid: Kernel,
    round: Kernel,
}

/// What was found of a pair.
struct Found {
    /// The rows a and b, and their cofactors if there are.
    rows: Vec<u64>,
    /// Which of a and b is the divisor, its length, and how many rounds there were.
    upper: usize,
    length: usize,
    rounds: usize,
    trail: Vec<u32>,
    leading: Vec<u64>,
    /// Coefficients of a row.
    stride: usize,
}

impl ElementEuclid {
    /// Over this field.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a field that devices do not [know](crate::big_prime::BigPrimeContext::knows);
    /// [`GpuError::Limits`] where groups of the device have too few threads; errors of the device.
    pub fn new(device: &Device, field: &AnyField) -> Result<Self, GpuError> {
        let elements = Elements::new(device, field)?;
        let text = (
            "Euclid's algorithm modulo r^k + 1",
            include_str!("euclid.cl"),
        );
        let names = ["element_divide", "element_euclid", "element_round"];
        let [divide, euclid, round] = elements.kernels(device, text, names)?;
        Ok(Self {
            elements,
            divide,
            euclid,
            round,
        })
    }

    fn len(&self, rows: &[u64]) -> usize {
        rows.len() >> self.elements.log_k
    }

    /// The coefficients of the longest operand, at least one.
    fn stride(&self, pairs: &[Pair<'_>]) -> usize {
        let lengths = pairs.iter().flatten().map(|rows| self.len(rows));
        lengths.max().unwrap_or(0).max(1)
    }

    /// Pieces of as many pairs as fit, with `count` rows each and two beside them.
    fn piece(&self, device: &Device, stride: usize, count: usize) -> Result<usize, GpuError> {
        let row = (8 * stride as u64) << self.elements.log_k;
        let pair = row.saturating_mul(count as u64 + 2);
        // Other work leaves room, too.
        let fit = device.memory_free().min(device.info().largest_buffer) / 2 / pair;
        match fit {
            0 => Err(device.out_of_memory(2 * pair)),
            fit => Ok(usize::try_from(fit).unwrap_or(usize::MAX).min(1 << 15)),
        }
    }

    /// Rows of pairs, `count` for each, the first two of which are the operands, and their lengths.
    fn upload(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_>],
        stride: usize,
        count: usize,
    ) -> Result<(Buffer<u64>, Buffer<u32>), GpuError> {
        let k = self.elements.digits();
        let mut words = vec![0; pairs.len() * count * stride * k];
        let mut lengths = Vec::with_capacity(2 * pairs.len());
        for (to, pair) in words.chunks_mut(count * stride * k).zip(pairs) {
            for (to, rows) in to.chunks_mut(stride * k).zip(pair) {
                to[..rows.len()].copy_from_slice(rows);
                lengths.push(self.len(rows) as u32);
            }
            // The cofactors of a are 1 and 0, those of b 0 and 1.
            if count == COFACTORS {
                to[2 * stride * k] = 1;
                to[5 * stride * k] = 1;
            }
        }
        let device = stream.device();
        Ok((
            device.filled(stream, &words)?,
            device.filled(stream, &lengths)?,
        ))
    }

    /// Quotients and remainders, as rows without zeros at their ends; no divisor is 0. Waits.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] where a pair does not fit; errors of the device.
    pub fn divide_all(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<[Vec<u64>; 2]>, GpuError> {
        let (stride, k) = (self.stride(pairs), self.elements.digits());
        let mut found = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(self.piece(stream.device(), stride, 3)?) {
            let (mut rows, lengths) = self.upload(stream, pairs, stride, 3)?;
            let mut inverses = Vec::with_capacity(pairs.len() * k);
            for [_, divisor] in pairs {
                let leading = divisor.len().checked_sub(k).map(|last| &divisor[last..]);
                let inverse = leading.and_then(|leading| self.elements.field.inverse_row(leading));
                let zero = || GpuError::Shape("polynomials are not divided by 0".to_owned());
                inverses.extend(inverse.ok_or_else(zero)?);
            }
            let inverses = stream.device().filled(stream, &inverses)?;
            let terms = |[a, b]: &Pair<'_>| (self.len(a) + 1).saturating_sub(self.len(b));
            let steps = pairs.iter().map(terms).max().unwrap_or(0);
            let longest = pairs.iter().map(|[_, b]| self.len(b)).max().unwrap_or(0);
            for step in 0..steps {
                let parameters = Divide {
                    rows: &mut rows,
                    inverses: &inverses,
                    lengths: &lengths,
                    stride: stride as u32,
                    step: step as u32,
                    radix: self.elements.radix,
                    log_k: self.elements.log_k,
                };
                stream.launch(&self.divide, self.launch(longest, pairs.len())?, parameters)?;
            }
            let mut words = vec![0; 3 * pairs.len() * stride * k];
            stream.read(&rows, &mut words)?;
            for (rows, [a, b]) in words.chunks(3 * stride * k).zip(pairs) {
                let (n, m) = (a.len(), b.len());
                let quotient = &rows[2 * stride * k..][..(n + k).saturating_sub(m)];
                found.push([quotient, &rows[..n.min(m - k)]].map(|part| self.trimmed(part)));
            }
        }
        Ok(found)
    }

    /// A row of groups for each pair, with a thread for each digit of so many elements.
    fn launch(&self, elements: usize, pairs: usize) -> Result<Launch, GpuError> {
        let Elements { threads, log_k, .. } = self.elements;
        let groups = elements.max(1).div_ceil(threads >> log_k) as u64;
        Launch::rows(groups, pairs, threads, 0)
    }

    /// What is known of a pair before the first step.
    fn state(&self, [a, b]: &Pair<'_>) -> [u32; STATE] {
        let (n, m) = (self.len(a) as u32, self.len(b) as u32);
        [n.max(m), n.min(m), u32::from(n < m), n.max(m), 0, 0]
    }

    /// The remainders of pairs, with `count` rows for each.
    fn reduce(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_>],
        count: usize,
    ) -> Result<Vec<Found>, GpuError> {
        let (stride, k) = (self.stride(pairs), self.elements.digits());
        let device = stream.device();
        let mut found = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(self.piece(device, stride, count)?) {
            let (mut rows, _) = self.upload(stream, pairs, stride, count)?;
            let mut known: Vec<u32> = pairs.iter().flat_map(|pair| self.state(pair)).collect();
            let mut states = device.filled(stream, &known)?;
            let mut trail = device.buffer::<u32>(4 * pairs.len() * stride)?;
            let mut leading = device.buffer::<u64>(pairs.len() * stride * k)?;
            let (each, threads) = (count / 2 * stride, self.elements.threads);
            // Each step shortens one of both.
            let steps = pairs.iter().map(|[a, b]| self.len(a) + self.len(b)).max();
            for _ in 0..steps.unwrap_or(0) {
                let parameters = Euclid {
                    rows: &mut rows,
                    states: &states,
                    stride: stride as u32,
                    count: count as u32,
                    radix: self.elements.radix,
                    log_k: self.elements.log_k,
                };
                stream.launch(&self.euclid, self.launch(each, pairs.len())?, parameters)?;
                let parameters = Round {
                    rows: &mut rows,
                    states: &mut states,
                    trail: &mut trail,
                    leading: &mut leading,
                    pairs: pairs.len() as u32,
                    stride: stride as u32,
                    count: count as u32,
                    log_k: self.elements.log_k,
                };
                let groups = pairs.len().div_ceil(threads) as u64;
                stream.launch(&self.round, Launch::new(groups, threads, 0)?, parameters)?;
            }
            stream.read(&states, &mut known)?;
            let (mut words, mut steps, mut scales) = (
                vec![0; count * pairs.len() * stride * k],
                vec![0; 4 * pairs.len() * stride],
                vec![0; pairs.len() * stride * k],
            );
            stream.read(&rows, &mut words)?;
            stream.read(&trail, &mut steps)?;
            stream.read(&leading, &mut scales)?;
            let each = words
                .chunks(count * stride * k)
                .zip(known.chunks(STATE))
                .zip(steps.chunks(4 * stride).zip(scales.chunks(stride * k)));
            found.extend(each.map(|((rows, state), (trail, leading))| Found {
                rows: rows.to_vec(),
                upper: state[2] as usize,
                length: state[0] as usize,
                rounds: state[5] as usize,
                trail: trail.to_vec(),
                leading: leading.to_vec(),
                stride,
            }));
        }
        Ok(found)
    }

    /// Monic greatest common divisors, of two zeros none. Waits.
    ///
    /// # Errors
    /// As [`divide_all`](Self::divide_all).
    pub fn gcd_all(&self, stream: &Stream, pairs: &[Pair<'_>]) -> Result<Vec<Vec<u64>>, GpuError> {
        let found = self.reduce(stream, pairs, 2)?;
        let monic = |found: &Found| {
            let (divisor, scale) = self.divisor(found);
            self.scaled(divisor, scale.as_deref())
        };
        found.iter().map(monic).collect()
    }

    /// Monic greatest common divisors, and cofactors s and t with gcd = s·a + t·b. Waits.
    ///
    /// # Errors
    /// As [`divide_all`](Self::divide_all).
    pub fn xgcd_all(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<[Vec<u64>; 3]>, GpuError> {
        let found = self.reduce(stream, pairs, COFACTORS)?;
        let parts = |found: &Found| {
            let (divisor, scale) = self.divisor(found);
            let Some(scale) = scale else {
                // Of two zeros it is the first one.
                let mut one = Vec::new();
                self.elements.field.push_u64(1, &mut one);
                return Ok([Vec::new(), one, Vec::new()]);
            };
            let row = |number: usize| {
                let words = found.stride * self.elements.digits();
                found.rows[number * words..][..words].to_vec()
            };
            Ok([
                self.scaled(divisor, Some(&scale))?,
                self.scaled(row(2 + found.upper), Some(&scale))?,
                self.scaled(row(4 + found.upper), Some(&scale))?,
            ])
        };
        found.iter().map(parts).collect()
    }

    /// The rows of resultants; no operand is 0. Waits.
    ///
    /// # Errors
    /// As [`divide_all`](Self::divide_all).
    pub fn resultant_all(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Vec<u64>>, GpuError> {
        let found = self.reduce(stream, pairs, 2)?;
        Ok(found
            .iter()
            .zip(pairs)
            .map(|(found, pair)| self.resultant(found, pair))
            .collect())
    }

    /// The divisor, and the inverse of its leading coefficient.
    fn divisor(&self, found: &Found) -> (Vec<u64>, Option<Vec<u64>>) {
        let k = self.elements.digits();
        let start = found.upper * found.stride * k;
        let divisor = found.rows[start..][..found.length * k].to_vec();
        let leading = divisor.len().checked_sub(k).map(|last| &divisor[last..]);
        let inverse = leading.and_then(|leading| self.elements.field.inverse_row(leading));
        (divisor, inverse)
    }

    /// The polynomial times a constant, if there is one, else 0.
    fn scaled(&self, mut rows: Vec<u64>, scale: Option<&[u64]>) -> Result<Vec<u64>, GpuError> {
        let Some(scale) = scale else {
            return Ok(Vec::new());
        };
        let places = WordRowsMut::from(&mut rows[..]);
        let scaled = self.elements.field.scale_rows(places, scale);
        scaled.map_err(|error| GpuError::Shape(error.to_string()))?;
        Ok(self.trimmed(&rows))
    }

    /// Rows without zeros at their end.
    fn trimmed(&self, rows: &[u64]) -> Vec<u64> {
        let k = self.elements.digits();
        let last = rows.iter().rposition(|&word| word != 0);
        let len = last.map_or(0, |last| (last / k + 1) * k);
        rows[..len].to_vec()
    }

    /// res(a, b), by the rounds' res(a, b) = (−1)^(nm)·l^(n − r − s·m)·res(b, a_r): a of degree n, b of degree m with the leading
    /// coefficient l, and a_r of degree r what s steps left of a.
    fn resultant(&self, found: &Found, [a, b]: &Pair<'_>) -> Vec<u64> {
        let k = self.elements.digits();
        let lengths = [a, b].map(|rows| self.len(rows) as u64);
        // Of the degrees of both, where b came first.
        let mut odd = lengths[0] < lengths[1] && (lengths[0] - 1) * (lengths[1] - 1) % 2 == 1;
        let mut powers = Vec::with_capacity(found.rounds);
        for (round, leading) in found
            .trail
            .chunks(4)
            .zip(found.leading.chunks(k))
            .take(found.rounds)
        {
            let [before, divisor, after, steps] = [0, 1, 2, 3].map(|place| i64::from(round[place]));
            let (n, m) = (before - 1, divisor - 1);
            if m == 0 {
                powers.push((leading, n));
                break;
            }
            if after == 0 {
                return vec![0; k];
            }
            odd ^= n * m % 2 == 1;
            powers.push((leading, n - (after - 1) - steps * m));
        }
        // No leading coefficient is 0.
        let product = self.elements.product(powers.into_iter());
        let product = product.unwrap_or_else(|| vec![0; k]);
        match odd {
            false => product,
            true => self.elements.field.negated_row(&product),
        }
    }
}
