//! Vectors of residues modulo one prime, in the lanes of the processor.
//!
//! **Algorithm.** Chains over all vectors that there are, for some lanes at a time, so that nothing in between goes through
//! memory: sums of vectors times constants ([`Combination`]), and digits in mixed radix ([`NextDigit`]).

use sunzi_field::lanes::{Lanes, LanesField, LanesTask, MAX_LANES};
use sunzi_machine::{InstructionSet, arrays};

/// A multiplier as [`Lanes::prepare`] writes it.
pub type Entry<W> = [W; 2];

/// Vectors that go through a chain of products side by side, as each product waits for the one before.
const SIDE_BY_SIDE: usize = 4;

/// Canonical residues as multipliers for a kernel of the field.
pub fn prepared<F: LanesField<Elem: Default>>(
    field: &F,
    kernel: InstructionSet,
    factors: &[F::Elem],
) -> Vec<Entry<F::Elem>> {
    field.dispatch(kernel, Prepare { field, factors })
}

struct Prepare<'a, F: LanesField> {
    field: &'a F,
    factors: &'a [F::Elem],
}

impl<F: LanesField<Elem: Default>> LanesTask<F::Elem> for Prepare<'_, F> {
    type Output = Vec<Entry<F::Elem>>;

    #[inline(always)]
    fn run<L: Lanes<Word = F::Elem>>(self, lanes: L) -> Vec<Entry<F::Elem>> {
        let mut entries = vec![[F::Elem::default(); 2]; self.factors.len()];
        for (entry, &factor) in entries.iter_mut().zip(self.factors) {
            lanes.prepare(self.field.to_word(factor), &mut entry[..L::TWIDDLE_WORDS]);
        }
        entries
    }
}

/// `out[i] = Σ factors[t]·rows[t][i]`, canonical as the rows are, which are no shorter than `out`.
pub struct Combination<'a, W, R> {
    /// What is written.
    pub out: &'a mut [W],
    /// One for each factor.
    pub rows: &'a [R],
    /// Multipliers for the kernel.
    pub factors: &'a [Entry<W>],
}

impl<W: Copy + Default, R: AsRef<[W]>> LanesTask<W> for Combination<'_, W, R> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        let len = self.out.len();
        let mut from = 0;
        while len - from >= SIDE_BY_SIDE * L::LANES {
            let sums = self.sums(
                lanes,
                #[inline(always)]
                |row| load::<L, SIDE_BY_SIDE>(lanes, &row[from..]),
            );
            store(lanes, &mut self.out[from..], sums);
            from += SIDE_BY_SIDE * L::LANES;
        }
        if len - from > L::LANES {
            let sums = self.sums(
                lanes,
                #[inline(always)]
                |row| load_some::<L, SIDE_BY_SIDE>(lanes, &row[from..len]),
            );
            store_some(lanes, &mut self.out[from..], sums);
        } else if from < len {
            let sums = self.sums(
                lanes,
                #[inline(always)]
                |row| load_some::<L, 1>(lanes, &row[from..len]),
            );
            store_some(lanes, &mut self.out[from..], sums);
        }
    }
}

impl<W: Copy + Default, R: AsRef<[W]>> Combination<'_, W, R> {
    /// The canonical sums for some lanes.
    #[inline(always)]
    fn sums<L: Lanes<Word = W>, const V: usize>(
        &self,
        lanes: L,
        load: impl Fn(&[W]) -> [L::Vector; V],
    ) -> [L::Vector; V] {
        let mut sums = load_some(lanes, &[]);
        let (rows, rest) = self.rows.as_chunks::<3>();
        let (factors, last) = self.factors.as_chunks::<3>();
        for (row, factor) in rows.iter().zip(factors) {
            let [a, b, c] = [
                load(row[0].as_ref()),
                load(row[1].as_ref()),
                load(row[2].as_ref()),
            ];
            let factor = arrays::map(
                [&factor[0], &factor[1], &factor[2]],
                #[inline(always)]
                |factor| lanes.twiddle(factor),
            );
            for (v, sum) in sums.iter_mut().enumerate() {
                let x = [lanes.import(a[v]), lanes.import(b[v]), lanes.import(c[v])];
                *sum = lanes.add(*sum, lanes.scale3(x, factor));
            }
        }
        for (row, factor) in rest.iter().zip(last) {
            let factor = lanes.twiddle(factor);
            for (sum, x) in sums.iter_mut().zip(load(row.as_ref())) {
                *sum = lanes.add(*sum, lanes.scale(lanes.import(x), factor));
            }
        }
        arrays::map(
            sums,
            #[inline(always)]
            |sum| lanes.canonical(sum),
        )
    }
}

