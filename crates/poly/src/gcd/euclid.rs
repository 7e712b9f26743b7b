//! Euclid's algorithm step by step, without inversions.

use sunzi_field::Field;

use super::history::History;
use super::matrix::Matrix;
use crate::poly::trim;

/// Whether steps one after the other win over the half-GCD for `len` coefficients, as measured. The
/// cofactors, where they are kept, take as much time as the remainders.
pub(super) const fn is_short<F: Field>(len: usize, keep: bool) -> bool {
    let limit = match size_of::<F::Elem>() {
        4 | 8 => 256,
        _ => 48,
    };
    len <= if keep { limit } else { 2 * limit }
}

/// Where a number of steps has led.
pub(super) struct Steps<E> {
    /// Two remainders that follow each other, up to factors, without zeros at their ends.
    pub(super) a: Vec<E>,
    pub(super) b: Vec<E>,
    /// What has led there, if asked for.
    pub(super) matrix: Option<Matrix<E>>,
}

/// Steps from `a` and `b`, which is not longer, until `b` has at most `stop` coefficients.
pub(super) fn steps<F: Field>(
    field: &F,
    a: Vec<F::Elem>,
    b: Vec<F::Elem>,
    stop: usize,
    keep: bool,
    mut history: Option<&mut History<F::Elem>>,
) -> Steps<F::Elem> {
    // Cofactors have no more coefficients than by how many those of a have become fewer.
    let room = if keep {
        a.len() - stop.min(a.len()) + 1
    } else {
        0
    };
    let mut pair = Pair::new(field, a, b);
    let mut cofactors = [
        Cofactors::new(field, room, 0),
        Cofactors::new(field, room, 1),
    ];
    while pair.b.len() > stop {
        let quotient = Quotient::of(field, &pair.a, &pair.b);
        if let Some(history) = &mut history {
            history.push(pair.a.len(), &pair.b, quotient.factor);
        }
        pair.step(field, &quotient);
        if keep {
            for cofactors in &mut cofactors {
                cofactors.step(field, &quotient);
            }
        }
    }
    let [of_a, of_b] = cofactors;
    let [a0, a1] = of_a.into_rows();
    let [b0, b1] = of_b.into_rows();
    Steps {
        a: pair.a,
        b: pair.b,
        matrix: keep.then(|| Matrix::new([[a0, b0], [a1, b1]])),
    }
}

/// `r = factor·a − Σ coefficients[i]·x^i·b`.
struct Quotient<E> {
    factor: E,
    coefficients: Vec<E>,
    /// The usual one: of degree 1, with these coefficients, negated.
    linear: Option<[E; 2]>,
}

impl<E: Copy + PartialEq> Quotient<E> {
    /// For a and b, which is not 0.
    fn of<F: Field<Elem = E>>(field: &F, a: &[E], b: &[E]) -> Self {
        let (l, k) = (b[b.len() - 1], a[a.len() - 1]);
        if a.len() == b.len() + 1 {
            let next = b.len().checked_sub(2).map_or(field.zero(), |i| b[i]);
            let q1 = field.mul(k, l);
            let q0 = field.sub(field.mul(l, a[a.len() - 2]), field.mul(k, next));
            return Self {
                factor: field.mul(l, l),
                coefficients: Vec::new(),
                linear: Some([field.neg(q0), field.neg(q1)]),
            };
        }
        // Degrees of generic remainders drop by one; others may cost an inversion.
        let inverse = field.inv(l).unwrap_or(field.one());
        let mut rest: Vec<E> = a[b.len() - 1..].to_vec();
        for top in (0..rest.len()).rev() {
            let coefficient = field.mul(rest[top], inverse);
            rest[top] = coefficient;
            // What of b reaches the coefficients that the quotient depends on.
            let below = top.min(b.len() - 1);
            let start = top - below;
            let divisor = &b[b.len() - 1 - below..b.len() - 1];
            for (x, &y) in rest[start..top].iter_mut().zip(divisor) {
                *x = field.sub(*x, field.mul(coefficient, y));
            }
        }
        Self {
            factor: field.one(),
            coefficients: rest,
            linear: None,
        }
    }

