//! From residues to values.

use super::basis::{MONTGOMERY, ResidueBasis, montgomery_form};
use crate::word::inverse_mod_word;
use crate::work::{mixed_radix, recombination};
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, DeviceInfo, GpuError, Kernel, Launch, Source, Stream, Work, kernel};
use sunzi_field::WordModulus;

/// Words of a value at most: more than the primes of any basis fill.
const MOST_WORDS: usize = 512;
/// Primes up to which digits and words are kept in registers, loops written out: a matter of registers a thread, of which
/// all devices have about as many.
const SHORT: usize = 8;

/// Mixed-radix digits of a value.
const MIXED_RADIX: &str = include_str!("mixed_radix.cl");

kernel! {
    /// The words of values, as the program is told.
    unsafe struct CombineWords<'a> for "combine_words" {
        words: &'a mut Buffer<u32>,
        residues: &'a Buffer<u32> [positions],
        constants: &'a Buffer<u32>,
        positions: u64,
        stride: u64,
        log_plane: u32,
        primes: Note<usize>,
        of_value: Note<usize>,
    }
    work(k, launch) {
        let [primes, words] = [k.primes.0, k.of_value.0].map(|count| count as u64);
        Work {
            bytes: 4 * (primes + words) * k.positions,
            multiplications: k.positions * (mixed_radix(primes) + 2 * primes * words),
            barriers: usize::from(launch.shared_bytes > 0),
        }
    }
}

kernel! {
    /// Values modulo one more number, in words of its length.
    unsafe struct CombineModulo<'a> for "combine_modulo" {
        values: &'a mut Buffer<u32> [positions],
        residues: &'a Buffer<u32> [positions],
        constants: &'a Buffer<u32>,
        positions: u64,
        stride: u64,
        modulus_constants: &'a Buffer<u64>,
        primes: Note<usize>,
        of_value: Note<usize>,
    }
    work(k, _launch) {
        let [primes, words] = [k.primes.0, k.of_value.0].map(|count| count as u64);
        Work {
            bytes: 4 * (primes + words) * k.positions,
            multiplications: k.positions * recombination(primes),
            barriers: 0,
        }
    }
}

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

impl ValueForm {
    /// Bytes of local memory in which a group of `threads` gathers the words of its values before it writes them: where each
    /// has several that lie together, and few enough for the device. The number of words from value to value is odd.
    pub(crate) fn local_bytes(self, threads: usize, info: &DeviceInfo) -> usize {
        let bytes = threads.saturating_mul(4 * (self.words | 1));
        let has_several = self.log_plane.is_none() && (2..=SHORT).contains(&self.words);
        match has_several && bytes <= info.shared_memory {
            true => bytes,
            false => 0,
        }
    }
}

/// The program that puts values together, for groups of `threads` threads.
pub(crate) fn words_source(
    threads: usize,
    primes: usize,
    form: ValueForm,
    info: &DeviceInfo,
) -> Source<'static> {
    let is_staged = form.local_bytes(threads, info) > 0;
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
        .define("STAGED", u8::from(is_staged))
        .part(MONTGOMERY)
        .part(MIXED_RADIX)
        .part(include_str!("combine_words.cl"))
}

/// The program that puts residues modulo one more number together, for groups of `threads` threads.
pub(crate) fn modulo_source(threads: usize, primes: usize, value: &str) -> Source<'static> {
    Source::new("reconstruction modulo a number", threads)
        .define("SHORT", SHORT)
        .define("PRIMES", primes)
        .define("VALUE", value)
        .part(MONTGOMERY)
        .part(MIXED_RADIX)
        .part(include_str!("combine_modulo.cl"))
}

