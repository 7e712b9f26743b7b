//! Subresultants of many pairs of polynomials at once, a pair a lane.
//!
//! **Problem.** The S_j in demand of a_x and b_x, of formal degrees m ≥ n ≥ 1 in y, for many points x. **Algorithm.** Euclid's
//! with pseudo-remainders. Let S_{j+1} = U/D be regular, S_j = V/E of degree k ≤ j, δ = j + 1 − k, u and v the leading
//! coefficients of U and V, and d = E/D. Then the fundamental theorem of subresultants (L. Ducos, *Optimizations of the
//! subresultant algorithm*, 2000) reads
//!
//! - S_k = v^(δ−1)·V/(E·(du)^(δ−1)),
//! - S_{k−1} = (−1)^(δ−1)·prem(U, V)/(E·(du)^δ·u), and the next d is d·u²,
//!
//! so that no lane divides before the end. **Degrees.** Lanes go in lockstep: a degree drops where the coefficient vanishes in
//! all of them. In a lane where it vanishes alone, it makes a denominator 0: that lane is told, and must be redone. **Cost.**
//! Three products and one reduction for each coefficient where degrees drop by one.

use sunzi_field::lanes::{Lanes, LanesField, LanesTask, MAX_LANES};

/// Degrees and demands that all points have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChainShape {
    /// Formal degrees in y, the greater first; the lesser is positive.
    degrees: [usize; 2],
    /// Which S_j are in demand, ascending, below the lesser degree; one at least.
    wanted: Vec<usize>,
}

impl ChainShape {
    pub(super) fn new(degrees: [usize; 2], wanted: Vec<usize>) -> Self {
        debug_assert!(degrees[0] >= degrees[1] && degrees[1] > 0 && !wanted.is_empty());
        debug_assert!(wanted.is_sorted() && wanted.iter().all(|&j| j < degrees[1]));
        Self { degrees, wanted }
    }

    pub(super) fn degrees(&self) -> [usize; 2] {
        self.degrees
    }

    pub(super) fn wanted(&self) -> &[usize] {
        &self.wanted
    }

    /// Rows of values that go in: the coefficients of both polynomials.
    pub(super) fn rows_in(&self) -> usize {
        self.degrees[0] + self.degrees[1] + 2
    }

    /// Rows of values that come out: j + 1 coefficients of each S_j in demand.
    pub(super) fn rows_out(&self) -> usize {
        self.wanted.iter().map(|j| j + 1).sum()
    }

    /// The first row of the subresultant at this place among those in demand.
    pub(super) fn first_row(&self, place: usize) -> usize {
        self.wanted[..place].iter().map(|j| j + 1).sum()
    }
}

/// Chains at some points.
pub(super) struct Lockstep<'a, F: LanesField> {
    pub(super) field: &'a F,
    pub(super) shape: &'a ChainShape,
    /// Canonical values of the coefficients, a row each, those of the second polynomial behind those of the first.
    pub(super) values: &'a [F::Elem],
    /// Words from row to row in `values`.
    pub(super) stride: usize,
    /// Points: a multiple of [`MAX_LANES`].
    pub(super) points: usize,
    /// For the canonical coefficients of the S_j: rows of as many words as there are points.
    pub(super) out: &'a mut [F::Elem],
}

