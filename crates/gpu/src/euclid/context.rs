//! Division and Euclid's algorithm in batches: what is compiled for them, and how they run.

use super::plan::{EuclidConfig, NAME};
use super::rounds::{Found, Work};
use super::work;
use crate::field::{
    Modulus, POWERS, ResidueWord, SUMS, Scale, field_source, field_table, is_double,
};
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, kernel};

/// The kernels.
pub(super) const STEPS: &str = include_str!("steps.cl");
const EUCLID: &str = include_str!("euclid.cl");
const COFACTORS: &str = include_str!("cofactors.cl");

kernel! {
    /// A quotient and a remainder for each group.
    struct Divide<'a, E: ResidueWord> for "divide" in launch {
        quotients: &'a mut Buffer<E> [launch.groups() * q_stride],
        q_stride: u32,
        remainders: &'a mut Buffer<E> [launch.groups() * r_stride],
        r_stride: u32,
        from: &'a Buffer<E>,
        spans: &'a Buffer<u32> [launch.groups() * 4],
        scale: Scale,
        fields: &'a Buffer<E>,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        work::division::<E>(launch.groups[0], launch.threads[0], k.lengths_of_pairs.0)
    }
}

kernel! {
    /// A divisor for each group; where resultants are wanted, they are found from what is noted in trail and exponents.
    struct Gcd<'a, E: ResidueWord> for "gcd" in launch {
        to: &'a mut Buffer<E> [launch.groups() * stride],
        stride: u32,
        lengths: &'a mut Buffer<u32> [launch.groups()],
        resultants: &'a mut Buffer<E> [launch.groups()],
        trail: &'a mut Buffer<E> [launch.groups() * wants_resultant],
        exponents: &'a mut Buffer<u64> [launch.groups() * wants_resultant],
        wants_resultant: bool,
        from: &'a Buffer<E>,
        spans: &'a Buffer<u32> [launch.groups() * 4],
        scale: Scale,
        fields: &'a Buffer<E>,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        work::euclid::<E>(launch.groups[0], launch.threads[0], k.lengths_of_pairs.0, false)
    }
}

kernel! {
    /// A divisor and its two cofactors for each group, a row each.
    struct WithCofactors<'a, E: ResidueWord> for "cofactors" in launch {
        to: &'a mut Buffer<E> [launch.groups() * 3 * stride],
        stride: u32,
        from: &'a Buffer<E>,
        spans: &'a Buffer<u32> [launch.groups() * 4],
        scale: Scale,
        fields: &'a Buffer<E>,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        work::euclid::<E>(launch.groups[0], launch.threads[0], k.lengths_of_pairs.0, true)
    }
}

/// Operands have less than 2^30 coefficients, so that places in them are words of 32 bits.
const MOST_LENGTH: usize = 1 << 30;

/// Two polynomials, coefficients from the constant term upward.
pub type Pair<'a, E> = [&'a [E]; 2];

/// A quotient and a remainder, without zeros at their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division<E> {
    /// ⌊a / b⌋.
    pub quotient: Vec<E>,
    /// a mod b, shorter than b.
    pub remainder: Vec<E>,
}

/// A greatest common divisor g and its cofactors: g = s·a + t·b, without zeros at their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cofactors<E> {
    /// g, monic, or 0.
    pub gcd: Vec<E>,
    /// s. Where neither operand divides the other, deg s < deg b − deg g.
    pub s: Vec<E>,
    /// t. Where neither operand divides the other, deg t < deg a − deg g.
    pub t: Vec<E>,
}

impl<E: ResidueWord> Division<E> {
    fn new((quotient, remainder): (&[E], &[E])) -> Self {
        Self {
            quotient: trimmed(quotient).to_vec(),
            remainder: trimmed(remainder).to_vec(),
        }
    }
}

impl<E: ResidueWord> Cofactors<E> {
    /// Of three rows each, filled up with zeros.
    fn of_rows(rows: &[E], stride: usize) -> Vec<Self> {
        let found = rows.chunks(3 * stride).map(|rows| {
            let part = |place: usize| trimmed(&rows[place * stride..][..stride]).to_vec();
            Self {
                gcd: part(0),
                s: part(1),
                t: part(2),
            }
        });
        found.collect()
    }
}

