//! Points to evaluate at, from whose values polynomials are interpolated.
//!
//! **Problem.** Points for polynomials of less than `count` coefficients, hardly more of them than that. **Algorithm.** Where p − 1
//! has enough factors 2, cosets of groups of roots of unity, of sizes N₁ > N₂ > …: there x^N_i = w_i, which makes evaluation a
//! transform. Residues modulo x^N_i − w_i are put together by Newton's form: N_i divides N_j for j < i, so modulo x^N_i − w_i
//! the factor x^N_j − w_j is a constant. Else consecutive points and a subproduct tree (J. von zur Gathen, J. Gerhard, *Modern
//! computer algebra*, 3rd ed. 2013, §10.1–10.2). A few sizes instead of one power of 2: at most an eighth or so is wasted, not a half.

use super::{BivariateField, elements};
use crate::{Poly, PolyError, PolyRing, SubproductTree};
use sunzi_dft::{Algorithm, Convolution, DftContext, Ordering};
use sunzi_field::lanes::MAX_LANES;

/// Cosets at most.
pub const MOST_COSETS: usize = 3;
/// Coefficients up to which values are found faster by the rule of Horner than by transforms.
pub(super) const HORNER: usize = 40;
/// Butterflies of all transforms from which the fastest ones are worth their tables.
const FAST_TRANSFORMS: usize = 1 << 21;
/// Shifts that are tried before points are taken one by one.
const TRIES: u64 = 200;

/// Points of one field.
#[derive(Debug)]
pub struct Points<F: BivariateField> {
    ring: PolyRing<F>,
    /// A multiple of [`MAX_LANES`]; those after the first `count` repeat the last one.
    pub points: Vec<F::Elem>,
    pub count: usize,
    kind: Kind<F>,
}

#[derive(Debug)]
enum Kind<F: BivariateField> {
    Cosets(Vec<Coset<F>>),
    Any(SubproductTree<F>),
}

/// The points shift·ω^i.
#[derive(Clone, Debug)]
struct Coset<F: BivariateField> {
    transforms: DftContext<F>,
    /// Powers of the shift, and of its inverse.
    powers: Vec<F::Elem>,
    inverse_powers: Vec<F::Elem>,
    /// shift^N.
    power: F::Elem,
    /// For each coset before this one the inverse of its x^N_j − w_j here.
    inverses: Vec<F::Elem>,
}

impl<F: BivariateField> Points<F> {
    /// At least `count` > 0 points, for about so many transforms of long polynomials and of values.
    ///
    /// # Errors
    /// [`PolyError::FewPoints`] if the field is too small; too little memory.
    pub fn new(ring: &PolyRing<F>, count: usize, uses: usize) -> Result<Self, PolyError> {
        let field = ring.field();
        if let Some((cosets, points)) = Self::cosets(field, count, uses)? {
            return Ok(Self {
                ring: ring.clone(),
                count: points.len(),
                points,
                kind: Kind::Cosets(cosets),
            });
        }
        let needed = count as u64;
        let prime = elements(field);
        if prime < needed {
            return Err(PolyError::FewPoints { prime, needed });
        }
        let mut points: Vec<F::Elem> = (0..needed).map(|point| field.from_u64(point)).collect();
        let tree = SubproductTree::new(ring, &points)?;
        points.resize(count.next_multiple_of(MAX_LANES), points[count - 1]);
        Ok(Self {
            ring: ring.clone(),
            points,
            count,
            kind: Kind::Any(tree),
        })
    }

    /// Cosets that do not meet, if there are enough roots of unity, and their points.
    #[allow(clippy::type_complexity)]
    fn cosets(
        field: &F,
        count: usize,
        uses: usize,
    ) -> Result<Option<(Vec<Coset<F>>, Vec<F::Elem>)>, PolyError> {
        let sizes = sizes(count);
        if sizes[0].ilog2() > field.two_adicity() {
            return Ok(None);
        }
        let mut cosets: Vec<Coset<F>> = Vec::new();
        let mut points = Vec::new();
        let mut shifts = (2..TRIES).map(|shift| field.from_u64(shift));
        for &size in &sizes {
            let found = shifts.by_ref().find_map(|shift| {
                let power = field.pow(shift, size as u64);
                let mut inverses = Vec::with_capacity(cosets.len());
                for (before, before_size) in cosets.iter().zip(&sizes) {
                    let there = field.pow(power, (before_size / size) as u64);
                    inverses.push(field.inv(field.sub(there, before.power))?);
                }
                Some((shift, field.inv(shift)?, power, inverses))
            });
            let Some((shift, inverse, power, inverses)) = found else {
                return Ok(None);
            };
            let Some(root) = field.root_of_unity(size.ilog2()) else {
                return Ok(None);
            };
            // Tables of the fastest ones take longer than a few short transforms.
            let fast = size * size.ilog2() as usize * uses >= FAST_TRANSFORMS;
            let transforms = match fast {
                false => DftContext::scalar(field, size, Convolution::Cyclic, Algorithm::Stockham),
                true => field.fastest_dft(size),
            };
            let transforms = transforms.map_err(crate::PolyError::from)?;
            let progression = |first: F::Elem, ratio: F::Elem| {
                let next = move |&x: &F::Elem| Some(field.mul(x, ratio));
                std::iter::successors(Some(first), next).take(size)
            };
            points.extend(progression(shift, root));
            cosets.push(Coset {
                transforms,
                powers: progression(field.one(), shift).collect(),
                inverse_powers: progression(field.one(), inverse).collect(),
                power,
                inverses,
            });
        }
        Ok(Some((cosets, points)))
    }

