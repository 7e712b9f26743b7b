//! Division and Euclid's algorithm in batches: what is compiled for them, and how they run.

use super::plan::{EuclidConfig, NAME};
use super::rounds::Work;
use super::work;
use crate::elements::{Elements, ElementsMut, ElementsRef};
use crate::field::{Fields, POWERS, SUMS, Scale};
use crate::word::{ResidueWord, Word};
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, kernel};

/// The kernels.
pub(super) const STEPS: &str = include_str!("steps.cl");
const EUCLID: &str = include_str!("euclid.cl");
const COFACTORS: &str = include_str!("cofactors.cl");

kernel! {
    /// A quotient and a remainder for each group.
    unsafe struct Divide<'a> for "divide" in launch {
        quotients: ElementsMut<'a> [launch.groups() * q_stride],
        q_stride: u32,
        remainders: ElementsMut<'a> [launch.groups() * r_stride],
        r_stride: u32,
        from: ElementsRef<'a>,
        spans: &'a Buffer<u32> [launch.groups() * 4],
        scale: Scale,
        fields: &'a Fields,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        work::division(k.fields.word(), launch.groups[0], launch.threads[0], k.lengths_of_pairs.0)
    }
}

kernel! {
    /// A divisor for each group; where resultants are wanted, they are found from what is noted in trail and exponents.
    unsafe struct Gcd<'a> for "gcd" in launch {
        to: ElementsMut<'a> [launch.groups() * stride],
        stride: u32,
        lengths: &'a mut Buffer<u32> [launch.groups()],
        resultants: ElementsMut<'a> [launch.groups()],
        trail: ElementsMut<'a> [launch.groups() * wants_resultant],
        exponents: &'a mut Buffer<u64> [launch.groups() * wants_resultant],
        wants_resultant: bool,
        from: ElementsRef<'a>,
        spans: &'a Buffer<u32> [launch.groups() * 4],
        scale: Scale,
        fields: &'a Fields,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        work::euclid(k.fields.word(), launch.groups[0], launch.threads[0], k.lengths_of_pairs.0, false)
    }
}

kernel! {
    /// A divisor and its two cofactors for each group, a row each.
    unsafe struct WithCofactors<'a> for "cofactors" in launch {
        to: ElementsMut<'a> [launch.groups() * 3 * stride],
        stride: u32,
        from: ElementsRef<'a>,
        spans: &'a Buffer<u32> [launch.groups() * 4],
        scale: Scale,
        fields: &'a Fields,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        work::euclid(k.fields.word(), launch.groups[0], launch.threads[0], k.lengths_of_pairs.0, true)
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

/// Division, greatest common divisors and resultants of pairs of polynomials modulo an odd prime: below 2^31 in `u32`,
/// below 2^63 in `u64`.
///
/// Polynomials are canonical residues from the constant term upward, on the host; zeros at the end count for nothing.
/// A batch is one launch, or as many as its memory takes. n² multiplications or fewer a pair, and n barriers. Pairs that
/// are longer than the configuration's rows are taken by rounds of two launches, s steps at a time.
///
/// ```
/// use sunzi_device::{Device, Selection};
/// use sunzi_gpu::{Word, euclid::EuclidContext};
/// # fn main() -> Result<(), sunzi_device::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let (stream, context) = (device.stream()?, EuclidContext::new(&device, Word::U32, 101, 3)?);
/// let (a, b): (&[u32], &[u32]) = (&[100, 0, 1], &[1, 1]); // x² − 1, x + 1
/// assert_eq!(context.gcd_all(&stream, &[[a, b], [b, &[2]]])?, [vec![1, 1], vec![1]]);
/// assert_eq!(context.resultant_all(&stream, &[[a, b], [a, &[0, 1]]])?, [0, 100]);
/// let division = &context.divide_all(&stream, &[[a, b]])?[0];
/// assert_eq!((&division.quotient[..], &division.remainder[..]), (&[100, 1][..], &[][..]));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct EuclidContext {
    device: Device,
    fields: Fields,
    prime: u64,
    config: EuclidConfig,
    divide: Kernel,
    gcd: Kernel,
}

