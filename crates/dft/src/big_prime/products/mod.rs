//! Products of polynomials of any two lengths over a field modulo r^K + 1, through its transforms, whose tables are kept.
//!
//! In one of three ways ([`Cover`]): modulo x^N − 1 as a whole; modulo x^N − 1 and x^T − s for a shorter T, so that a length
//! just above a power of two does not cost the next one ([`twist`]); or the longer operand in pieces, the transform of the
//! shorter one kept.

mod cover;
mod twist;

use crate::context::DftContext;
use crate::problem::DftError;
use std::sync::{Arc, Mutex, PoisonError};
use sunzi_field::{Digits, Field, GeneralizedFermat};
use sunzi_machine::threads::Threads;

pub use cover::{Cover, Lengths, Work};
use twist::Twist;

/// Words of a product from which threads share its pieces.
const PARALLEL_WORDS: usize = 1 << 14;

/// Words of a piece from which it uses threads itself.
const PARALLEL_PIECE: usize = 1 << 16;

/// Transforms over the field, with one number of points.
type Context<const K: usize> = DftContext<GeneralizedFermat<K>>;

/// Values by their keys: as few as lengths that are powers of two.
type Kept<T, V> = Mutex<Vec<(T, V)>>;

/// Transforms over one field for products, made when first needed.
#[derive(Debug)]
pub struct BigPrimeProducts<const K: usize> {
    field: GeneralizedFermat<K>,
    /// By their points.
    contexts: Kept<usize, Context<K>>,
    /// By M and how often it is halved.
    twists: Kept<(usize, u32), Arc<Twist<K>>>,
}

impl<const K: usize> BigPrimeProducts<K> {
    /// Nothing is computed before a product needs it.
    pub fn new(field: GeneralizedFermat<K>) -> Self {
        Self {
            field,
            contexts: Mutex::default(),
            twists: Mutex::default(),
        }
    }

    /// `out = a · b` for operands that are not empty, `out.len() == a.len() + b.len() − 1`.
    pub fn multiply(
        &self,
        cover: Cover,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), DftError> {
        match cover {
            Cover::Whole { points } => convolve(&self.context(points)?, out, a, b),
            Cover::Split { points, halvings } => {
                let square = std::ptr::eq(a, b);
                let twist = self.twist(points, halvings)?;
                let context = self.context(twist.points())?;
                let folded = twist.fold(&self.field, a);
                let mut twisted = vec![self.field.zero(); twist.points()];
                if square {
                    convolve(&context, &mut twisted, &folded, &folded)?;
                } else {
                    convolve(&context, &mut twisted, &folded, &twist.fold(&self.field, b))?;
                }
                let low = &mut out[..points];
                self.cyclic(&self.context(points)?, low, a, b)?;
                twist.join(&self.field, out, points, &mut twisted);
                Ok(())
            }
            Cover::Pieces { points } => self.in_pieces(&self.context(points)?, out, a, b),
        }
    }

    /// The product modulo x^M − 1 of operands that may have more than M coefficients.
    fn cyclic(
        &self,
        context: &Context<K>,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), DftError> {
        let points = context.points();
        if a.len().max(b.len()) <= points {
            return convolve(context, out, a, b);
        }
        // Not both: the product would be longer than two times M.
        let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        let mut wrapped = long[..points].to_vec();
        let rest = &long[points..];
        self.field
            .add_assign_slice(&mut wrapped[..rest.len()], rest);
        convolve(context, out, &wrapped, short)
    }

    /// Every stretch of the product from the stretch of the longer operand that it depends on, modulo
    /// x^N − 1 with N points: those coefficients are right that do not depend on what lies before the
    /// stretch ("overlap-save"; Helms, "Fast Fourier transform method of computing
    /// difference equations and simulating filters", 1967).
    fn in_pieces(
        &self,
        context: &Context<K>,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), DftError> {
        let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        let points = context.points();
        let before = short.len() - 1;
        // The shorter operand, moved so that the right coefficients come first.
        let mut moved = vec![self.field.zero(); points];
        moved[points - before..].copy_from_slice(&short[..before]);
        moved[0] = short[before];
        let kept = context.spectrum(&moved)?;
        drop(moved);
        let step = points - before;
        let piece = |(index, out): (usize, &mut [Digits<K>])| {
            let start = index * step;
            let end = (start + out.len()).min(long.len());
            let values = if start >= before {
                context.spectrum(&long[start - before..end])?
            } else {
                let mut padded = vec![self.field.zero(); before - start];
                padded.extend_from_slice(&long[..end]);
                context.spectrum(&padded)?
            };
            context.multiply_into(out, values, &kept)
        };
        // Long transforms use threads themselves.
        let shared = points * K < PARALLEL_PIECE && out.len() * K >= PARALLEL_WORDS;
        Threads::when(shared).try_each(out.chunks_mut(step).enumerate(), piece)
    }

    /// The transforms with this number of points.
    pub fn context(&self, points: usize) -> Result<Context<K>, DftError> {
        kept(&self.contexts, points, || {
            DftContext::over_big_prime(&self.field, points)
        })
    }

    fn twist(&self, m: usize, halvings: u32) -> Result<Arc<Twist<K>>, DftError> {
        kept(&self.twists, (m, halvings), || {
            Ok(Arc::new(Twist::new(&self.field, m, halvings)))
        })
    }
}

/// What is kept for `key`, made first if there is nothing.
fn kept<T: PartialEq, V: Clone>(
    values: &Kept<T, V>,
    key: T,
    make: impl FnOnce() -> Result<V, DftError>,
) -> Result<V, DftError> {
    let lock = || values.lock().unwrap_or_else(PoisonError::into_inner);
    let find = |values: &[(T, V)]| -> Option<V> {
        let found = values.iter().find(|(known, _)| *known == key);
        found.map(|(_, value)| value.clone())
    };
    if let Some(value) = find(&lock()) {
        return Ok(value);
    }
    // Made without the lock: making one uses threads, which may wait for each other.
    let made = make()?;
    let mut values = lock();
    if let Some(value) = find(&values) {
        return Ok(value);
    }
    values.push((key, made.clone()));
    Ok(made)
}

/// The first coefficients of the product modulo x^N − 1.
fn convolve<const K: usize>(
    context: &Context<K>,
    out: &mut [Digits<K>],
    a: &[Digits<K>],
    b: &[Digits<K>],
) -> Result<(), DftError> {
    let values = context.spectrum(a)?;
    if std::ptr::eq(a, b) {
        let other = values.clone();
        context.multiply_into(out, values, &other)
    } else {
        context.multiply_into(out, values, &context.spectrum(b)?)
    }
}