    /// `out = factor·old − quotient·last`, where all vectors have room and are 0 beyond their ends, and
    /// `last` has `len` coefficients; as far as `out` goes.
    fn apply<F: Field<Elem = E>>(&self, field: &F, out: &mut [E], old: &[E], last: &[E]) {
        if out.is_empty() {
            return;
        }
        if let Some([q0, q1]) = self.linear {
            let n = out.len();
            out[0] = field.add(field.mul(self.factor, old[0]), field.mul(q0, last[0]));
            let terms = [
                (self.factor, &old[1..n]),
                (q0, &last[1..n]),
                (q1, &last[..n - 1]),
            ];
            field.combine_slices(&mut out[1..], terms);
            return;
        }
        out.copy_from_slice(&old[..out.len()]);
        let mut product = vec![field.zero(); out.len()];
        for (i, &coefficient) in self.coefficients.iter().enumerate().take(out.len()) {
            let len = (out.len() - i).min(last.len());
            product[..len].copy_from_slice(&last[..len]);
            field.scale_slice(&mut product[..len], coefficient);
            field.sub_assign_slice(&mut out[i..i + len], &product[..len]);
        }
    }
}

/// The remainders, and room for the next.
struct Pair<E> {
    a: Vec<E>,
    b: Vec<E>,
    next: Vec<E>,
}

impl<E: Copy + Default + PartialEq> Pair<E> {
    fn new<F: Field<Elem = E>>(field: &F, a: Vec<E>, b: Vec<E>) -> Self {
        let next = vec![field.zero(); b.len()];
        Self { a, b, next }
    }

    fn step<F: Field<Elem = E>>(&mut self, field: &F, quotient: &Quotient<E>) {
        self.next.resize(self.b.len() - 1, field.zero());
        quotient.apply(field, &mut self.next, &self.a, &self.b);
        trim(&mut self.next);
        std::mem::swap(&mut self.a, &mut self.b);
        std::mem::swap(&mut self.b, &mut self.next);
    }
}

/// What one of the operands is multiplied by in the two remainders.
struct Cofactors<E> {
    /// With zeros beyond their ends.
    old: Vec<E>,
    last: Vec<E>,
    next: Vec<E>,
    /// Coefficients of `old` and `last`.
    lens: [usize; 2],
}

impl<E: Copy + PartialEq> Cofactors<E> {
    /// With room for `room` coefficients; `which` of the remainders is the operand itself.
    fn new<F: Field<Elem = E>>(field: &F, room: usize, which: usize) -> Self {
        let mut vectors = [vec![field.zero(); room], vec![field.zero(); room]];
        if room > 0 {
            vectors[which][0] = field.one();
        }
        let [old, last] = vectors;
        Self {
            next: old.clone(),
            old,
            last,
            lens: if which == 0 { [1, 0] } else { [0, 1] },
        }
    }

    fn step<F: Field<Elem = E>>(&mut self, field: &F, quotient: &Quotient<E>) {
        let [old, last] = self.lens;
        let degree = match quotient.linear {
            Some(_) => 1,
            None => quotient.coefficients.len() - 1,
        };
        let product = if last == 0 { 0 } else { last + degree };
        let len = old.max(product);
        quotient.apply(field, &mut self.next[..len], &self.old, &self.last);
        std::mem::swap(&mut self.old, &mut self.last);
        std::mem::swap(&mut self.last, &mut self.next);
        self.lens = [last, len];
    }

    fn into_rows(mut self) -> [Vec<E>; 2] {
        self.old.truncate(self.lens[0]);
        self.last.truncate(self.lens[1]);
        [self.old, self.last]
    }
}