/// A polynomial without the zeros it ends with: the words of its coefficients, and how many coefficients it has.
#[derive(Clone, Copy)]
pub(super) struct Polynomial<'a> {
    pub words: &'a [u32],
    pub len: usize,
}

/// Two polynomials.
pub(super) type Polynomials<'a> = [Polynomial<'a>; 2];

/// Pairs on the device.
pub(super) struct Uploaded {
    pub coefficients: Elements,
    pub spans: Buffer<u32>,
}

/// Results of one pair, in the order in which callers are given them: a quotient and a remainder; a divisor, and its cofactors;
/// a resultant.
type Parts<'a> = [&'a [u32]; 3];

/// What was found of some pairs, in their order.
pub(super) struct Found {
    pub pairs: usize,
    pub rows: Vec<Rows>,
}

/// Words of results, each in a row that is filled up with zeros.
pub(super) struct Rows {
    pub words: Vec<u32>,
    /// Words of a row, and rows of a pair.
    pub row: usize,
    pub each: usize,
}

impl Found {
    fn parts(&self, pair: usize) -> Parts<'_> {
        let mut parts: Parts<'_> = [&[]; 3];
        let rows = self.rows.iter().flat_map(|rows| {
            let words = rows.each * rows.row;
            rows.words[pair * words..][..words].chunks(rows.row)
        });
        for (part, row) in parts.iter_mut().zip(rows) {
            *part = row;
        }
        parts
    }
}

/// The program.
fn source(fields: &Fields, config: &EuclidConfig) -> Source<'static> {
    beginning(NAME, fields, config).part(EUCLID)
}

/// The program for cofactors, whose groups share three times as much.
fn cofactor_source(fields: &Fields, config: &EuclidConfig) -> Source<'static> {
    beginning("Euclid's algorithm with cofactors", fields, config).part(COFACTORS)
}

