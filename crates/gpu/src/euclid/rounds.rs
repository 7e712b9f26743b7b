//! Pairs that no group can share, by rounds.
//!
//! In a round one group takes s steps for a pair with the leading 2s coefficients alone, and notes what they come to: a
//! matrix of polynomials of degree s. Many groups apply it to the whole rows. States of pairs stay on the device, and the
//! host submits as many rounds as pairs take whose degrees drop by one, then looks which of them are not done: each round
//! takes at least s off the lengths' sum.

use super::pairs::{Found, OnDevice, Polynomials, STEPS, Work, longest_of, read};
use super::plan::{CHUNK, EuclidConfig, outputs_each};
use super::work::{Round, of_pairs};
use crate::elements::{Elements, ElementsMut, ElementsRef};
use crate::field::{Fields, POWERS, SUMS, Scale};
use crate::word::Word;
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, GpuError, Kernel, Launch, Source, Stream, kernel};

/// The kernels.
const ROUNDS: &str = include_str!("rounds.cl");

kernel! {
    /// The first rows of pairs: a row of groups has a pair.
    unsafe struct Enter<'a> for "enter" in launch {
        rows: ElementsMut<'a> [launch.rows() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        from: ElementsRef<'a>,
        spans: &'a Buffer<u32> [launch.rows() * 4],
        scale: Scale,
        fields: &'a Fields,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        let both = k.lengths_of_pairs.0.iter().sum();
        of_pairs(k.fields.word(), launch.groups[1], 2 * both, (both, 1), 0)
    }
}

kernel! {
    /// Steps of Euclid's algorithm with leading coefficients: a group has a pair.
    unsafe struct Steps<'a> for "steps" in launch {
        states: &'a mut Buffer<u32> [launch.groups() * STATE as u128],
        matrices: ElementsMut<'a>,
        rows: ElementsRef<'a> [launch.groups() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        trail: ElementsMut<'a> [launch.groups() * notes],
        exponents: &'a mut Buffer<u64> [launch.groups() * notes],
        notes: u32,
        scale: Scale,
        fields: &'a Fields,
        round: Note<Round>,
    }
    work(k, launch) {
        k.round.0.steps(k.fields.word(), launch.groups[0])
    }
}

kernel! {
    /// Coefficients of quotients from leading ones: a group has a pair.
    unsafe struct Quotients<'a> for "quotients" in launch {
        states: &'a mut Buffer<u32> [launch.groups() * STATE as u128],
        matrices: ElementsMut<'a>,
        rows: ElementsRef<'a> [launch.groups() * 4 * stride],
        stride: u32,
        found: ElementsMut<'a> [launch.groups() * stride],
        scale: Scale,
        fields: &'a Fields,
        round: Note<Round>,
    }
    work(k, launch) {
        k.round.0.quotients(k.fields.word(), launch.groups[0])
    }
}

kernel! {
    /// What a round found, applied to whole rows: a row of groups has a part, a layer of them a pair.
    unsafe struct Apply<'a> for "apply" in launch {
        rows: ElementsMut<'a> [launch.layers() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        states: &'a Buffer<u32> [launch.layers() * STATE as u128],
        matrices: ElementsRef<'a>,
        fields: &'a Fields,
        round: Note<Round>,
        divides: Note<bool>,
    }
    work(k, launch) {
        k.round.0.apply(k.fields.word(), launch.groups[2], k.divides.0)
    }
}

kernel! {
    /// Results, a group for each pair.
    unsafe struct Leave<'a> for "leave" in launch {
        to: ElementsMut<'a> [launch.groups() * parts * stride],
        rows: ElementsRef<'a> [launch.groups() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        states: &'a Buffer<u32> [launch.groups() * STATE as u128],
        is_division: bool,
        resultants: ElementsMut<'a> [launch.groups()],
        trail: ElementsRef<'a> [launch.groups() * notes],
        exponents: &'a Buffer<u64> [launch.groups() * notes],
        notes: u32,
        scale: Scale,
        fields: &'a Fields,
    }
    work(k, launch) {
        let written = (k.parts * k.stride) as usize;
        of_pairs(k.fields.word(), launch.groups[0], 2 * written, (written, 1), 1)
    }
}

/// Words of a pair's state, and the places of some.
const STATE: usize = 32;
const DONE: usize = 21;

impl Work {
    /// Pairs of rows: the polynomials, and their s and t.
    const fn parts(self) -> usize {
        match self {
            Self::Cofactors => 3,
            Self::Division | Self::Gcd | Self::Resultant => 1,
        }
    }
}

/// The program.
fn source(fields: &Fields, config: &EuclidConfig) -> Source<'static> {
    let name = "division and Euclid's algorithm by rounds";
    fields
        .source(name, config.round_threads())
        // Compilers that are told nothing spill for the sake of more threads at a time.
        .define("RESIDENT", 1)
        .define("STEPS", config.steps)
        .define("EACH", outputs_each(fields.word()))
        .define("CHUNK", CHUNK)
        .part(SUMS)
        .part(POWERS)
        .part(STEPS)
        .part(ROUNDS)
}

