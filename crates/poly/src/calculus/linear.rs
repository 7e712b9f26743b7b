//! What takes linear time: sums, multiples, derivatives, coefficients moved and cut off, one value.

use sunzi_dft::internals::consecutive;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

impl<F: CoefficientField> PolyRing<F> {
    /// `a + b`, in linear time.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![1, 2, 3]), Poly::new(vec![100, 0, 98]));
    /// assert_eq!(ring.add(&a, &b).coefficients(), [0, 2]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn add(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut sum = long.coefficients().to_vec();
        self.field()
            .add_assign_slice(&mut sum[..short.len()], short.coefficients());
        Poly::new(sum)
    }

    /// `a − b`, in linear time.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![1]), Poly::new(vec![0, 1]));
    /// assert_eq!(ring.sub(&a, &b).coefficients(), [1, 100]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn sub(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
        let mut difference = a.coefficients().to_vec();
        difference.resize(a.len().max(b.len()), self.field().zero());
        self.field()
            .sub_assign_slice(&mut difference[..b.len()], b.coefficients());
        Poly::new(difference)
    }

    /// `−f`, in linear time.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.neg(&Poly::new(vec![0, 1])).coefficients(), [0, 100]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn neg(&self, f: &Poly<F::Elem>) -> Poly<F::Elem> {
        let mut negated = f.coefficients().to_vec();
        self.field().neg_slice(&mut negated);
        Poly::new(negated)
    }

    /// `factor · f`, in linear time; the factor is an element of the field.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.scale(&Poly::new(vec![1, 60]), 2).coefficients(), [2, 19]);
    /// assert!(ring.scale(&Poly::new(vec![1, 60]), 0).is_zero());
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn scale(&self, f: &Poly<F::Elem>, factor: F::Elem) -> Poly<F::Elem> {
        let mut scaled = f.coefficients().to_vec();
        self.field().scale_slice(&mut scaled, factor);
        Poly::new(scaled)
    }

    /// `f` divided by its leading coefficient; 0 for 0. Takes linear time and one inversion.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.monic(&Poly::new(vec![6, 2])).coefficients(), [3, 1]);
    /// assert!(ring.monic(&Poly::zero()).is_zero());
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn monic(&self, f: &Poly<F::Elem>) -> Poly<F::Elem> {
        let leading = f.coefficients().last();
        match leading.and_then(|&leading| self.field().inv(leading)) {
            Some(inverse) => self.scale(f, inverse),
            None => f.clone(),
        }
    }

    /// The derivative of `f`, in linear time. It is 0 for polynomials in x^p too, p the field's prime.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(3)?);
    /// let f = Poly::new(vec![1, 1, 1, 1]); // 1 + x + x² + x³
    /// assert_eq!(ring.derivative(&f).coefficients(), [1, 2]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn derivative(&self, f: &Poly<F::Elem>) -> Poly<F::Elem> {
        let Some((_, others)) = f.coefficients().split_first() else {
            return Poly::zero();
        };
        let mut derivative = consecutive(self.field(), 1, others.len());
        self.field().mul_assign_slice(&mut derivative, others);
        Poly::new(derivative)
    }

    /// `x^degree · f(1/x)`: the coefficients in the opposite order.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = Poly::new(vec![1, 2]);
    /// assert_eq!(ring.reverse(&f, 1)?.coefficients(), [2, 1]);
    /// assert_eq!(ring.reverse(&f, 3)?.coefficients(), [0, 0, 2, 1]);
    /// assert!(ring.reverse(&f, 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::DegreeTooSmall`] if the degree of `f` is larger than `degree`;
    /// [`PolyError::OutOfMemory`].
    pub fn reverse(&self, f: &Poly<F::Elem>, degree: usize) -> Result<Poly<F::Elem>, PolyError> {
        let Some(own) = f.degree() else {
            return Ok(Poly::zero());
        };
        let Some(more) = degree.checked_sub(own) else {
            return Err(PolyError::DegreeTooSmall { degree, found: own });
        };
        let reversed = f.coefficients().iter().rev();
        self.moved_up(reversed, f.len(), more)
    }

    /// `f` modulo x^n: its first `n` coefficients.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = Poly::new(vec![1, 2, 3]);
    /// assert_eq!(ring.truncate(&f, 2).coefficients(), [1, 2]);
    /// assert_eq!(ring.truncate(&f, 5), f);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn truncate(&self, f: &Poly<F::Elem>, n: usize) -> Poly<F::Elem> {
        Poly::new(f.coefficients()[..n.min(f.len())].to_vec())
    }

    /// `x^k · f`.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.mul_power_of_x(&Poly::new(vec![1, 2]), 2)?.coefficients(), [0, 0, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn mul_power_of_x(&self, f: &Poly<F::Elem>, k: usize) -> Result<Poly<F::Elem>, PolyError> {
        self.moved_up(f.coefficients().iter(), f.len(), k)
    }

    /// The quotient of `f` by x^k: its coefficients from the k-th on. The remainder is
    /// [`PolyRing::truncate`]'s.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.div_power_of_x(&Poly::new(vec![1, 2, 3]), 1).coefficients(), [2, 3]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn div_power_of_x(&self, f: &Poly<F::Elem>, k: usize) -> Poly<F::Elem> {
        Poly::new(f.coefficients()[k.min(f.len())..].to_vec())
    }

    /// `f(point)` by the rule of Horner, in linear time: in vectors, and on the threads of the current rayon
    /// pool if f is long.
    ///
    /// For many points take a [`SubproductTree`](crate::SubproductTree), or
    /// [`PolyRing::evaluate_geometric`] if they are a geometric progression.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.evaluate_at(&Poly::new(vec![5, 0, 1]), 10)?, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::PointOutside`] if the point is no element of the field.
    pub fn evaluate_at(&self, f: &Poly<F::Elem>, point: F::Elem) -> Result<F::Elem, PolyError> {
        (F::compiled().evaluate_at)(self, f, point)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn evaluate_at_here(
        &self,
        f: &Poly<F::Elem>,
        point: F::Elem,
    ) -> Result<F::Elem, PolyError> {
        self.require_element(0, point)?;
        Ok(self.value_at(f.coefficients(), point))
    }

    /// Zeros, `places` of them, and then these `len` coefficients.
    fn moved_up<'a>(
        &self,
        coefficients: impl Iterator<Item = &'a F::Elem>,
        len: usize,
        places: usize,
    ) -> Result<Poly<F::Elem>, PolyError> {
        if len == 0 {
            return Ok(Poly::zero());
        }
        self.require_vectors(1, places.saturating_add(len))?;
        let mut moved = vec![self.field().zero(); places];
        moved.extend(coefficients);
        Ok(Poly::new(moved))
    }
}