/// Division, greatest common divisors and resultants of pairs of polynomials modulo an odd prime: below 2^31 in `u32`,
/// below 2^63 in `u64`.
///
/// Polynomials are canonical residues from the constant term upward, on the host; zeros at the end count for nothing.
/// A batch is one launch, or as many as its memory takes. n² multiplications or fewer a pair, and n barriers. Pairs that
/// are longer than the configuration's rows are taken by rounds of two launches, s steps at a time.
///
/// ```
/// use sunzi_device::{Device, Selection};
/// use sunzi_gpu::euclid::EuclidContext;
/// # fn main() -> Result<(), sunzi_device::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let (stream, context) = (device.stream()?, EuclidContext::<u32>::new(&device, 101, 3)?);
/// let (a, b): (&[u32], &[u32]) = (&[100, 0, 1], &[1, 1]); // x² − 1, x + 1
/// assert_eq!(context.gcd_all(&stream, &[[a, b], [b, &[2]]])?, [vec![1, 1], vec![1]]);
/// assert_eq!(context.resultant_all(&stream, &[[a, b], [a, &[0, 1]]])?, [0, 100]);
/// let division = &context.divide_all(&stream, &[[a, b]])?[0];
/// assert_eq!((&division.quotient[..], &division.remainder[..]), (&[100, 1][..], &[][..]));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct EuclidContext<E: ResidueWord> {
    device: Device,
    fields: Buffer<E>,
    modulus: Modulus,
    config: EuclidConfig,
    divide: Kernel,
    gcd: Kernel,
}

/// Pairs on the device.
pub(super) struct Uploaded<E> {
    pub coefficients: Buffer<E>,
    pub spans: Buffer<u32>,
}

/// The program.
pub(crate) fn source<E: ResidueWord>(config: &EuclidConfig, spare: bool) -> Source<'static> {
    beginning::<E>(NAME, config, spare).part(EUCLID)
}

/// The program for cofactors, whose groups share three times as much.
pub(crate) fn cofactor_source<E: ResidueWord>(
    config: &EuclidConfig,
    spare: bool,
) -> Source<'static> {
    beginning::<E>("Euclid's algorithm with cofactors", config, spare).part(COFACTORS)
}

/// What both begin with.
fn beginning<E: ResidueWord>(
    name: &'static str,
    config: &EuclidConfig,
    spare: bool,
) -> Source<'static> {
    field_source::<E>(name, config.threads, spare)
        .define("ROW", config.row)
        .part(SUMS)
        .part(POWERS)
        .part(STEPS)
}

impl<E: ResidueWord> EuclidContext<E> {
    /// In the configuration that suits the device for operands of up to `longest` coefficients; longer ones are taken, too.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no odd prime in the word's range, and for doubles; errors of the device.
    pub fn new(device: &Device, prime: u64, longest: usize) -> Result<Self, GpuError> {
        let config = EuclidConfig::for_device::<E>(device.info(), longest);
        Self::with_config(device, prime, config)
    }

