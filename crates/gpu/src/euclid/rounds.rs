//! Pairs that no group can share, by rounds.
//!
//! In a round one group takes s steps for a pair with the leading 2s coefficients alone, and notes what they come to: a
//! matrix of polynomials of degree s. Many groups apply it to the whole rows. States of pairs stay on the device, and the
//! host submits as many rounds as pairs take whose degrees drop by one, then looks which of them are not done: each round
//! takes at least s off the lengths' sum.

use super::context::{EuclidContext, Pair, STEPS, longest_of, read};
use super::plan::{CHUNK, EuclidConfig, outputs_each};
use super::work::{Round, of_pairs};
use crate::field::{POWERS, ResidueWord, SUMS, Scale, field_source};
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, GpuError, Kernel, Launch, Source, Stream, kernel};

/// The kernels.
const ROUNDS: &str = include_str!("rounds.cl");

kernel! {
    /// The first rows of pairs: a row of groups has a pair.
    struct Enter<'a, E: ResidueWord> for "enter" in launch {
        rows: &'a mut Buffer<E> [launch.rows() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        from: &'a Buffer<E>,
        spans: &'a Buffer<u32> [launch.rows() * 4],
        scale: Scale,
        fields: &'a Buffer<E>,
        lengths_of_pairs: Note<[usize; 2]>,
    }
    work(k, launch) {
        let both = k.lengths_of_pairs.0.iter().sum();
        of_pairs::<E>(launch.groups[1], 2 * both, (both, 1), 0)
    }
}

kernel! {
    /// Steps of Euclid's algorithm with leading coefficients: a group has a pair.
    struct Steps<'a, E: ResidueWord> for "steps" in launch {
        states: &'a mut Buffer<u32> [launch.groups() * STATE as u128],
        matrices: &'a mut Buffer<E>,
        rows: &'a Buffer<E> [launch.groups() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        trail: &'a mut Buffer<E> [launch.groups() * notes],
        exponents: &'a mut Buffer<u64> [launch.groups() * notes],
        notes: u32,
        scale: Scale,
        fields: &'a Buffer<E>,
        round: Note<Round>,
    }
    work(k, launch) {
        k.round.0.steps::<E>(launch.groups[0])
    }
}

kernel! {
    /// Coefficients of quotients from leading ones: a group has a pair.
    struct Quotients<'a, E: ResidueWord> for "quotients" in launch {
        states: &'a mut Buffer<u32> [launch.groups() * STATE as u128],
        matrices: &'a mut Buffer<E>,
        rows: &'a Buffer<E> [launch.groups() * 4 * stride],
        stride: u32,
        found: &'a mut Buffer<E> [launch.groups() * stride],
        scale: Scale,
        fields: &'a Buffer<E>,
        round: Note<Round>,
    }
    work(k, launch) {
        k.round.0.quotients::<E>(launch.groups[0])
    }
}

kernel! {
    /// What a round found, applied to whole rows: a row of groups has a part, a layer of them a pair.
    struct Apply<'a, E: ResidueWord> for "apply" in launch {
        rows: &'a mut Buffer<E> [launch.layers() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        states: &'a Buffer<u32> [launch.layers() * STATE as u128],
        matrices: &'a Buffer<E>,
        fields: &'a Buffer<E>,
        round: Note<Round>,
        divides: Note<bool>,
    }
    work(k, launch) {
        k.round.0.apply::<E>(launch.groups[2], k.divides.0)
    }
}

kernel! {
    /// Results, a group for each pair.
    struct Leave<'a, E: ResidueWord> for "leave" in launch {
        to: &'a mut Buffer<E> [launch.groups() * parts * stride],
        rows: &'a Buffer<E> [launch.groups() * 4 * parts * stride],
        stride: u32,
        parts: u32,
        states: &'a Buffer<u32> [launch.groups() * STATE as u128],
        is_division: bool,
        resultants: &'a mut Buffer<E> [launch.groups()],
        trail: &'a Buffer<E> [launch.groups() * notes],
        exponents: &'a Buffer<u64> [launch.groups() * notes],
        notes: u32,
        scale: Scale,
        fields: &'a Buffer<E>,
    }
    work(k, launch) {
        let written = (k.parts * k.stride) as usize;
        of_pairs::<E>(launch.groups[0], 2 * written, (written, 1), 1)
    }
}

/// Words of a pair's state, and the places of some.
const STATE: usize = 32;
const DONE: usize = 21;

/// What is computed of long pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Division,
    Gcd,
    Cofactors,
    Resultant,
}

