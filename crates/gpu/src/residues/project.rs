//! From coefficients to residues.

use super::basis::{MONTGOMERY, ResidueBasis, montgomery_form};
use crate::word::inverse_mod_word;
use crate::work::projection;
use sunzi_device::{Buffer, GpuError, Kernel, Launch, Source, Stream, Work, kernel};
use sunzi_field::WordModulus;

/// Where coefficients lie.
pub(super) const SPANS: &str = include_str!("spans.cl");

kernel! {
    /// Residues of the coefficients at `positions` of vectors of 2^`log_points`.
    unsafe struct Project<'a> for "project" {
        residues: &'a mut Buffer<u32> [first_residue + (primes - 1) * residue_stride + positions],
        first_residue: u64,
        residue_stride: u64,
        coefficients: &'a Buffer<u32> [total * words],
        spans: &'a Buffer<u32> [(positions >> log_points) * 2],
        constants: &'a Buffer<u32> [primes * (words + 3)],
        words: u32,
        is_signed: bool,
        primes: u32,
        log_points: u32,
        positions: u64,
        total: u64,
    }
    work(k, _launch) {
        let (words, primes) = (k.total * u64::from(k.words), u64::from(k.primes));
        Work {
            bytes: 4 * (words * chunks(k.primes as usize) as u64 + primes * k.positions),
            multiplications: primes * projection(words),
            barriers: 0,
        }
    }
}

/// Primes that one thread finds residues for: most products take no more, and its sums are in registers on any device.
const CHUNK: usize = 4;

/// How the coefficients of polynomials are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoefficientForm {
    /// Words of 32 bits, the lowest first; one at least.
    pub words: usize,
    /// Whether they are in two's complement.
    pub signed: bool,
}

/// Polynomials on the device, the coefficients of each from the constant term upward.
#[derive(Clone, Copy, Debug)]
pub struct Polynomials<'a> {
    /// The words of all coefficients.
    pub coefficients: &'a Buffer<u32>,
    /// For each polynomial where it begins, counted in coefficients, and how many coefficients it has; coefficients
    /// beyond the end of their buffer are zero.
    pub spans: &'a Buffer<u32>,
}

/// The program that projects, for groups of `threads` threads.
pub(crate) fn source(threads: usize) -> Source<'static> {
    Source::new("projection to primes", threads)
        .define("CHUNK", CHUNK)
        .part(MONTGOMERY)
        .part(SPANS)
        .part(include_str!("project.cl"))
}

/// Threads that find the residues of one coefficient.
pub(crate) const fn chunks(primes: usize) -> usize {
    primes.div_ceil(CHUNK)
}

/// Projects coefficients of one form to the primes of a basis.
#[derive(Debug)]
pub struct ProjectContext {
    kernel: Kernel,
    constants: Buffer<u32>,
    form: CoefficientForm,
    primes: usize,
    threads: usize,
}

impl ProjectContext {
    /// Compiles the kernel for groups of `threads` threads, and makes its constants.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for coefficients of no words; errors of the device.
    pub fn new(
        stream: &Stream,
        basis: &ResidueBasis,
        form: CoefficientForm,
        threads: usize,
    ) -> Result<Self, GpuError> {
        if form.words == 0 || form.words > 1 << 20 {
            return Err(GpuError::Shape(format!(
                "coefficients have 1 to 2^20 words, not {}",
                form.words
            )));
        }
        let device = stream.device();
        let mut constants = Vec::new();
        for &p in basis.primes() {
            constants.extend([p as u32, inverse_mod_word(p) as u32]);
            let modulus = WordModulus::new(p);
            let radix = modulus.reduce(1 << 32);
            let powers = std::iter::successors(Some(1), |&power| Some(modulus.mul(power, radix)));
            constants.extend(
                powers
                    .take(form.words + 1)
                    .map(|power| montgomery_form(power, p)),
            );
        }
        // The last chunk reads the constants of primes that are not there, which must be a modulus all the same.
        let stride = form.words + 3;
        let padded = basis.len().next_multiple_of(CHUNK) * stride;
        let last = constants[constants.len() - stride..].to_vec();
        constants.extend(last.into_iter().cycle().take(padded - basis.len() * stride));
        Ok(Self {
            kernel: device.program(&source(threads))?.kernel("project")?,
            constants: device.filled(stream, &constants)?,
            form,
            primes: basis.len(),
            threads,
        })
    }

    /// Submits the projection of `batch` polynomials of up to 2^`log_points` coefficients each: the residues of
    /// polynomial b modulo prime j go to `residues` from element (j·vectors + first + b)·2^`log_points` on, followed by
    /// zeros. So every prime has `vectors` vectors, these from number `first` on.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the buffers are too short; errors of the device.
    pub fn run(
        &self,
        stream: &Stream,
        residues: &mut Buffer<u32>,
        polynomials: Polynomials<'_>,
        log_points: u32,
        batch: usize,
        (first, vectors): (usize, usize),
    ) -> Result<(), GpuError> {
        let positions = positions(batch, log_points)?;
        let stride = self::positions(vectors, log_points)?;
        if first.checked_add(batch).is_none_or(|end| end > vectors) {
            return Err(GpuError::Shape(format!(
                "{batch} vectors from number {first} on are not among {vectors}"
            )));
        }
        let needed = self.primes.saturating_mul(stride);
        if residues.len() < needed || polynomials.spans.len() / 2 < batch {
            return Err(GpuError::Shape(format!(
                "{batch} of {vectors} polynomials of 2^{log_points} points modulo {} primes need {} residues and {} numbers of spans, not {} \
                 and {}",
                self.primes,
                needed,
                2 * batch,
                residues.len(),
                polynomials.spans.len()
            )));
        }
        let groups = positions.div_ceil(self.threads) as u64;
        let launch = Launch::rows(groups, chunks(self.primes), self.threads, 0)?;
        let parameters = Project {
            residues,
            first_residue: (first << log_points) as u64,
            residue_stride: stride as u64,
            coefficients: polynomials.coefficients,
            spans: polynomials.spans,
            constants: &self.constants,
            words: self.form.words as u32,
            is_signed: self.form.signed,
            primes: self.primes as u32,
            log_points,
            positions: positions as u64,
            total: (polynomials.coefficients.len() / self.form.words) as u64,
        };
        stream.launch(&self.kernel, launch, parameters)
    }
}

/// Positions of `batch` vectors of 2^`log_points` points.
pub(super) fn positions(batch: usize, log_points: u32) -> Result<usize, GpuError> {
    let points = 1usize.checked_shl(log_points);
    let positions = points.and_then(|points| points.checked_mul(batch));
    positions.filter(|_| log_points < u32::BITS).ok_or_else(|| {
        GpuError::Shape(format!(
            "{batch} vectors of 2^{log_points} points are more than an address reaches"
        ))
    })
}
