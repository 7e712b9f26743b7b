//! From residues to values.

use super::basis::{inverse32, inverse64, montgomery_form};
use super::{MONTGOMERY, ResidueBasis, threads};
use crate::{Buffer, GpuError, Kernel, Launch, Source, Stream};
use sunzi_field::WordModulus;

/// Words of a value at most: more than the primes of any basis fill.
const MOST_WORDS: usize = 512;
/// Primes up to which digits and words are kept in registers, loops written out.
const SHORT: usize = 8;

/// Mixed-radix digits of a value.
const MIXED_RADIX: &str = include_str!("../kernels/mixed_radix.cl");

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueForm {
    /// Words of 32 bits, the lowest first; one at least.
    pub words: usize,
    /// Whether values are those of least magnitude, in two's complement, or not negative.
    pub signed: bool,
    /// The words of a value lie together (`None`), or those of 2^n values at a time in planes, one for each word.
    pub log_plane: Option<u32>,
}

/// The program that puts values together, for groups of so many threads.
pub(super) fn words_source(threads: usize, primes: usize, form: ValueForm) -> Source<'static> {
    let name = if primes <= SHORT {
        "reconstruction from residues"
    } else {
        "reconstruction from many residues"
    };
    Source::new(name, threads)
        .define("SHORT", SHORT)
        .define("PRIMES", primes)
        .define("OUT_WORDS", form.words)
        .define("SIGNED", u8::from(form.signed))
        .define("PLANAR", u8::from(form.log_plane.is_some()))
        .part(MONTGOMERY)
        .part(MIXED_RADIX)
        .part(include_str!("../kernels/combine_words.cl"))
}

/// The program that puts residues modulo one more number together, for groups of so many threads.
pub(super) fn modulo_source(threads: usize, primes: usize, value: &str) -> Source<'static> {
    Source::new("reconstruction modulo a number", threads)
        .define("SHORT", SHORT)
        .define("PRIMES", primes)
        .define("VALUE", value)
        .part(MONTGOMERY)
        .part(MIXED_RADIX)
        .part(include_str!("../kernels/combine_modulo.cl"))
}

/// For every prime: itself, its inverse, and the inverses of the smaller ones modulo it.
fn constants(basis: &ResidueBasis) -> Vec<u32> {
    let mut constants = Vec::new();
    for (j, &p) in basis.primes().iter().enumerate() {
        let modulus = WordModulus::new(p);
        constants.extend([p as u32, inverse32(p as u32)]);
        constants.extend(basis.primes().iter().enumerate().map(|(i, &smaller)| {
            let inverse = if i < j {
                modulus.pow(smaller, p - 2)
            } else {
                0
            };
            montgomery_form(inverse, p)
        }));
    }
    constants
}

/// One thread for each position.
fn launch(threads: usize, positions: usize) -> Launch {
    Launch {
        groups: positions.div_ceil(threads),
        threads,
        shared_bytes: 0,
    }
}

/// Puts values together from their residues modulo the primes of a basis.
#[derive(Debug)]
pub struct Combine {
    kernel: Kernel,
    constants: Buffer<u32>,
    form: ValueForm,
    primes: usize,
    threads: usize,
}

impl Combine {
    /// Compiles the kernel and makes its constants.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for values of no words; what the device refuses.
    pub fn new(stream: &Stream, basis: &ResidueBasis, form: ValueForm) -> Result<Self, GpuError> {
        if form.words == 0 || form.words > MOST_WORDS {
            return Err(GpuError::Shape(format!(
                "values have 1 to {MOST_WORDS} words, not {}",
                form.words
            )));
        }
        let device = stream.device();
        let threads = threads(device.info());
        let source = words_source(threads, basis.len(), form);
        Ok(Self {
            kernel: device.program(&source)?.kernel("combine_words")?,
            constants: device.filled(stream, &constants(basis))?,
            form,
            primes: basis.len(),
            threads,
        })
    }