/// Long pairs on the device.
struct Rounds<'a> {
    on: &'a OnDevice,
    stream: &'a Stream,
    work: Work,
    pairs: usize,
    stride: usize,
    /// Two sides of a row or three for each of two polynomials.
    rows: Elements,
    states: Buffer<u32>,
    matrices: Elements,
    quotients: Elements,
    /// As the resultants of short pairs note them.
    trail: Elements,
    exponents: Buffer<u64>,
    notes: usize,
    apply: Kernel,
    /// Of the longest operands, and how much the rounds so far have taken off them.
    lengths: [usize; 2],
    done: usize,
}

/// Bytes that a pair with rows of `stride` coefficients takes on a device, and of its longest buffer.
fn pair_bytes(config: &EuclidConfig, word: Word, parts: usize, stride: usize) -> [u64; 2] {
    let rows = 4 * parts * stride * word.bytes();
    // Operands, results, quotients or what resultants note.
    let others = (3 + parts) * stride * word.bytes() + 8 * (stride + 1);
    let matrix = 4 * (config.steps + 1) * word.bytes();
    [
        (rows + others + matrix + 4 * STATE + 64) as u64,
        rows as u64,
    ]
}

impl OnDevice {
    /// What is wanted of pairs, as many at a time as the device's memory takes.
    pub(super) fn by_rounds(
        &self,
        stream: &Stream,
        pairs: &[Polynomials<'_>],
        work: Work,
        take: &mut dyn FnMut(Found),
    ) -> Result<(), GpuError> {
        let Some(stride) = pairs.iter().flatten().map(|operand| operand.len).max() else {
            return Ok(());
        };
        let (device, config) = (&self.device, self.config);
        let [bytes, longest] = pair_bytes(&config, self.fields.word(), work.parts(), stride);
        let fit = (device.memory_free() / bytes).min(device.info().largest_buffer / longest);
        if fit == 0 {
            return Err(device.out_of_memory(bytes));
        }
        // Spans have 32 bits, and so have numbers of groups.
        let fit = fit.min((1 << 31) / (2 * stride) as u64).min(1 << 15);
        let most = usize::try_from(fit).unwrap_or(usize::MAX).min(config.pairs);
        for piece in pairs.chunks(most.max(1)) {
            let mut rounds = Rounds::new(self, stream, piece, work, stride)?;
            match work {
                Work::Division => rounds.divide(piece)?,
                Work::Gcd | Work::Cofactors | Work::Resultant => rounds.euclid(piece)?,
            }
            take(rounds.found()?);
        }
        Ok(())
    }
}

impl<'a> Rounds<'a> {
    fn new(
        on: &'a OnDevice,
        stream: &'a Stream,
        piece: &[Polynomials<'_>],
        work: Work,
        stride: usize,
    ) -> Result<Self, GpuError> {
        let (device, config) = (&on.device, on.config);
        let (pairs, parts) = (piece.len(), work.parts());
        let program = device.program(&source(&on.fields, &config))?;
        let notes = if work == Work::Resultant {
            stride + 1
        } else {
            0
        };
        let quotients = if work == Work::Division {
            pairs * stride
        } else {
            0
        };
        let mut states = vec![0; STATE * pairs];
        for (state, pair) in states.chunks_mut(STATE).zip(piece) {
            let [a, b] = pair.map(|operand| operand.len as u32);
            state[..6].copy_from_slice(&[a, b, 1, 0, 0, 1]);
        }
        let uploaded = on.upload(stream, piece)?;
        let mut rounds = Self {
            on,
            stream,
            work,
            pairs,
            stride,
            rows: on.buffer(4 * parts * pairs * stride)?,
            states: device.filled(stream, &states)?,
            matrices: on.buffer(4 * (config.steps + 1) * pairs)?,
            quotients: on.buffer(quotients)?,
            trail: on.buffer(notes * pairs)?,
            exponents: device.buffer(notes * pairs)?,
            notes,
            apply: program.kernel("apply")?,
            lengths: longest_of(piece),
            done: 0,
        };
        rounds.quotients.clear(stream)?;
        let parameters = Enter {
            rows: rounds.rows.as_mut(),
            stride: stride as u32,
            parts: parts as u32,
            from: uploaded.coefficients.as_ref(),
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: &on.fields,
            lengths_of_pairs: Note(rounds.lengths),
        };
        let threads = config.round_threads();
        let launch = Launch::rows(stride.div_ceil(threads) as u64, pairs, threads, 0)?;
        stream.launch(&program.kernel("enter")?, launch, parameters)?;
        Ok(rounds)
    }

    fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let source = source(&self.on.fields, &self.on.config);
        self.on.device.program(&source)?.kernel(name)
    }

    /// A group for each pair.
    fn launch(&self, shared_bytes: usize) -> Result<Launch, GpuError> {
        let threads = self.on.config.round_threads();
        Launch::new(self.pairs as u64, threads, shared_bytes)
    }