    /// How many values there are: a multiple of [`MAX_LANES`].
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// The values of a polynomial at all points, by the rule of Horner if it has few coefficients.
    ///
    /// # Errors
    /// Too little memory.
    pub fn evaluate(&self, values: &mut [F::Elem], f: &Poly<F::Elem>) -> Result<(), PolyError> {
        let field = self.ring.field();
        let coefficients = f.coefficients();
        match &self.kind {
            Kind::Cosets(cosets) if coefficients.len() > HORNER => {
                let mut rest = values;
                for coset in cosets {
                    let (part, others) = rest.split_at_mut(coset.transforms.points());
                    coset.fold(field, part, coefficients);
                    field.mul_assign_slice(part, &coset.powers);
                    coset
                        .transforms
                        .forward(part, Ordering::Natural)
                        .map_err(crate::PolyError::from)?;
                    rest = others;
                }
            }
            _ => field.evaluate_slice(values, coefficients, &self.points),
        }
        Ok(())
    }

    /// The polynomial of less than `count` coefficients that has these values, one for each of the points; they are overwritten.
    ///
    /// # Errors
    /// Too little memory.
    pub fn interpolate(&self, values: &mut [F::Elem]) -> Result<Poly<F::Elem>, PolyError> {
        match &self.kind {
            Kind::Any(tree) => Ok(tree.interpolate(&values[..self.count])?),
            Kind::Cosets(cosets) => self.newton_form(cosets, values),
        }
    }

    fn newton_form(
        &self,
        cosets: &[Coset<F>],
        values: &mut [F::Elem],
    ) -> Result<Poly<F::Elem>, PolyError> {
        let field = self.ring.field();
        let mut start = 0;
        for (index, coset) in cosets.iter().enumerate() {
            let (done, rest) = values.split_at_mut(start);
            let part = &mut rest[..coset.transforms.points()];
            coset
                .transforms
                .inverse(part, Ordering::Natural)
                .map_err(crate::PolyError::from)?;
            field.mul_assign_slice(part, &coset.inverse_powers);
            let mut at = 0;
            for (before, &inverse) in cosets[..index].iter().zip(&coset.inverses) {
                let len = before.transforms.points();
                let mut folded = vec![field.zero(); part.len()];
                coset.fold(field, &mut folded, &done[at..at + len]);
                field.sub_assign_slice(part, &folded);
                field.scale_slice(part, inverse);
                at += len;
            }
            start += coset.transforms.points();
        }
        // Newton's form by Horner's rule: times x^N − w where each part begins.
        let mut end = values.len();
        for coset in cosets.iter().rev() {
            let len = coset.transforms.points();
            start = end - len;
            let mut high = values[end..].to_vec();
            field.scale_slice(&mut high, coset.power);
            end = start;
            // Those behind have at most as many coefficients as this part.
            field.sub_assign_slice(&mut values[start..start + high.len()], &high);
        }
        Ok(Poly::new(values.to_vec()))
    }
}

impl<F: BivariateField> Coset<F> {
    /// A polynomial modulo x^N − w.
    fn fold(&self, field: &F, folded: &mut [F::Elem], coefficients: &[F::Elem]) {
        folded.fill(field.zero());
        for piece in coefficients.chunks(folded.len()).rev() {
            field.scale_slice(folded, self.power);
            field.add_assign_slice(&mut folded[..piece.len()], piece);
        }
    }
}

/// Factors 2 of p − 1 for which points are roots of unity.
pub(super) fn two_adicity(count: usize) -> u32 {
    sizes(count)[0].ilog2()
}

/// Descending powers of 2 whose sum is hardly above `count`.
pub fn sizes(count: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::with_capacity(MOST_COSETS);
    let mut rest = count;
    while rest > 0 {
        let last = sizes.len() + 1 == MOST_COSETS;
        let below = 1 << rest.ilog2();
        let size = if last || below < MAX_LANES || below == rest {
            rest.next_power_of_two()
        } else {
            below
        };
        let size = size.max(MAX_LANES);
        rest = rest.saturating_sub(size);
        sizes.push(size);
    }
    while let [.., before, last] = sizes[..]
        && before <= last
    {
        sizes.truncate(sizes.len() - 2);
        sizes.push(2 * before.max(last));
    }
    sizes
}