impl Work {
    /// Pairs of rows: the polynomials, and their s and t.
    const fn parts(self) -> usize {
        match self {
            Self::Cofactors => 3,
            Self::Division | Self::Gcd | Self::Resultant => 1,
        }
    }
}

/// What was found of long pairs.
pub(crate) struct Found<E> {
    /// Elements of a row.
    pub stride: usize,
    /// For each pair a row, or three with cofactors, filled up with zeros.
    pub rows: Vec<E>,
    /// For each pair a row, where they were divided.
    pub quotients: Vec<E>,
    /// For each pair one, if they were wanted.
    pub resultants: Vec<E>,
}

/// The program.
pub(crate) fn source<E: ResidueWord>(config: &EuclidConfig, spare: bool) -> Source<'static> {
    let name = "division and Euclid's algorithm by rounds";
    field_source::<E>(name, config.round_threads(), spare)
        // Compilers that are told nothing spill for the sake of more threads at a time.
        .define("RESIDENT", 1)
        .define("STEPS", config.steps)
        .define("EACH", outputs_each::<E>())
        .define("CHUNK", CHUNK)
        .part(SUMS)
        .part(POWERS)
        .part(STEPS)
        .part(ROUNDS)
}

/// Long pairs on the device.
struct Rounds<'a, E: ResidueWord> {
    context: &'a EuclidContext<E>,
    stream: &'a Stream,
    work: Work,
    pairs: usize,
    stride: usize,
    /// Two sides of a row or three for each of two polynomials.
    rows: Buffer<E>,
    states: Buffer<u32>,
    matrices: Buffer<E>,
    quotients: Buffer<E>,
    /// As the resultants of short pairs note them.
    trail: Buffer<E>,
    exponents: Buffer<u64>,
    notes: usize,
    apply: Kernel,
    /// Of the longest operands, and how much the rounds so far have taken off them.
    lengths: [usize; 2],
    done: usize,
}

/// Bytes that a pair with rows of `stride` coefficients takes on a device, and of its longest buffer.
pub(crate) fn pair_bytes<E>(config: &EuclidConfig, parts: usize, stride: usize) -> [u64; 2] {
    let rows = 4 * parts * stride * size_of::<E>();
    // Operands, results, quotients or what resultants note.
    let others = (3 + parts) * stride * size_of::<E>() + 8 * (stride + 1);
    let matrix = 4 * (config.steps + 1) * size_of::<E>();
    [
        (rows + others + matrix + 4 * STATE + 64) as u64,
        rows as u64,
    ]
}