impl<F: LanesField> LanesTask<F::Elem> for Lockstep<'_, F> {
    /// The points whose results are not to be used.
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<L: Lanes<Word = F::Elem>>(self, lanes: L) -> Vec<usize> {
        debug_assert_eq!(self.points % MAX_LANES, 0);
        let rows_in = self.shape.rows_in();
        assert!(
            self.values.len() >= (rows_in - 1) * self.stride + self.points,
            "all values"
        );
        assert!(
            self.stride >= self.points && self.out.len() == self.shape.rows_out() * self.points
        );
        let constants = Constants::new(lanes, self.field);
        let mut group = Group::new(lanes, self.shape, constants);
        let groups = self.points / L::LANES;
        let mut denominators = Vec::with_capacity(groups * self.shape.wanted.len());
        let mut bad = Vec::new();
        for index in 0..groups {
            let start = index * L::LANES;
            for (row, place) in group.u.iter_mut().chain(&mut group.v).enumerate() {
                // SAFETY: the row's words of these lanes are among the values, as asserted.
                let word =
                    unsafe { lanes.load(self.values.as_ptr().add(row * self.stride + start)) };
                *place = lanes.scale(lanes.import(word), constants.into_form);
            }
            let check = group.run();
            for (lane, _) in vanishing(lanes, check) {
                bad.push(start + lane);
            }
            for (row, &coefficient) in group.out.iter().enumerate() {
                // SAFETY: the row's words of these lanes are among those of `out`, as asserted.
                unsafe {
                    lanes.store(
                        self.out.as_mut_ptr().add(row * self.points + start),
                        coefficient,
                    )
                };
            }
            denominators.append(&mut group.denominators);
            group.reset();
        }
        let inverses = invert(lanes, self.field, constants, denominators);
        let mut row = 0;
        for (place, &j) in self.shape.wanted.iter().enumerate() {
            for row in row..=row + j {
                for index in 0..groups {
                    let start = row * self.points + index * L::LANES;
                    let inverse = inverses[index * self.shape.wanted.len() + place];
                    // SAFETY: words of `out`, as above.
                    unsafe {
                        let at = self.out.as_mut_ptr().add(start);
                        lanes.store(at, lanes.canonical(lanes.mul(lanes.load(at), inverse)));
                    }
                }
            }
            row += j + 1;
        }
        bad
    }
}

/// Constants of an arithmetic. A residue a is kept as its form a/c, c the factor of products: so the product of two forms is
/// the form of the product.
struct Constants<L: Lanes> {
    zero: L::Vector,
    /// The form of 1.
    one: L::Vector,
    into_form: L::Twiddle,
}

impl<L: Lanes> Clone for Constants<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Lanes> Copy for Constants<L> {}

impl<L: Lanes> Constants<L> {
    #[inline(always)]
    fn new<F: LanesField<Elem = L::Word>>(lanes: L, field: &F) -> Self {
        let factor = field.from_word(lanes.mul_factor());
        // The factor is a power of 2, modulo an odd prime.
        let inverse = field.inv(factor).unwrap_or(field.one());
        let mut entry = [L::Word::default(); 2];
        lanes.prepare(field.to_word(inverse), &mut entry[..L::TWIDDLE_WORDS]);
        Self {
            zero: splat(lanes, field.zero()),
            one: splat(lanes, inverse),
            into_form: lanes.twiddle(&entry),
        }
    }
}

/// All lanes equal to a canonical residue.
#[inline(always)]
fn splat<L: Lanes>(lanes: L, word: L::Word) -> L::Vector {
    let words = [word; MAX_LANES];
    // SAFETY: an array of as many words as any vector has lanes.
    lanes.import(unsafe { lanes.load(words.as_ptr()) })
}

/// The canonical residues in the lanes.
#[inline(always)]
fn words<L: Lanes>(lanes: L, vector: L::Vector) -> [L::Word; MAX_LANES] {
    let mut words = [L::Word::default(); MAX_LANES];
    // SAFETY: an array of as many words as any vector has lanes.
    unsafe { lanes.store(words.as_mut_ptr(), lanes.canonical(vector)) };
    words
}

/// The lanes that are 0, with their words.
#[inline(always)]
fn vanishing<L: Lanes<Word: PartialEq>>(
    lanes: L,
    vector: L::Vector,
) -> impl Iterator<Item = (usize, L::Word)> {
    let words = words(lanes, vector).into_iter().take(L::LANES);
    words
        .enumerate()
        .filter(|(_, word)| *word == L::Word::default())
}

/// Whether all lanes are 0.
#[inline(always)]
fn vanishes<L: Lanes<Word: PartialEq>>(lanes: L, vector: L::Vector) -> bool {
    let words = words(lanes, vector);
    words[..L::LANES]
        .iter()
        .all(|word| *word == L::Word::default())
}