/// What both begin with.
fn beginning(name: &'static str, fields: &Fields, config: &EuclidConfig) -> Source<'static> {
    fields
        .source(name, config.threads)
        .define("ROW", config.row)
        .part(SUMS)
        .part(POWERS)
        .part(STEPS)
}

impl EuclidContext {
    /// For coefficients in such words, in the configuration that suits the device for operands of up to `longest` coefficients;
    /// longer ones are taken, too.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no odd prime in the word's range, and for doubles; errors of the device.
    pub fn new(device: &Device, word: Word, prime: u64, longest: usize) -> Result<Self, GpuError> {
        let config = EuclidConfig::for_device(device.info(), word, longest);
        Self::with_config(device, word, prime, config)
    }

    /// In a given configuration.
    ///
    /// # Errors
    /// As [`EuclidContext::new`], and [`GpuError::Shape`] or [`GpuError::Limits`] for a configuration beyond the device's limits.
    pub fn with_config(
        device: &Device,
        word: Word,
        prime: u64,
        config: EuclidConfig,
    ) -> Result<Self, GpuError> {
        if word.is_double() {
            return Err(GpuError::Shape(
                "division and Euclid's algorithm take residues in integers: `u32` or `u64`"
                    .to_owned(),
            ));
        }
        let fields = Fields::new(&device.stream()?, word, &[prime], 0)?;
        let config = config.check(device.info(), word)?;
        let program = device.program(&source(&fields, &config))?;
        Ok(Self {
            fields,
            device: device.clone(),
            prime,
            config,
            divide: program.kernel("divide")?,
            gcd: program.kernel("gcd")?,
        })
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Memory for so many coefficients.
    pub(super) fn buffer(&self, len: usize) -> Result<Elements, GpuError> {
        Elements::uninit(&self.device, len, self.fields.word().width())
    }

    /// How pairs are laid out.
    pub const fn config(&self) -> EuclidConfig {
        self.config
    }

    /// Quotients and remainders.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a divisor that is 0, for what is no canonical residue, and for other words than the context's;
    /// [`GpuError::Limits`] for operands of 2^30 coefficients; [`GpuError::OutOfMemory`], before anything is computed, for a pair
    /// that the device's memory cannot hold; errors of the device.
    pub fn divide_all<E: ResidueWord>(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<Division<E>>, GpuError> {
        let pairs = self.checked(pairs)?;
        if let Some(place) = pairs.iter().position(|[_, b]| b.len == 0) {
            return Err(GpuError::Shape(format!(
                "pair {place} divides by zero: give divisors that are not 0"
            )));
        }
        let division = |[quotient, remainder, _]: Parts<'_>| Division {
            quotient: polynomial(quotient),
            remainder: polynomial(remainder),
        };
        self.of_all(stream, &pairs, Work::Division, division)
    }

    /// Monic greatest common divisors; that of two zeros is 0, which has no coefficients.
    ///
    /// # Errors
    /// As [`EuclidContext::divide_all`], but for zeros.
    pub fn gcd_all<E: ResidueWord>(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<Vec<E>>, GpuError> {
        let pairs = self.checked(pairs)?;
        self.of_all(stream, &pairs, Work::Gcd, |[gcd, ..]| polynomial(gcd))
    }

    /// Resultants: determinants of Sylvester's matrices; 0 where an operand is 0.
    ///
    /// # Errors
    /// As [`EuclidContext::gcd_all`].
    pub fn resultant_all<E: ResidueWord>(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<E>, GpuError> {
        let pairs = self.checked(pairs)?;
        let element = |[resultant, ..]: Parts<'_>| {
            bytemuck::pod_read_unaligned(bytemuck::cast_slice(resultant))
        };
        let mut resultants = self.of_all(stream, &pairs, Work::Resultant, element)?;
        for (resultant, pair) in resultants.iter_mut().zip(&pairs) {
            if pair.iter().any(|operand| operand.len == 0) {
                *resultant = E::zeroed();
            }
        }
        Ok(resultants)
    }

    /// Monic greatest common divisors with their cofactors; of two zeros 0, 1 and 0.
    ///
    /// ```
    /// use sunzi_device::{Device, Selection};
    /// use sunzi_gpu::{Word, euclid::EuclidContext};
    /// # fn main() -> Result<(), sunzi_device::GpuError> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let (stream, context) = (device.stream()?, EuclidContext::new(&device, Word::U32, 101, 3)?);
    /// let found = &context.xgcd_all(&stream, &[[&[1u32, 0, 1], &[0, 1]]])?[0]; // 1 = (x² + 1) − x·x
    /// assert_eq!((&found.gcd[..], &found.s[..], &found.t[..]), (&[1][..], &[1][..], &[0, 100][..]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`EuclidContext::gcd_all`].
    pub fn xgcd_all<E: ResidueWord>(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<Cofactors<E>>, GpuError> {
        let pairs = self.checked(pairs)?;
        let cofactors = |[gcd, s, t]: Parts<'_>| Cofactors {
            gcd: polynomial(gcd),
            s: polynomial(s),
            t: polynomial(t),
        };
        self.of_all(stream, &pairs, Work::Cofactors, cofactors)
    }

    /// Operands without zeros at their ends, if all can be computed with.
    fn checked<'a, E: ResidueWord>(
        &self,
        pairs: &[Pair<'a, E>],
    ) -> Result<Vec<Polynomials<'a>>, GpuError> {
        let (word, prime) = (self.fields.word(), self.prime);
        if E::WORD != word {
            return Err(GpuError::Shape(format!(
                "coefficients are in words {word:?}, not {:?}",
                E::WORD
            )));
        }
        let check = |(place, pair): (usize, &Pair<'a, E>)| {
            let pair = pair.map(|operand| {
                let last = operand.iter().rposition(|x| x.residue() != 0);
                &operand[..last.map_or(0, |place| place + 1)]
            });
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
            Ok(pair.map(|operand| Polynomial {
                words: bytemuck::cast_slice(operand),
                len: operand.len(),
            }))
        };
        pairs.iter().enumerate().map(check).collect()
    }

    /// What is made of the results of pairs, in their order.
    fn of_all<T>(
        &self,
        stream: &Stream,
        pairs: &[Polynomials<'_>],
        work: Work,
        make: impl Fn(Parts<'_>) -> T,
    ) -> Result<Vec<T>, GpuError> {
        let mut results: Vec<_> = pairs.iter().map(|_| None).collect();
        self.each(stream, pairs, work, &mut |number, parts| {
            results[number] = Some(make(parts));
        })?;
        Ok(results.into_iter().flatten().collect())
    }

    /// Computes with pairs whose operands a group of the configuration shares, and with longer ones, and hands out the results
    /// of each with its number.
    fn each(
        &self,
        stream: &Stream,
        pairs: &[Polynomials<'_>],
        work: Work,
        take: &mut dyn FnMut(usize, Parts<'_>),
    ) -> Result<(), GpuError> {
        let config = match work {
            Work::Cofactors => self.cofactor_config(),
            Work::Division | Work::Gcd | Work::Resultant => self.config,
        };
        let is_long =
            |&number: &usize| pairs[number].iter().any(|operand| operand.len > config.row);
        let (longs, shorts): (Vec<_>, Vec<_>) = (0..pairs.len()).partition(is_long);
        let of = |numbers: &[usize]| numbers.iter().map(|&n| pairs[n]).collect::<Vec<_>>();
        let mut numbers = longs.iter().chain(&shorts);
        let mut hand_out = |found: Found| {
            for (pair, &number) in (0..found.pairs).zip(&mut numbers) {
                take(number, found.parts(pair));
            }
        };
        // First those whose memory may be too short.
        self.by_rounds(stream, &of(&longs), work, &mut hand_out)?;
        let shorts = of(&shorts);
        for piece in shorts.chunks(self.piece(&shorts)) {
            let uploaded = self.upload(stream, piece)?;
            hand_out(Found {
                pairs: piece.len(),
                rows: match work {
                    Work::Division => self.division(stream, piece, &uploaded)?,
                    Work::Gcd => self.euclid(stream, piece, &uploaded, false)?,
                    Work::Resultant => self.euclid(stream, piece, &uploaded, true)?,
                    Work::Cofactors => self.cofactors(stream, piece, &uploaded)?,
                },
            });
        }
        Ok(())
    }

    /// Quotients and remainders.
    fn division(
        &self,
        stream: &Stream,
        piece: &[Polynomials<'_>],
        uploaded: &Uploaded,
    ) -> Result<Vec<Rows>, GpuError> {
        let longest = |len: fn(&Polynomials<'_>) -> usize| piece.iter().map(len).max();
        let q_stride = longest(|[a, b]| (a.len + 1).saturating_sub(b.len));
        let r_stride = longest(|[a, b]| a.len.min(b.len - 1));
        let [q_stride, r_stride] = [q_stride, r_stride].map(|stride| stride.unwrap_or(0).max(1));
        let mut quotients = self.buffer(piece.len() * q_stride)?;
        let mut remainders = self.buffer(piece.len() * r_stride)?;
        let parameters = Divide {
            quotients: quotients.as_mut(),
            q_stride: q_stride as u32,
            remainders: remainders.as_mut(),
            r_stride: r_stride as u32,
            from: uploaded.coefficients.as_ref(),
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: &self.fields,
            lengths_of_pairs: Note(longest_of(piece)),
        };
        stream.launch(&self.divide, self.launch(piece.len())?, parameters)?;
        Ok(vec![
            self.rows(stream, &quotients, q_stride, 1)?,
            self.rows(stream, &remainders, r_stride, 1)?,
        ])
    }

    /// Divisors; or resultants of pairs without a zero.
    fn euclid(
        &self,
        stream: &Stream,
        piece: &[Polynomials<'_>],
        uploaded: &Uploaded,
        wants_resultants: bool,
    ) -> Result<Vec<Rows>, GpuError> {
        let count = piece.len();
        let stride = longest_of(piece).into_iter().fold(1, usize::max);
        let noted = if wants_resultants {
            count * (self.config.row + 1)
        } else {
            1
        };
        let mut to = self.buffer(count * stride)?;
        let mut lengths = self.device.buffer::<u32>(count)?;
        let mut resultants = self.buffer(count)?;
        let mut trail = self.buffer(noted)?;
        let mut exponents = self.device.buffer::<u64>(noted)?;
        let parameters = Gcd {
            to: to.as_mut(),
            stride: stride as u32,
            lengths: &mut lengths,
            resultants: resultants.as_mut(),
            trail: trail.as_mut(),
            exponents: &mut exponents,
            wants_resultant: wants_resultants,
            from: uploaded.coefficients.as_ref(),
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: &self.fields,
            lengths_of_pairs: Note(longest_of(piece)),
        };
        stream.launch(&self.gcd, self.launch(count)?, parameters)?;
        Ok(vec![match wants_resultants {
            true => self.rows(stream, &resultants, 1, 1)?,
            false => self.rows(stream, &to, stride, 1)?,
        }])
    }

    /// The configuration of pairs whose cofactors are wanted.
    fn cofactor_config(&self) -> EuclidConfig {
        self.config
            .for_cofactors(self.device.info(), self.fields.word())
    }

    /// Divisors and their cofactors.
    fn cofactors(
        &self,
        stream: &Stream,
        piece: &[Polynomials<'_>],
        uploaded: &Uploaded,
    ) -> Result<Vec<Rows>, GpuError> {
        let config = self.cofactor_config();
        let shared_bytes = config.cofactor_bytes(self.device.info(), self.fields.word())?;
        let source = cofactor_source(&self.fields, &config);
        let kernel = self.device.program(&source)?.kernel("cofactors")?;
        let stride = longest_of(piece).into_iter().fold(1, usize::max);
        let mut to = self.buffer(3 * piece.len() * stride)?;
        let parameters = WithCofactors {
            to: to.as_mut(),
            stride: stride as u32,
            from: uploaded.coefficients.as_ref(),
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: &self.fields,
            lengths_of_pairs: Note(longest_of(piece)),
        };
        let launch = Launch::new(piece.len() as u64, self.config.threads, shared_bytes)?;
        stream.launch(&kernel, launch, parameters)?;
        Ok(vec![self.rows(stream, &to, stride, 3)?])
    }

    fn launch(&self, pairs: usize) -> Result<Launch, GpuError> {
        let config = &self.config;
        let shared_bytes = config.shared_bytes(self.fields.word());
        Launch::new(pairs as u64, config.threads, shared_bytes)
    }

    /// Rows of so many elements, of which a pair has `each`, on the host.
    pub(super) fn rows(
        &self,
        stream: &Stream,
        from: &Elements,
        stride: usize,
        each: usize,
    ) -> Result<Rows, GpuError> {
        Ok(Rows {
            words: read(stream, from.words())?,
            row: stride * self.fields.word().width(),
            each,
        })
    }

    /// Pairs that go to the device at a time: half of what is free holds their operands and results.
    fn piece(&self, pairs: &[Polynomials<'_>]) -> usize {
        let longest = longest_of(pairs).into_iter().fold(0, usize::max);
        let coefficients = 6 * longest + self.config.row + 8;
        let bytes = coefficients * self.fields.word().bytes() + 8 * (self.config.row + 4);
        let fit = self.device.memory_free() / 2 / bytes as u64;
        // Spans have 32 bits.
        let fit = fit.min((1 << 31) / (2 * longest.max(1)) as u64);
        usize::try_from(fit)
            .unwrap_or(usize::MAX)
            .clamp(1, self.config.pairs)
    }

    pub(super) fn upload(
        &self,
        stream: &Stream,
        piece: &[Polynomials<'_>],
    ) -> Result<Uploaded, GpuError> {
        let width = self.fields.word().width();
        let (mut words, mut start) = (Vec::new(), 0);
        let mut spans = Vec::with_capacity(4 * piece.len());
        for operand in piece.iter().flatten() {
            spans.extend([start as u32, operand.len as u32]);
            start += operand.len;
            words.extend_from_slice(operand.words);
        }
        if words.is_empty() {
            words.resize(width, 0);
        }
        Ok(Uploaded {
            coefficients: Elements::new(self.device.filled(stream, &words)?, width),
            spans: self.device.filled(stream, &spans)?,
        })
    }
}

/// Coefficients of the longest operands of either side.
pub(super) fn longest_of(pairs: &[Polynomials<'_>]) -> [usize; 2] {
    [0, 1].map(|side| pairs.iter().map(|pair| pair[side].len).max().unwrap_or(0))
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

/// The coefficients of a polynomial that is filled up with zeros.
fn polynomial<E: ResidueWord>(words: &[u32]) -> Vec<E> {
    let last = words.iter().rposition(|&word| word != 0);
    let len = last.map_or(0, |place| (place + 1).next_multiple_of(E::WORD.width()));
    bytemuck::pod_collect_to_vec(&words[..len])
}
