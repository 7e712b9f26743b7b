//! Splitting the roots of a resultant by the degree of a greatest common divisor over them.
//!
//! **Problem.** For f and g in K\[x, y\], and a square-free T: factors T_k of T and polynomials S_k such that S_k(α, y) is a greatest
//! common divisor of f(α, y) and g(α, y), of degree deg_y S_k, at every root α of T_k. **Algorithm.** Where one leading coefficient
//! in y does not vanish at α, the first of S_0, S_1, … with a principal coefficient s_j(α) ≠ 0 is a greatest common divisor (X. Li, M.
//! Moreno Maza, W. Pan, *Computations modulo regular chains*, 2009, arXiv 0903.3690, §3): gcd(T, s_0), gcd(T, s_0, s_1), … split T.
//! If all vanish, the operand of the lower degree divides the other, or is 0. Where both leading coefficients vanish, they are left
//! out, and it goes on with what remains. Subresultants commute with α ↦ x for the degrees that f and g have as polynomials in y,
//! so that f and g need not be reduced modulo T.

use super::chain::RegularChain;
use sunzi_poly::{BivariatePoly, Poly, PolyError};

/// What splitting asks of the field K; all results are up to factors in K.
pub(super) trait Base {
    /// Coefficients.
    type Elem: Clone + Default + PartialEq;

    fn gcd(
        &self,
        a: &Poly<Self::Elem>,
        b: &Poly<Self::Elem>,
    ) -> Result<Poly<Self::Elem>, PolyError>;

    /// `a` by its divisor `b`.
    fn quotient(
        &self,
        a: &Poly<Self::Elem>,
        b: &Poly<Self::Elem>,
    ) -> Result<Poly<Self::Elem>, PolyError>;

    /// The product of the different irreducible factors; `f` is not 0.
    fn square_free_part(&self, f: &Poly<Self::Elem>) -> Result<Poly<Self::Elem>, PolyError>;

    /// A polynomial with the same values at the roots of `t`, not longer if possible.
    fn reduced(
        &self,
        f: &BivariatePoly<Self::Elem>,
        t: &Poly<Self::Elem>,
    ) -> Result<BivariatePoly<Self::Elem>, PolyError>;

    /// Subresultants in y, all of one chain with one factor; indices are below both degrees.
    fn subresultants(
        &mut self,
        f: &BivariatePoly<Self::Elem>,
        g: &BivariatePoly<Self::Elem>,
        wanted: &[usize],
    ) -> Result<Vec<BivariatePoly<Self::Elem>>, PolyError>;
}

/// Splits roots into chains.
pub(super) struct Split<'a, B: Base> {
    base: &'a mut B,
    chains: Vec<RegularChain<B::Elem>>,
}

/// Over all roots of its `t`.
struct Part<E> {
    t: Poly<E>,
    f: BivariatePoly<E>,
    g: BivariatePoly<E>,
}

impl<'a, B: Base> Split<'a, B> {
    /// Chains of coprime T for the common zeros of `f` and `g`, which are coprime and not 0.
    pub(super) fn common_zeros(
        base: &'a mut B,
        f: BivariatePoly<B::Elem>,
        g: BivariatePoly<B::Elem>,
    ) -> Result<Vec<RegularChain<B::Elem>>, PolyError> {
        let mut split = Self {
            base,
            chains: Vec::new(),
        };
        let constant = [&f, &g].into_iter().find(|f| f.degree_y() == Some(0));
        if let Some(row) = constant.and_then(BivariatePoly::leading_row) {
            let t = split.base.square_free_part(row)?;
            split.part(Part { t, f, g }, None)?;
        } else {
            let first = split.base.subresultants(&f, &g, &first_indices(&f, &g))?;
            let resultant = first[0].row(0).cloned().unwrap_or_default();
            let t = split.base.square_free_part(&resultant)?;
            split.part(Part { t, f, g }, Some(first))?;
        }
        Ok(split.chains)
    }

    /// The chains over the roots of `t`; `first` holds S_0 and, if there is one below both degrees, S_1.
    fn part(
        &mut self,
        part: Part<B::Elem>,
        first: Option<Vec<BivariatePoly<B::Elem>>>,
    ) -> Result<(), PolyError> {
        let Part { mut t, f, g } = part;
        for (f, g) in [(&f, &g), (&g, &f)] {
            match f.rows() {
                [] => return self.by_degree(t, g.clone()),
                [row] => {
                    let t = self.base.gcd(&t, row)?;
                    return self.by_degree(t, g.clone());
                }
                _ => (),
            }
        }
        let infinite = self.infinite(&t, &f, &g)?;
        if infinite.len() > 1 {
            t = self.base.quotient(&t, &infinite)?;
            let [f, g] = [
                self.without_leading(&f, &infinite)?,
                self.without_leading(&g, &infinite)?,
            ];
            self.part(Part { t: infinite, f, g }, None)?;
        }
        if t.len() <= 1 {
            return Ok(());
        }
        self.by_subresultants(Part { t, f, g }, first)
    }