/// From residues modulo one more prime to digits in mixed radix, in place: `((r − v_0)/q_0 − v_1)/q_1 − …` (H. Garner, 1959).
/// Primes ascend, so that the digits before are residues as they stand; their rows are no shorter than `values`.
pub struct NextDigit<'a, W, D> {
    /// Residues that become digits.
    pub values: &'a mut [W],
    /// The values are in private form, and this multiple of them is taken; else they are canonical.
    pub scale: Option<&'a Entry<W>>,
    /// The digits before.
    pub known: &'a [D],
    /// The inverses of the primes before, as multipliers for the kernel.
    pub inverses: &'a [Entry<W>],
}

impl<W: Copy + Default, D: AsRef<[W]>> LanesTask<W> for NextDigit<'_, W, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        let len = self.values.len();
        let mut from = 0;
        while len - from >= SIDE_BY_SIDE * L::LANES {
            let digits = self.digits(
                lanes,
                load::<L, SIDE_BY_SIDE>(lanes, &self.values[from..]),
                #[inline(always)]
                |row| load::<L, SIDE_BY_SIDE>(lanes, &row[from..]),
            );
            store(lanes, &mut self.values[from..], digits);
            from += SIDE_BY_SIDE * L::LANES;
        }
        if from < len {
            let digits = self.digits(
                lanes,
                load_some::<L, SIDE_BY_SIDE>(lanes, &self.values[from..]),
                #[inline(always)]
                |row| load_some::<L, SIDE_BY_SIDE>(lanes, &row[from..len]),
            );
            store_some(lanes, &mut self.values[from..], digits);
        }
    }
}

impl<W: Copy + Default, D: AsRef<[W]>> NextDigit<'_, W, D> {
    /// The digits of some lanes.
    #[inline(always)]
    fn digits<L: Lanes<Word = W>, const V: usize>(
        &self,
        lanes: L,
        values: [L::Vector; V],
        load: impl Fn(&[W]) -> [L::Vector; V],
    ) -> [L::Vector; V] {
        let Some((last, inverses)) = self.inverses.split_last() else {
            let Some(scale) = self.scale else {
                return values;
            };
            let scale = lanes.twiddle(scale);
            return arrays::map(
                values,
                #[inline(always)]
                |x| lanes.export(x, scale),
            );
        };
        let mut x = arrays::map(
            values,
            #[inline(always)]
            |x| match self.scale {
                Some(scale) => lanes.scale(x, lanes.twiddle(scale)),
                None => lanes.import(x),
            },
        );
        for (known, inverse) in self.known.iter().zip(inverses) {
            let inverse = lanes.twiddle(inverse);
            for (x, digit) in x.iter_mut().zip(load(known.as_ref())) {
                *x = lanes.scale(lanes.sub(*x, lanes.import(digit)), inverse);
            }
        }
        let (known, last) = (
            load(self.known[inverses.len()].as_ref()),
            lanes.twiddle(last),
        );
        for (x, digit) in x.iter_mut().zip(known) {
            *x = lanes.export(lanes.sub(*x, lanes.import(digit)), last);
        }
        x
    }
}

/// The first vectors of a row, as they stand.
#[inline(always)]
fn load<L: Lanes, const V: usize>(lanes: L, row: &[L::Word]) -> [L::Vector; V] {
    let row = row[..V * L::LANES].as_ptr();
    arrays::from_fn(
        #[inline(always)]
        // SAFETY: the row has V vectors.
        |v| unsafe { lanes.load(row.add(v * L::LANES)) },
    )
}

/// The vectors of a row that may be shorter, with zeros behind.
#[inline(always)]
fn load_some<L: Lanes, const V: usize>(lanes: L, row: &[L::Word]) -> [L::Vector; V] {
    let mut words = [[L::Word::default(); MAX_LANES]; V];
    let words = words.as_flattened_mut();
    words[..row.len()].copy_from_slice(row);
    load(lanes, words)
}

/// Writes vectors to the front of a row.
#[inline(always)]
fn store<L: Lanes, const V: usize>(lanes: L, row: &mut [L::Word], vectors: [L::Vector; V]) {
    let row = row[..V * L::LANES].as_mut_ptr();
    for (v, vector) in vectors.into_iter().enumerate() {
        // SAFETY: the row has room for V vectors.
        unsafe { lanes.store(row.add(v * L::LANES), vector) };
    }
}

/// Writes as many words of the vectors as the row has.
#[inline(always)]
fn store_some<L: Lanes, const V: usize>(lanes: L, row: &mut [L::Word], vectors: [L::Vector; V]) {
    let mut words = [[L::Word::default(); MAX_LANES]; V];
    let words = words.as_flattened_mut();
    store(lanes, words, vectors);
    row.copy_from_slice(&words[..row.len()]);
}