    /// In a given configuration.
    ///
    /// # Errors
    /// As [`EuclidContext::new`], and [`GpuError::Shape`] or [`GpuError::Limits`] for a configuration beyond the device's limits.
    pub fn with_config(
        device: &Device,
        prime: u64,
        config: EuclidConfig,
    ) -> Result<Self, GpuError> {
        if is_double::<E>() {
            return Err(GpuError::Shape(
                "division and Euclid's algorithm take residues in integers: `u32` or `u64`"
                    .to_owned(),
            ));
        }
        let modulus = Modulus::new::<E>(device, prime)?;
        let config = config.check::<E>(device.info())?;
        let program = device.program(&source::<E>(&config, modulus.is_spare::<E>()))?;
        Ok(Self {
            fields: field_table(&device.stream()?, &[modulus], 0)?,
            device: device.clone(),
            modulus,
            config,
            divide: program.kernel("divide")?,
            gcd: program.kernel("gcd")?,
        })
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn fields(&self) -> &Buffer<E> {
        &self.fields
    }

    /// Whether the prime leaves the bits unused that the definition `SPARE` asks for.
    pub(super) fn is_spare(&self) -> bool {
        self.modulus.is_spare::<E>()
    }

    /// How pairs are laid out.
    pub const fn config(&self) -> EuclidConfig {
        self.config
    }

    /// Quotients and remainders.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a divisor that is 0 and for what is no canonical residue; [`GpuError::Limits`] for operands
    /// of 2^30 coefficients; [`GpuError::OutOfMemory`], before anything is computed, for a pair that the device's memory
    /// cannot hold; errors of the device.
    pub fn divide_all(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<Division<E>>, GpuError> {
        let pairs = self.checked(pairs)?;
        if let Some(place) = pairs.iter().position(|[_, b]| b.is_empty()) {
            return Err(GpuError::Shape(format!(
                "pair {place} divides by zero: give divisors that are not 0"
            )));
        }
        let short = |piece: &[Pair<'_, E>], uploaded: &Uploaded<E>| {
            let lengths = piece
                .iter()
                .map(|[a, b]| (a.len() + 1).saturating_sub(b.len()));
            let q_stride = lengths.max().unwrap_or(0).max(1);
            let lengths = piece.iter().map(|[a, b]| a.len().min(b.len() - 1));
            let r_stride = lengths.max().unwrap_or(0).max(1);
            let mut quotients = self.device.buffer::<E>(piece.len() * q_stride)?;
            let mut remainders = self.device.buffer::<E>(piece.len() * r_stride)?;
            let parameters = Divide {
                quotients: &mut quotients,
                q_stride: q_stride as u32,
                remainders: &mut remainders,
                r_stride: r_stride as u32,
                from: &uploaded.coefficients,
                spans: &uploaded.spans,
                scale: Scale::ProductOne,
                fields: &self.fields,
                lengths_of_pairs: Note(longest_of(piece)),
            };
            stream.launch(&self.divide, self.launch(piece.len())?, parameters)?;
            let quotients = read(stream, &quotients)?;
            let remainders = read(stream, &remainders)?;
            let rows = quotients.chunks(q_stride).zip(remainders.chunks(r_stride));
            Ok(rows.map(Division::new).collect())
        };
        let long = |found: Found<E>| {
            let quotients = found.quotients.chunks(found.stride);
            let rows = quotients.zip(found.rows.chunks(found.stride));
            rows.map(Division::new).collect()
        };
        self.of_all(stream, &pairs, self.config, Work::Division, short, long)
    }

    /// Monic greatest common divisors; that of two zeros is 0, which has no coefficients.
    ///
    /// # Errors
    /// As [`EuclidContext::divide_all`], but for zeros.
    pub fn gcd_all(&self, stream: &Stream, pairs: &[Pair<'_, E>]) -> Result<Vec<Vec<E>>, GpuError> {
        let pairs = self.checked(pairs)?;
        let short = |piece: &[Pair<'_, E>], uploaded: &Uploaded<E>| {
            Ok(self.euclid(stream, piece, uploaded, false)?.0)
        };
        let long = |found: Found<E>| {
            let rows = found.rows.chunks(found.stride);
            rows.map(|row| trimmed(row).to_vec()).collect()
        };
        self.of_all(stream, &pairs, self.config, Work::Gcd, short, long)
    }

    /// Resultants: determinants of Sylvester's matrices; 0 where an operand is 0.
    ///
    /// # Errors
    /// As [`EuclidContext::gcd_all`].
    pub fn resultant_all(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<E>, GpuError> {
        let pairs = self.checked(pairs)?;
        let short = |piece: &[Pair<'_, E>], uploaded: &Uploaded<E>| {
            Ok(self.euclid(stream, piece, uploaded, true)?.1)
        };
        let long = |found: Found<E>| found.resultants;
        let work = Work::Resultant;
        let mut resultants = self.of_all(stream, &pairs, self.config, work, short, long)?;
        for (resultant, [a, b]) in resultants.iter_mut().zip(&pairs) {
            if a.is_empty() || b.is_empty() {
                *resultant = E::from_residue(0);
            }
        }
        Ok(resultants)
    }

    /// Monic greatest common divisors with their cofactors; of two zeros 0, 1 and 0.
    ///
    /// ```
    /// use sunzi_device::{Device, Selection};
    /// use sunzi_gpu::euclid::EuclidContext;
    /// # fn main() -> Result<(), sunzi_device::GpuError> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let (stream, context) = (device.stream()?, EuclidContext::<u32>::new(&device, 101, 3)?);
    /// let found = &context.xgcd_all(&stream, &[[&[1, 0, 1], &[0, 1]]])?[0]; // 1 = (x² + 1) − x·x
    /// assert_eq!((&found.gcd[..], &found.s[..], &found.t[..]), (&[1][..], &[1][..], &[0, 100][..]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`EuclidContext::gcd_all`].
    pub fn xgcd_all(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<Cofactors<E>>, GpuError> {
        let pairs = self.checked(pairs)?;
        let info = self.device.info();
        let config = self.config.for_cofactors::<E>(info);
        let shared_bytes = config.cofactor_bytes::<E>(info)?;
        let source = cofactor_source::<E>(&config, self.is_spare());
        let kernel = self.device.program(&source)?.kernel("cofactors")?;
        let short = |piece: &[Pair<'_, E>], uploaded: &Uploaded<E>| {
            let longest = piece.iter().flatten().map(|operand| operand.len()).max();
            let stride = longest.unwrap_or(0).max(1);
            let mut to = self.device.buffer::<E>(3 * piece.len() * stride)?;
            let parameters = WithCofactors {
                to: &mut to,
                stride: stride as u32,
                from: &uploaded.coefficients,
                spans: &uploaded.spans,
                scale: Scale::ProductOne,
                fields: &self.fields,
                lengths_of_pairs: Note(longest_of(piece)),
            };
            let launch = Launch::new(piece.len() as u64, self.config.threads, shared_bytes)?;
            stream.launch(&kernel, launch, parameters)?;
            Ok(Cofactors::of_rows(&read(stream, &to)?, stride))
        };
        let long = |found: Found<E>| Cofactors::of_rows(&found.rows, found.stride);
        self.of_all(stream, &pairs, config, Work::Cofactors, short, long)
    }

    /// Divisors, and resultants of pairs without a zero if they are wanted.
    fn euclid(
        &self,
        stream: &Stream,
        piece: &[Pair<'_, E>],
        uploaded: &Uploaded<E>,
        wants_resultants: bool,
    ) -> Result<(Vec<Vec<E>>, Vec<E>), GpuError> {
        let count = piece.len();
        let longest = piece.iter().flatten().map(|operand| operand.len()).max();
        let stride = longest.unwrap_or(0).max(1);
        let noted = if wants_resultants {
            count * (self.config.row + 1)
        } else {
            1
        };
        let mut to = self.device.buffer::<E>(count * stride)?;
        let mut lengths = self.device.buffer::<u32>(count)?;
        let mut resultants = self.device.buffer::<E>(count)?;
        let mut trail = self.device.buffer::<E>(noted)?;
        let mut exponents = self.device.buffer::<u64>(noted)?;
        let parameters = Gcd {
            to: &mut to,
            stride: stride as u32,
            lengths: &mut lengths,
            resultants: &mut resultants,
            trail: &mut trail,
            exponents: &mut exponents,
            wants_resultant: wants_resultants,
            from: &uploaded.coefficients,
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: &self.fields,
            lengths_of_pairs: Note(longest_of(piece)),
        };
        stream.launch(&self.gcd, self.launch(count)?, parameters)?;
        let lengths = read(stream, &lengths)?;
        let rows = read(stream, &to)?;
        let divisors = rows
            .chunks(stride)
            .zip(lengths)
            .map(|(row, len)| row[..len as usize].to_vec())
            .collect();
        let resultants = if wants_resultants {
            read(stream, &resultants)?
        } else {
            Vec::new()
        };
        Ok((divisors, resultants))
    }

    fn launch(&self, pairs: usize) -> Result<Launch, GpuError> {
        let config = &self.config;
        Launch::new(pairs as u64, config.threads, config.shared_bytes::<E>())
    }

    /// Operands without zeros at their ends, if all can be computed with.
    fn checked<'a>(&self, pairs: &[Pair<'a, E>]) -> Result<Vec<Pair<'a, E>>, GpuError> {
        let prime = self.modulus.prime();
        let check = |(place, pair): (usize, &Pair<'a, E>)| {
            let pair = pair.map(trimmed);
            if let Some(long) = pair.iter().find(|operand| operand.len() >= MOST_LENGTH) {
                return Err(GpuError::Limits {
                    device: self.device.info().name.clone(),
                    kernel: NAME.to_owned(),
                    reason: format!(
                        "pair {place} has an operand of {} coefficients, and they are to be fewer than {MOST_LENGTH}",
                        long.len(),
                    ),
                });
            }
            let outside = pair
                .iter()
                .any(|operand| operand.iter().any(|x| x.residue() >= prime));
            if outside {
                return Err(GpuError::Shape(format!(
                    "pair {place} has a coefficient that is no residue modulo {prime}: they are from 0 to {}",
                    prime - 1
                )));
            }
            Ok(pair)
        };
        pairs.iter().enumerate().map(check).collect()
    }

    /// Pairs that go to the device at a time: half of what is free holds their operands and results.
    fn piece(&self, pairs: &[Pair<'_, E>]) -> usize {
        let longest = pairs.iter().flatten().map(|operand| operand.len()).max();
        let coefficients = 6 * longest.unwrap_or(0) + self.config.row + 8;
        let bytes = coefficients * size_of::<E>() + 8 * (self.config.row + 4);
        let fit = self.device.memory_free() / 2 / bytes as u64;
        // Spans have 32 bits.
        let fit = fit.min((1 << 31) / (2 * longest.unwrap_or(0).max(1)) as u64);
        usize::try_from(fit)
            .unwrap_or(usize::MAX)
            .clamp(1, self.config.pairs)
    }

    /// What is computed of pairs whose operands a group of the configuration shares, and of longer ones, in the order of the pairs.
    fn of_all<T>(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
        config: EuclidConfig,
        work: Work,
        short: impl Fn(&[Pair<'_, E>], &Uploaded<E>) -> Result<Vec<T>, GpuError>,
        long: impl Fn(Found<E>) -> Vec<T>,
    ) -> Result<Vec<T>, GpuError> {
        let is_short = |pair: &Pair<'_, E>| pair.iter().all(|operand| operand.len() <= config.row);
        let (shorts, longs): (Vec<_>, Vec<_>) = pairs.iter().partition(|pair| is_short(pair));
        // First those whose memory may be too short.
        let mut of_longs = Vec::with_capacity(longs.len());
        self.by_rounds(stream, &longs, work, |found| of_longs.extend(long(found)))?;
        let of_shorts = self.in_pieces(stream, &shorts, short)?;
        let (mut of_longs, mut of_shorts) = (of_longs.into_iter(), of_shorts.into_iter());
        let results = pairs.iter().filter_map(|pair| match is_short(pair) {
            true => of_shorts.next(),
            false => of_longs.next(),
        });
        Ok(results.collect())
    }

    fn in_pieces<T>(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
        compute: impl Fn(&[Pair<'_, E>], &Uploaded<E>) -> Result<Vec<T>, GpuError>,
    ) -> Result<Vec<T>, GpuError> {
        let mut results = Vec::with_capacity(pairs.len());
        for piece in pairs.chunks(self.piece(pairs)) {
            let uploaded = self.upload(stream, piece)?;
            results.extend(compute(piece, &uploaded)?);
        }
        Ok(results)
    }

    pub(super) fn upload(
        &self,
        stream: &Stream,
        piece: &[Pair<'_, E>],
    ) -> Result<Uploaded<E>, GpuError> {
        let mut coefficients = Vec::new();
        let mut spans = Vec::with_capacity(4 * piece.len());
        for operand in piece.iter().flatten() {
            spans.extend([coefficients.len() as u32, operand.len() as u32]);
            coefficients.extend_from_slice(operand);
        }
        if coefficients.is_empty() {
            coefficients.push(E::from_residue(0));
        }
        Ok(Uploaded {
            coefficients: self.device.filled(stream, &coefficients)?,
            spans: self.device.filled(stream, &spans)?,
        })
    }
}

/// Coefficients of the longest operands of either side.
pub(super) fn longest_of<E>(pairs: &[Pair<'_, E>]) -> [usize; 2] {
    [0, 1].map(|side| pairs.iter().map(|pair| pair[side].len()).max().unwrap_or(0))
}

/// All elements of a buffer.
pub(super) fn read<T: bytemuck::Pod>(
    stream: &Stream,
    from: &Buffer<T>,
) -> Result<Vec<T>, GpuError> {
    let mut elements = vec![T::zeroed(); from.len()];
    stream.read(from, &mut elements)?;
    Ok(elements)
}

/// A polynomial without the zeros it ends with.
fn trimmed<E: ResidueWord>(polynomial: &[E]) -> &[E] {
    let last = polynomial.iter().rposition(|x| x.residue() != 0);
    &polynomial[..last.map_or(0, |place| place + 1)]
}