    /// The factor of `t` at whose roots both leading coefficients vanish.
    fn infinite(
        &self,
        t: &Poly<B::Elem>,
        f: &BivariatePoly<B::Elem>,
        g: &BivariatePoly<B::Elem>,
    ) -> Result<Poly<B::Elem>, PolyError> {
        match (f.leading_row(), g.leading_row()) {
            // Constants vanish nowhere.
            (Some(a), Some(b)) if a.len() > 1 && b.len() > 1 => {
                self.base.gcd(&self.base.gcd(t, a)?, b)
            }
            _ => Ok(Poly::zero()),
        }
    }

    fn without_leading(
        &self,
        f: &BivariatePoly<B::Elem>,
        t: &Poly<B::Elem>,
    ) -> Result<BivariatePoly<B::Elem>, PolyError> {
        let rows = &f.rows()[..f.rows().len() - 1];
        self.base.reduced(&BivariatePoly::new(rows.to_vec()), t)
    }

    /// Where at every root of `t` one of the leading coefficients does not vanish; both degrees in y are positive.
    fn by_subresultants(
        &mut self,
        part: Part<B::Elem>,
        first: Option<Vec<BivariatePoly<B::Elem>>>,
    ) -> Result<(), PolyError> {
        let Part { mut t, f, g } = part;
        let lesser = lesser_degree(&f, &g);
        let mut batch = match first {
            Some(first) => first,
            None => self.base.subresultants(&f, &g, &first_indices(&f, &g))?,
        };
        let mut start = 0;
        while start < lesser {
            for (j, subresultant) in (start..).zip(&batch) {
                let principal = subresultant.row(j).cloned().unwrap_or_default();
                let vanishing = self.base.gcd(&t, &principal)?;
                let found = self.base.quotient(&t, &vanishing)?;
                if j > 0 {
                    // Over the others there is no common zero.
                    self.push(found, subresultant)?;
                }
                t = vanishing;
                if t.len() <= 1 {
                    return Ok(());
                }
            }
            start += batch.len();
            // Seldom needed, so that twice as many are taken each time.
            let end = lesser.min(2 * start);
            if start < end {
                let wanted: Vec<usize> = (start..end).collect();
                batch = self.base.subresultants(&f, &g, &wanted)?;
            }
        }
        let (low, high) = match f.degree_y() < g.degree_y() {
            true => (&f, &g),
            false => (&g, &f),
        };
        // Where the leading coefficient of the lower one vanishes, so does that polynomial.
        let leading = low.leading_row().cloned().unwrap_or_default();
        let vanishing = self.base.gcd(&t, &leading)?;
        let found = self.base.quotient(&t, &vanishing)?;
        self.push(found, low)?;
        self.push(vanishing, high)
    }

    /// Where the other polynomial is 0.
    fn by_degree(
        &mut self,
        mut t: Poly<B::Elem>,
        f: BivariatePoly<B::Elem>,
    ) -> Result<(), PolyError> {
        let mut rows = f.into_rows();
        while t.len() > 1
            && rows.len() > 1
            && let Some(leading) = rows.last()
        {
            let vanishing = self.base.gcd(&t, leading)?;
            let found = self.base.quotient(&t, &vanishing)?;
            self.push(found, &BivariatePoly::new(rows.clone()))?;
            t = vanishing;
            rows.pop();
        }
        Ok(())
    }

    /// The chain of these, if `t` has roots.
    fn push(&mut self, t: Poly<B::Elem>, s: &BivariatePoly<B::Elem>) -> Result<(), PolyError> {
        if t.len() > 1 {
            let s = self.base.reduced(s, &t)?;
            self.chains.push(RegularChain { t, s });
        }
        Ok(())
    }
}

fn lesser_degree<E>(f: &BivariatePoly<E>, g: &BivariatePoly<E>) -> usize {
    f.rows().len().min(g.rows().len()) - 1
}

/// 0 and 1, as far as they are below both degrees, which are positive.
fn first_indices<E>(f: &BivariatePoly<E>, g: &BivariatePoly<E>) -> Vec<usize> {
    (0..lesser_degree(f, g).min(2)).collect()
}