/// For every prime: itself, its inverse, and the inverses of the smaller ones modulo it.
fn constants(basis: &ResidueBasis) -> Vec<u32> {
    let mut constants = Vec::new();
    for (j, &p) in basis.primes().iter().enumerate() {
        let modulus = WordModulus::new(p);
        constants.extend([p as u32, inverse_mod_word(p) as u32]);
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

/// A kernel that puts residues modulo the primes of a basis together, one thread for each position.
#[derive(Debug)]
struct Recombination {
    kernel: Kernel,
    constants: Buffer<u32>,
    primes: usize,
    threads: usize,
    /// Bytes of local memory of a group.
    local_bytes: usize,
}

impl Recombination {
    /// The kernel of that name in its program.
    fn new(
        stream: &Stream,
        basis: &ResidueBasis,
        (source, kernel): (&Source<'_>, &str),
        threads: usize,
        local_bytes: usize,
    ) -> Result<Self, GpuError> {
        let device = stream.device();
        Ok(Self {
            kernel: device.program(source)?.kernel(kernel)?,
            constants: device.filled(stream, &constants(basis))?,
            primes: basis.len(),
            threads,
            local_bytes,
        })
    }

    /// Its launch, if there are all residues and the room that is needed, as far as that can be counted.
    fn launch(
        &self,
        (words, needed): (&Buffer<u32>, Option<usize>),
        residues: &Buffer<u32>,
        [positions, stride]: [usize; 2],
    ) -> Result<Launch, GpuError> {
        let read = (self.primes - 1)
            .checked_mul(stride)
            .and_then(|last| last.checked_add(positions));
        let fits = |have: usize, want: Option<usize>| want.is_some_and(|want| want <= have);
        if !fits(words.len(), needed) || !fits(residues.len(), read) || stride < positions {
            return Err(GpuError::Shape(format!(
                "{positions} values at a stride of {stride} modulo {} primes need more than {} residues, or more room \
                 than for {} words",
                self.primes,
                residues.len(),
                words.len()
            )));
        }
        Ok(Launch {
            groups: [positions.div_ceil(self.threads), 1, 1],
            threads: [self.threads, 1, 1],
            shared_bytes: self.local_bytes,
        })
    }
}

/// Puts values together from their residues modulo the primes of a basis.
#[derive(Debug)]
pub struct CombineContext {
    kernel: Recombination,
    form: ValueForm,
}

impl CombineContext {
    /// Compiles the kernel for groups of `threads` threads, and makes its constants.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for values of no words, or of more than 512; errors of the device.
    pub fn new(
        stream: &Stream,
        basis: &ResidueBasis,
        form: ValueForm,
        threads: usize,
    ) -> Result<Self, GpuError> {
        if form.words == 0 || form.words > MOST_WORDS {
            return Err(GpuError::Shape(format!(
                "values have 1 to {MOST_WORDS} words, not {}",
                form.words
            )));
        }
        let info = stream.device().info();
        let source = words_source(threads, basis.len(), form, info);
        let program = (&source, "combine_words");
        let local_bytes = form.local_bytes(threads, info);
        let kernel = Recombination::new(stream, basis, program, threads, local_bytes)?;
        Ok(Self { kernel, form })
    }

    /// Submits the reconstruction of the values at positions 0 … `positions` − 1: residue j of each is at
    /// j·`stride` + position.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the buffers are too short; errors of the device.
    pub fn run(
        &self,
        stream: &Stream,
        words: &mut Buffer<u32>,
        residues: &Buffer<u32>,
        positions: usize,
        stride: usize,
    ) -> Result<(), GpuError> {
        let log_plane = self.form.log_plane.unwrap_or(0);
        let plane = 1usize.checked_shl(log_plane);
        let whole_planes = plane.and_then(|plane| positions.checked_next_multiple_of(plane));
        let needed = whole_planes.and_then(|whole| whole.checked_mul(self.form.words));
        let launch = self
            .kernel
            .launch((words, needed), residues, [positions, stride])?;
        let parameters = CombineWords {
            words,
            residues,
            constants: &self.kernel.constants,
            positions: positions as u64,
            stride: stride as u64,
            log_plane,
            primes: Note(self.kernel.primes),
            of_value: Note(self.form.words),
        };
        stream.launch(&self.kernel.kernel, launch, parameters)
    }
}

/// Puts residues modulo one more number together from residues modulo the primes of a basis.
#[derive(Debug)]
pub struct CombineModuloContext {
    kernel: Recombination,
    modulus_constants: Buffer<u64>,
    words: usize,
}

impl CombineModuloContext {
    /// Compiles the kernel for groups of `threads` threads, and makes its constants; residues are written as one word of 32
    /// bits, or as two.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for other numbers of words, and for a modulus that is even, above 2^63, or longer than
    /// these words; errors of the device.
    pub fn new(
        stream: &Stream,
        basis: &ResidueBasis,
        modulus: u64,
        words: usize,
        threads: usize,
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
        let radix = WordModulus::new(modulus).reduce_wide(1 << 64);
        let mut modulus_constants = vec![modulus, inverse_mod_word(modulus)];
        let factors = basis.primes().iter();
        modulus_constants.extend(factors.map(|&p| {
            let product = u128::from(p) * u128::from(radix);
            (product % u128::from(modulus)) as u64
        }));
        let source = modulo_source(threads, basis.len(), value);
        Ok(Self {
            kernel: Recombination::new(stream, basis, (&source, "combine_modulo"), threads, 0)?,
            modulus_constants: stream.device().filled(stream, &modulus_constants)?,
            words,
        })
    }

    /// Submits the reconstruction at positions 0 … `positions` − 1, as [`CombineContext::run`].
    ///
    /// # Errors
    /// As [`CombineContext::run`].
    pub fn run(
        &self,
        stream: &Stream,
        words: &mut Buffer<u32>,
        residues: &Buffer<u32>,
        positions: usize,
        stride: usize,
    ) -> Result<(), GpuError> {
        let needed = positions.checked_mul(self.words);
        let launch = self
            .kernel
            .launch((words, needed), residues, [positions, stride])?;
        let parameters = CombineModulo {
            values: words,
            residues,
            constants: &self.kernel.constants,
            positions: positions as u64,
            stride: stride as u64,
            modulus_constants: &self.modulus_constants,
            primes: Note(self.kernel.primes),
            of_value: Note(self.words),
        };
        stream.launch(&self.kernel.kernel, launch, parameters)
    }
}