    /// A round: the kernel that finds matrices, and the one that applies them.
    fn round(&mut self, find: &Kernel) -> Result<(), GpuError> {
        let config = self.on.config;
        let (stride, parts) = (self.stride as u32, self.work.parts());
        let (scale, fields) = (Scale::ProductOne, &self.on.fields);
        let [of_steps, of_division, of_apply, _] = config.round_bytes(fields.word());
        let divides = self.work == Work::Division;
        let round = Round {
            config,
            lengths: self.lengths,
            done: self.done,
            parts,
        };
        if divides {
            let launch = self.launch(of_division)?;
            let parameters = Quotients {
                states: &mut self.states,
                matrices: self.matrices.as_mut(),
                rows: self.rows.as_ref(),
                stride,
                found: self.quotients.as_mut(),
                scale,
                fields,
                round: Note(round),
            };
            self.stream.launch(find, launch, parameters)?;
        } else {
            let launch = self.launch(of_steps)?;
            let parameters = Steps {
                states: &mut self.states,
                matrices: self.matrices.as_mut(),
                rows: self.rows.as_ref(),
                stride,
                parts: parts as u32,
                trail: self.trail.as_mut(),
                exponents: &mut self.exponents,
                notes: self.notes as u32,
                scale,
                fields,
                round: Note(round),
            };
            self.stream.launch(find, launch, parameters)?;
        }
        let parameters = Apply {
            rows: self.rows.as_mut(),
            stride,
            parts: parts as u32,
            states: &self.states,
            matrices: self.matrices.as_ref(),
            fields,
            round: Note(round),
            divides: Note(divides),
        };
        self.done += config.steps;
        let launch = Launch {
            groups: [
                self.stride.div_ceil(config.outputs(fields.word())),
                parts,
                self.pairs,
            ],
            threads: [config.round_threads(), 1, 1],
            shared_bytes: of_apply,
        };
        self.stream.launch(&self.apply, launch, parameters)
    }

    /// Rounds of division, of which the lengths tell how many there are.
    fn divide(&mut self, piece: &[Polynomials<'_>]) -> Result<(), GpuError> {
        let find = self.kernel("quotients")?;
        let lengths = piece.iter().map(|[a, b]| (a.len + 1).saturating_sub(b.len));
        let steps = self.on.config.steps;
        for _ in 0..lengths.max().unwrap_or(0).div_ceil(steps) {
            self.round(&find)?;
        }
        Ok(())
    }

    /// Rounds of Euclid's algorithm until all pairs are done.
    fn euclid(&mut self, piece: &[Polynomials<'_>]) -> Result<(), GpuError> {
        let find = self.kernel("steps")?;
        let steps = self.on.config.steps;
        let sums = piece.iter().map(|[a, b]| a.len + b.len);
        let mut left = sums.max().unwrap_or(0);
        loop {
            // The last one sees that nothing is left to do.
            for _ in 0..left / (2 * steps) + 2 {
                self.round(&find)?;
            }
            let states = read(self.stream, &self.states)?;
            let undone = states.chunks(STATE).filter(|state| state[DONE] == 0);
            let Some(now) = undone.map(|state| (state[0] + state[1]) as usize).max() else {
                return Ok(());
            };
            if now >= left {
                return Err(GpuError::Driver {
                    device: self.on.device.info().name.clone(),
                    call: "rounds of Euclid's algorithm",
                    code: format!("{now} coefficients were left over, as many as before"),
                });
            }
            left = now;
        }
    }

    /// Results on the host.
    fn found(self) -> Result<Found, GpuError> {
        let (on, stream) = (self.on, self.stream);
        let (stride, parts) = (self.stride, self.work.parts());
        let mut to = on.buffer(parts * self.pairs * stride)?;
        let mut resultants = on.buffer(self.pairs)?;
        let parameters = Leave {
            to: to.as_mut(),
            rows: self.rows.as_ref(),
            stride: stride as u32,
            parts: parts as u32,
            states: &self.states,
            is_division: self.work == Work::Division,
            resultants: resultants.as_mut(),
            trail: self.trail.as_ref(),
            exponents: &self.exponents,
            notes: self.notes as u32,
            scale: Scale::ProductOne,
            fields: &on.fields,
        };
        let [.., of_leave] = on.config.round_bytes(on.fields.word());
        stream.launch(&self.kernel("leave")?, self.launch(of_leave)?, parameters)?;
        let rows = |from, stride, each| on.rows(stream, from, stride, each);
        Ok(Found {
            pairs: self.pairs,
            rows: match self.work {
                Work::Division => vec![rows(&self.quotients, stride, 1)?, rows(&to, stride, 1)?],
                Work::Resultant => vec![rows(&resultants, 1, 1)?],
                Work::Gcd | Work::Cofactors => vec![rows(&to, stride, parts)?],
            },
        })
    }
}