/// The points of one vector.
struct Group<'a, L: Lanes> {
    lanes: L,
    constants: Constants<L>,
    shape: &'a ChainShape,
    /// U and V, from the constant term upward; a and b at first.
    u: Vec<L::Vector>,
    v: Vec<L::Vector>,
    /// The S_j in demand times their denominators, which are kept one for each.
    out: Vec<L::Vector>,
    denominators: Vec<L::Vector>,
}

impl<'a, L: Lanes<Word: PartialEq>> Group<'a, L> {
    #[inline(always)]
    fn new(lanes: L, shape: &'a ChainShape, constants: Constants<L>) -> Self {
        let mut group = Self {
            lanes,
            constants,
            shape,
            u: Vec::new(),
            v: Vec::new(),
            out: Vec::new(),
            denominators: Vec::new(),
        };
        group.reset();
        group
    }

    /// As it was at first, but for the values of a and b.
    #[inline(always)]
    fn reset(&mut self) {
        let Constants { zero, one, .. } = self.constants;
        let [m, n] = self.shape.degrees;
        self.u.resize(m + 1, zero);
        self.v.resize(n + 1, zero);
        self.out.clear();
        self.out.resize(self.shape.rows_out(), zero);
        self.denominators.resize(self.shape.wanted.len(), one);
    }

    /// The S_j in demand; gives what is 0 in lanes where they are wrong.
    #[inline(always)]
    fn run(&mut self) -> L::Vector {
        let (lanes, one) = (self.lanes, self.constants.one);
        let lowest = self.shape.wanted[0];
        // u, d·u and E of the header, and what must not vanish besides them. As if a were regular of leading coefficient 1.
        let (mut leading, mut du, mut e, mut guard) = (one, one, one, one);
        loop {
            let (degree, drop) = (self.v.len() - 1, self.u.len() - self.v.len());
            let d = lanes.mul(du, leading);
            e = lanes.mul(lanes.mul(e, self.power(du, drop)), leading);
            self.step(drop);
            leading = self.u[degree];
            // If both degrees are n, the regular S_n is b over its leading coefficient.
            du = if drop == 0 {
                one
            } else {
                lanes.mul(d, leading)
            };
            let index = degree - 1;
            let mut len = degree;
            while len > 0 && vanishes(lanes, self.v[len - 1]) {
                len -= 1;
            }
            self.put(index, one, len, e);
            if len == 0 {
                // S_degree is a common divisor, if it is regular.
                return lanes.mul(lanes.mul(e, leading), guard);
            }
            if len == degree {
                if index <= lowest {
                    return lanes.mul(e, guard);
                }
                continue;
            }
            // Defective: those between are 0, and it reappears at the index that is its degree.
            let top = self.v[len - 1];
            guard = lanes.mul(guard, top);
            let gap = degree - len;
            let factor = self.power(top, gap);
            let denominator = lanes.mul(e, self.power(du, gap));
            self.put(len - 1, factor, len, denominator);
            if len - 1 <= lowest {
                return lanes.mul(lanes.mul(e, leading), guard);
            }
            self.v.truncate(len);
        }
    }

