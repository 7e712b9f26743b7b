//! Division and Euclid's algorithm in batches: what is compiled for them, and how they run.

use super::pairs::{
    Found, OnDevice, Parts, Polynomial, Polynomials, Rows, STEPS, Uploaded, Work, longest_of,
    trimmed,
};
use super::plan::{EuclidConfig, NAME};
use super::work;
use crate::elements::{ElementsMut, ElementsRef};
use crate::field::{Fields, POWERS, SUMS, Scale};
use crate::word::{ResidueWord, Word};
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, kernel};

/// The kernels.
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

/// Two polynomials, coefficients from the constant term upward: in the words of a context, or those of 32 bits in their place.
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
/// use sunzi::gpu::{Device, EuclidContext, Selection, Word};
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
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
    on: OnDevice,
    divide: Kernel,
    gcd: Kernel,
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
        let on = OnDevice {
            device: device.clone(),
            fields,
            config,
        };
        Ok(Self {
            on,
            divide: program.kernel("divide")?,
            gcd: program.kernel("gcd")?,
        })
    }

    /// How pairs are laid out.
    pub const fn config(&self) -> EuclidConfig {
        self.on.config
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
            quotient: bytemuck::pod_collect_to_vec(quotient),
            remainder: bytemuck::pod_collect_to_vec(remainder),
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
        self.of_all(stream, &pairs, Work::Gcd, |[gcd, ..]| {
            bytemuck::pod_collect_to_vec(gcd)
        })
    }

    /// Resultants: determinants of Sylvester's matrices; 0 where an operand is 0. There is one for each pair, of as many words as
    /// the context's has.
    ///
    /// # Errors
    /// As [`EuclidContext::gcd_all`].
    pub fn resultant_all<E: ResidueWord>(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
    ) -> Result<Vec<E>, GpuError> {
        let pairs = self.checked(pairs)?;
        let width = self.on.fields.word().bytes() / size_of::<E>();
        let mut resultants = vec![E::zeroed(); width * pairs.len()];
        self.each(
            stream,
            &pairs,
            Work::Resultant,
            &mut |number, [words, ..]| {
                // One of a pair with a zero is 0, whatever was found.
                if pairs[number].iter().all(|operand| operand.len > 0) {
                    let resultant = &mut resultants[number * width..][..width];
                    bytemuck::cast_slice_mut(resultant)[..words.len()].copy_from_slice(words);
                }
            },
        )?;
        Ok(resultants)
    }

    /// Monic greatest common divisors with their cofactors; of two zeros 0, 1 and 0.
    ///
    /// ```
    /// use sunzi::gpu::{Device, EuclidContext, Selection, Word};
    /// # fn main() -> Result<(), sunzi::gpu::GpuError> {
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
            gcd: bytemuck::pod_collect_to_vec(gcd),
            s: bytemuck::pod_collect_to_vec(s),
            t: bytemuck::pod_collect_to_vec(t),
        };
        self.of_all(stream, &pairs, Work::Cofactors, cofactors)
    }

    /// Operands without zeros at their ends, if all can be computed with.
    fn checked<'a, E: ResidueWord>(
        &self,
        pairs: &[Pair<'a, E>],
    ) -> Result<Vec<Polynomials<'a>>, GpuError> {
        self.on.fields.check(E::WORD)?;
        let check = |(place, pair): (usize, &Pair<'a, E>)| {
            let [a, b] = pair.map(bytemuck::cast_slice);
            Ok([self.operand(place, a)?, self.operand(place, b)?])
        };
        pairs.iter().enumerate().map(check).collect()
    }

    /// An operand of the pair of this number.
    fn operand<'a>(&self, pair: usize, words: &'a [u32]) -> Result<Polynomial<'a>, GpuError> {
        let fields = &self.on.fields;
        let (width, prime) = (fields.word().width(), fields.moduli()[0].get());
        // Words that make no whole coefficient are left out.
        let words = trimmed(&words[..words.len() / width * width], width);
        let len = words.len() / width;
        if len >= MOST_LENGTH {
            return Err(GpuError::Limits {
                device: self.on.device.info().name.clone(),
                kernel: NAME.to_owned(),
                reason: format!(
                    "pair {pair} has an operand of {len} coefficients, and they are to be fewer than {MOST_LENGTH}"
                ),
            });
        }
        let is_outside = match width {
            1 => words.iter().any(|&word| u64::from(word) >= prime),
            _ => {
                let mut pairs = words.chunks_exact(2);
                pairs.any(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32 >= prime)
            }
        };
        if is_outside {
            return Err(GpuError::Shape(format!(
                "pair {pair} has a coefficient that is no residue modulo {prime}: they are from 0 to {}",
                prime - 1
            )));
        }
        Ok(Polynomial { words, len })
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
            Work::Division | Work::Gcd | Work::Resultant => self.on.config,
        };
        let is_long =
            |&number: &usize| pairs[number].iter().any(|operand| operand.len > config.row);
        let (longs, shorts): (Vec<_>, Vec<_>) = (0..pairs.len()).partition(is_long);
        let of = |numbers: &[usize]| numbers.iter().map(|&n| pairs[n]).collect::<Vec<_>>();
        let (width, mut numbers) = (self.on.fields.word().width(), longs.iter().chain(&shorts));
        let mut hand_out = |found: Found| {
            for (pair, &number) in (0..found.pairs).zip(&mut numbers) {
                take(number, found.parts(pair, width));
            }
        };
        // First those whose memory may be too short.
        self.on
            .by_rounds(stream, &of(&longs), work, &mut hand_out)?;
        let shorts = of(&shorts);
        for piece in shorts.chunks(self.piece(&shorts)) {
            let uploaded = self.on.upload(stream, piece)?;
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
        let mut quotients = self.on.buffer(piece.len() * q_stride)?;
        let mut remainders = self.on.buffer(piece.len() * r_stride)?;
        let parameters = Divide {
            quotients: quotients.as_mut(),
            q_stride: q_stride as u32,
            remainders: remainders.as_mut(),
            r_stride: r_stride as u32,
            from: uploaded.coefficients.as_ref(),
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: &self.on.fields,
            lengths_of_pairs: Note(longest_of(piece)),
        };
        stream.launch(&self.divide, self.launch(piece.len())?, parameters)?;
        Ok(vec![
            self.on.rows(stream, &quotients, q_stride, 1)?,
            self.on.rows(stream, &remainders, r_stride, 1)?,
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
            count * (self.on.config.row + 1)
        } else {
            1
        };
        let mut to = self.on.buffer(count * stride)?;
        let mut lengths = self.on.device.buffer::<u32>(count)?;
        let mut resultants = self.on.buffer(count)?;
        let mut trail = self.on.buffer(noted)?;
        let mut exponents = self.on.device.buffer::<u64>(noted)?;
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
            fields: &self.on.fields,
            lengths_of_pairs: Note(longest_of(piece)),
        };
        stream.launch(&self.gcd, self.launch(count)?, parameters)?;
        Ok(vec![match wants_resultants {
            true => self.on.rows(stream, &resultants, 1, 1)?,
            false => self.on.rows(stream, &to, stride, 1)?,
        }])
    }

    /// The configuration of pairs whose cofactors are wanted.
    fn cofactor_config(&self) -> EuclidConfig {
        self.on
            .config
            .for_cofactors(self.on.device.info(), self.on.fields.word())
    }

    /// Divisors and their cofactors.
    fn cofactors(
        &self,
        stream: &Stream,
        piece: &[Polynomials<'_>],
        uploaded: &Uploaded,
    ) -> Result<Vec<Rows>, GpuError> {
        let config = self.cofactor_config();
        let shared_bytes = config.cofactor_bytes(self.on.device.info(), self.on.fields.word())?;
        let source = cofactor_source(&self.on.fields, &config);
        let kernel = self.on.device.program(&source)?.kernel("cofactors")?;
        let stride = longest_of(piece).into_iter().fold(1, usize::max);
        let mut to = self.on.buffer(3 * piece.len() * stride)?;
        let parameters = WithCofactors {
            to: to.as_mut(),
            stride: stride as u32,
            from: uploaded.coefficients.as_ref(),
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: &self.on.fields,
            lengths_of_pairs: Note(longest_of(piece)),
        };
        let launch = Launch::new(piece.len() as u64, self.on.config.threads, shared_bytes)?;
        stream.launch(&kernel, launch, parameters)?;
        Ok(vec![self.on.rows(stream, &to, stride, 3)?])
    }

    fn launch(&self, pairs: usize) -> Result<Launch, GpuError> {
        let config = &self.on.config;
        let shared_bytes = config.shared_bytes(self.on.fields.word());
        Launch::new(pairs as u64, config.threads, shared_bytes)
    }

    /// Pairs that go to the device at a time: half of what is free holds their operands and results.
    fn piece(&self, pairs: &[Polynomials<'_>]) -> usize {
        let longest = longest_of(pairs).into_iter().fold(0, usize::max);
        let coefficients = 6 * longest + self.on.config.row + 8;
        let bytes = coefficients * self.on.fields.word().bytes() + 8 * (self.on.config.row + 4);
        let fit = self.on.device.memory_free() / 2 / bytes as u64;
        // Spans have 32 bits.
        let fit = fit.min((1 << 31) / (2 * longest.max(1)) as u64);
        usize::try_from(fit)
            .unwrap_or(usize::MAX)
            .clamp(1, self.on.config.pairs)
    }
}