    /// Submits the reconstruction of the values at positions 0 … `positions` − 1: residue j of each is at
    /// j·`stride` + position.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the buffers are too short; what the device refuses.
    pub fn run(
        &self,
        stream: &Stream,
        words: &mut Buffer<u32>,
        residues: &Buffer<u32>,
        positions: usize,
        stride: usize,
    ) -> Result<(), GpuError> {
        let plane = 1usize.checked_shl(self.form.log_plane.unwrap_or(0));
        let whole_planes = plane.and_then(|plane| positions.checked_next_multiple_of(plane));
        let needed = whole_planes.and_then(|whole| whole.checked_mul(self.form.words));
        check_lengths(
            words.len(),
            needed,
            residues,
            self.primes,
            positions,
            stride,
        )?;
        let arguments = [
            words.into(),
            residues.into(),
            (&self.constants).into(),
            (positions as u64).into(),
            (stride as u64).into(),
            self.form.log_plane.unwrap_or(0).into(),
        ];
        // SAFETY: the arguments are those of the kernel, and the buffers are long enough.
        unsafe { stream.launch(&self.kernel, launch(self.threads, positions), &arguments) }
    }
}

/// Puts residues modulo one more number together from residues modulo the primes of a basis.
#[derive(Debug)]
pub struct CombineModulo {
    kernel: Kernel,
    constants: Buffer<u32>,
    modulus_constants: Buffer<u64>,
    primes: usize,
    threads: usize,
    words: usize,
}

impl CombineModulo {
    /// Compiles the kernel and makes its constants; residues are written as one word of 32 bits, or as two.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for other numbers of words, and for a modulus that is even, above 2^63, or longer than
    /// these words; what the device refuses.
    pub fn new(
        stream: &Stream,
        basis: &ResidueBasis,
        modulus: u64,
        words: usize,
    ) -> Result<Self, GpuError> {
        let (value, bits) = match words {
            1 => ("u32", 32),
            2 => ("u64", 63),
            _ => {
                return Err(GpuError::Shape(format!(
                    "residues are written as 1 or 2 words, not {words}"
                )));
            }
        };
        if modulus.is_multiple_of(2) || modulus < 3 || modulus >> bits != 0 {
            return Err(GpuError::Shape(format!(
                "values are found modulo odd numbers from 3 to 2^{bits}, not {modulus}"
            )));
        }
        let device = stream.device();
        let threads = threads(device.info());
        let radix = WordModulus::new(modulus).reduce_wide(1 << 64);
        let mut modulus_constants = vec![modulus, inverse64(modulus)];
        let factors = basis.primes().iter();
        modulus_constants.extend(factors.map(|&p| {
            let product = u128::from(p) * u128::from(radix);
            (product % u128::from(modulus)) as u64
        }));
        let source = modulo_source(threads, basis.len(), value);
        Ok(Self {
            kernel: device.program(&source)?.kernel("combine_modulo")?,
            constants: device.filled(stream, &constants(basis))?,
            modulus_constants: device.filled(stream, &modulus_constants)?,
            primes: basis.len(),
            threads,
            words,
        })
    }

    /// Submits the reconstruction at positions 0 … `positions` − 1, as [`Combine::run`].
    ///
    /// # Errors
    /// As [`Combine::run`].
    pub fn run(
        &self,
        stream: &Stream,
        words: &mut Buffer<u32>,
        residues: &Buffer<u32>,
        positions: usize,
        stride: usize,
    ) -> Result<(), GpuError> {
        let needed = positions.checked_mul(self.words);
        check_lengths(
            words.len(),
            needed,
            residues,
            self.primes,
            positions,
            stride,
        )?;
        let arguments = [
            words.into(),
            residues.into(),
            (&self.constants).into(),
            (&self.modulus_constants).into(),
            (positions as u64).into(),
            (stride as u64).into(),
        ];
        // SAFETY: the arguments are those of the kernel, and the buffers are long enough.
        unsafe { stream.launch(&self.kernel, launch(self.threads, positions), &arguments) }
    }
}

/// Checks that there are all residues, and the room that is needed, if that can be counted.
fn check_lengths(
    room: usize,
    needed: Option<usize>,
    residues: &Buffer<u32>,
    primes: usize,
    positions: usize,
    stride: usize,
) -> Result<(), GpuError> {
    let read = (primes - 1)
        .checked_mul(stride)
        .and_then(|last| last.checked_add(positions));
    let fits = |have: usize, want: Option<usize>| want.is_some_and(|want| want <= have);
    if !fits(room, needed) || !fits(residues.len(), read) || stride < positions {
        return Err(GpuError::Shape(format!(
            "{positions} values at a stride of {stride} modulo {primes} primes need more than {} residues, or more \
             room than for {room} words",
            residues.len()
        )));
    }
    Ok(())
}