impl<E: ResidueWord> EuclidContext<E> {
    /// What is wanted of pairs, as many at a time as the device's memory takes.
    pub(crate) fn by_rounds(
        &self,
        stream: &Stream,
        pairs: &[Pair<'_, E>],
        work: Work,
        mut take: impl FnMut(Found<E>),
    ) -> Result<(), GpuError> {
        let Some(stride) = pairs.iter().flatten().map(|operand| operand.len()).max() else {
            return Ok(());
        };
        let (device, config) = (self.device(), self.config());
        let [bytes, longest] = pair_bytes::<E>(&config, work.parts(), stride);
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

impl<'a, E: ResidueWord> Rounds<'a, E> {
    fn new(
        context: &'a EuclidContext<E>,
        stream: &'a Stream,
        piece: &[Pair<'_, E>],
        work: Work,
        stride: usize,
    ) -> Result<Self, GpuError> {
        let (device, config) = (context.device(), context.config());
        let (pairs, parts) = (piece.len(), work.parts());
        let program = device.program(&source::<E>(&config, context.is_spare()))?;
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
            let [a, b] = pair.map(|operand| operand.len() as u32);
            state[..6].copy_from_slice(&[a, b, 1, 0, 0, 1]);
        }
        let uploaded = context.upload(stream, piece)?;
        let mut rounds = Self {
            context,
            stream,
            work,
            pairs,
            stride,
            rows: device.buffer(4 * parts * pairs * stride)?,
            states: device.filled(stream, &states)?,
            matrices: device.buffer(4 * (config.steps + 1) * pairs)?,
            quotients: device.buffer(quotients)?,
            trail: device.buffer(notes * pairs)?,
            exponents: device.buffer(notes * pairs)?,
            notes,
            apply: program.kernel("apply")?,
            lengths: longest_of(piece),
            done: 0,
        };
        stream.clear(&mut rounds.quotients, 0, quotients)?;
        let parameters = Enter {
            rows: &mut rounds.rows,
            stride: stride as u32,
            parts: parts as u32,
            from: &uploaded.coefficients,
            spans: &uploaded.spans,
            scale: Scale::ProductOne,
            fields: context.fields(),
            lengths_of_pairs: Note(rounds.lengths),
        };
        let threads = config.round_threads();
        let launch = Launch::rows(stride.div_ceil(threads) as u64, pairs, threads, 0)?;
        stream.launch(&program.kernel("enter")?, launch, parameters)?;
        Ok(rounds)
    }

    fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let config = self.context.config();
        let source = source::<E>(&config, self.context.is_spare());
        self.context.device().program(&source)?.kernel(name)
    }

    /// A group for each pair.
    fn launch(&self, shared_bytes: usize) -> Result<Launch, GpuError> {
        let threads = self.context.config().round_threads();
        Launch::new(self.pairs as u64, threads, shared_bytes)
    }

    /// A round: the kernel that finds matrices, and the one that applies them.
    fn round(&mut self, find: &Kernel) -> Result<(), GpuError> {
        let config = self.context.config();
        let (stride, parts) = (self.stride as u32, self.work.parts());
        let [of_steps, of_division, of_apply, _] = config.round_bytes::<E>();
        let (scale, fields) = (Scale::ProductOne, self.context.fields());
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
                matrices: &mut self.matrices,
                rows: &self.rows,
                stride,
                found: &mut self.quotients,
                scale,
                fields,
                round: Note(round),
            };
            self.stream.launch(find, launch, parameters)?;
        } else {
            let launch = self.launch(of_steps)?;
            let parameters = Steps {
                states: &mut self.states,
                matrices: &mut self.matrices,
                rows: &self.rows,
                stride,
                parts: parts as u32,
                trail: &mut self.trail,
                exponents: &mut self.exponents,
                notes: self.notes as u32,
                scale,
                fields,
                round: Note(round),
            };
            self.stream.launch(find, launch, parameters)?;
        }
        let parameters = Apply {
            rows: &mut self.rows,
            stride,
            parts: parts as u32,
            states: &self.states,
            matrices: &self.matrices,
            fields,
            round: Note(round),
            divides: Note(divides),
        };
        self.done += config.steps;
        let launch = Launch {
            groups: [
                self.stride.div_ceil(config.outputs::<E>()),
                parts,
                self.pairs,
            ],
            threads: [config.round_threads(), 1, 1],
            shared_bytes: of_apply,
        };
        self.stream.launch(&self.apply, launch, parameters)
    }

    /// Rounds of division, of which the lengths tell how many there are.
    fn divide(&mut self, piece: &[Pair<'_, E>]) -> Result<(), GpuError> {
        let find = self.kernel("quotients")?;
        let lengths = piece
            .iter()
            .map(|[a, b]| (a.len() + 1).saturating_sub(b.len()));
        let steps = self.context.config().steps;
        for _ in 0..lengths.max().unwrap_or(0).div_ceil(steps) {
            self.round(&find)?;
        }
        Ok(())
    }

    /// Rounds of Euclid's algorithm until all pairs are done.
    fn euclid(&mut self, piece: &[Pair<'_, E>]) -> Result<(), GpuError> {
        let find = self.kernel("steps")?;
        let steps = self.context.config().steps;
        let sums = piece.iter().map(|[a, b]| a.len() + b.len());
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
                let context = self.context;
                return Err(GpuError::Driver {
                    device: context.device().info().name.clone(),
                    call: "rounds of Euclid's algorithm",
                    code: format!("{now} coefficients were left over, as many as before"),
                });
            }
            left = now;
        }
    }

    /// Results on the host.
    fn found(self) -> Result<Found<E>, GpuError> {
        let (device, stream) = (self.context.device(), self.stream);
        let (stride, parts) = (self.stride, self.work.parts());
        let mut to = device.buffer::<E>(parts * self.pairs * stride)?;
        let mut resultants = device.buffer::<E>(self.pairs)?;
        let parameters = Leave {
            to: &mut to,
            rows: &self.rows,
            stride: stride as u32,
            parts: parts as u32,
            states: &self.states,
            is_division: self.work == Work::Division,
            resultants: &mut resultants,
            trail: &self.trail,
            exponents: &self.exponents,
            notes: self.notes as u32,
            scale: Scale::ProductOne,
            fields: self.context.fields(),
        };
        let [.., of_leave] = self.context.config().round_bytes::<E>();
        stream.launch(&self.kernel("leave")?, self.launch(of_leave)?, parameters)?;
        let read_if = |wanted, from| match wanted {
            true => read(stream, from),
            false => Ok(Vec::new()),
        };
        Ok(Found {
            stride,
            rows: read(stream, &to)?,
            quotients: read_if(self.work == Work::Division, &self.quotients)?,
            resultants: read_if(self.work == Work::Resultant, &resultants)?,
        })
    }
}