    /// From (U, V) to (v^(δ−1)·V, (−1)^(δ−1)·prem(U, V)).
    #[inline(always)]
    fn step(&mut self, drop: usize) {
        let (lanes, zero) = (self.lanes, self.constants.zero);
        let degree = self.v.len() - 1;
        let (a, b) = (self.u[degree + drop], self.v[degree]);
        // No closures: they would be compiled without the instruction set.
        let minus_b = lanes.sub(zero, b);
        match drop {
            0 => {
                let factors = [minus_b, a, zero];
                for (u, &v) in self.u[..degree].iter_mut().zip(&self.v) {
                    *u = lanes.combine3(factors, [*u, v, zero]);
                }
            }
            1 => {
                let (next_a, next_b) = (self.u[degree], self.v[degree - 1]);
                let constant = lanes.sub(lanes.mul(a, next_b), lanes.mul(b, next_a));
                let factors = [lanes.mul(b, b), constant, lanes.mul(a, minus_b)];
                let mut before = zero;
                for (u, &v) in self.u[..degree].iter_mut().zip(&self.v) {
                    *u = lanes.combine3(factors, [*u, v, before]);
                    before = v;
                }
            }
            _ => {
                for shift in (0..=drop).rev() {
                    let top = self.u[degree + shift];
                    // The sign of the last step is that of the remainder.
                    let mut factors = [b, lanes.sub(zero, top), zero];
                    if shift == 0 && drop.is_multiple_of(2) {
                        factors = [minus_b, top, zero];
                    }
                    let (low, high) = self.u[..degree + shift].split_at_mut(shift);
                    for u in low {
                        *u = lanes.mul(*u, b);
                    }
                    for (u, &v) in high.iter_mut().zip(&self.v) {
                        *u = lanes.combine3(factors, [*u, v, zero]);
                    }
                }
                let factor = self.power(b, drop - 1);
                for v in &mut self.v {
                    *v = lanes.mul(*v, factor);
                }
            }
        }
        self.u.truncate(degree);
        std::mem::swap(&mut self.u, &mut self.v);
    }

    /// `base^exponent`; few products, as degrees hardly drop by many.
    #[inline(always)]
    fn power(&self, base: L::Vector, exponent: usize) -> L::Vector {
        let mut power = if exponent == 0 {
            self.constants.one
        } else {
            base
        };
        for _ in 1..exponent {
            power = self.lanes.mul(power, base);
        }
        power
    }

    /// V times a factor is S_`index` times this denominator.
    #[inline(always)]
    fn put(&mut self, index: usize, factor: L::Vector, len: usize, denominator: L::Vector) {
        let Ok(place) = self.shape.wanted.binary_search(&index) else {
            return;
        };
        let row = self.shape.first_row(place);
        for (out, &v) in self.out[row..].iter_mut().zip(&self.v[..len]) {
            *out = self.lanes.mul(v, factor);
        }
        self.denominators[place] = denominator;
    }
}

/// What coefficients are to be multiplied by, to be divided by these denominators and taken out of their form; anything where
/// they are 0.
///
/// Montgomery's trick along the vectors: three products for each of them, and one inversion for each lane.
#[inline(always)]
fn invert<L: Lanes<Word: PartialEq>, F: LanesField<Elem = L::Word>>(
    lanes: L,
    field: &F,
    constants: Constants<L>,
    mut denominators: Vec<L::Vector>,
) -> Vec<L::Vector> {
    let mut product = constants.one;
    let mut prefixes = Vec::with_capacity(denominators.len());
    for denominator in &mut denominators {
        let mut words = words(lanes, *denominator);
        let zero = L::Word::default();
        if words[..L::LANES].contains(&zero) {
            for word in words.iter_mut().filter(|word| **word == zero) {
                *word = field.one();
            }
            // SAFETY: an array of as many words as any vector has lanes.
            *denominator = lanes.import(unsafe { lanes.load(words.as_ptr()) });
        }
        prefixes.push(product);
        product = lanes.mul(product, *denominator);
    }
    let mut words = words(lanes, product);
    // None is 0, as no factor is.
    let inverted = field.batch_inv(&mut words[..L::LANES]);
    debug_assert!(inverted.is_ok());
    // SAFETY: an array of as many words as any vector has lanes.
    let inverse = lanes.import(unsafe { lanes.load(words.as_ptr()) });
    // The inverse of a form is the form of the inverse times the square of their factor, of which the product with a form
    // asks for one.
    let mut inverse = lanes.scale(inverse, constants.into_form);
    for (denominator, prefix) in denominators.iter_mut().zip(prefixes).rev() {
        let next = lanes.mul(inverse, *denominator);
        *denominator = lanes.mul(inverse, prefix);
        inverse = next;
    }
    denominators
}
