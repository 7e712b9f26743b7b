//! Operands that stay on the device between products.

use super::context::{TransformContext, Workspace};
use super::problem::{Finish, Operand};
use super::spans::Spans;
use crate::ntt::NttContext;
use crate::residues::project::{CoefficientForm, Polynomials};
use std::sync::{Arc, PoisonError};
use sunzi_device::{Buffer, GpuError, Stream};

/// Polynomials (or integers, as polynomials in 2^32) in the device's memory.
#[derive(Debug)]
pub struct ResidentPolynomials {
    words: Buffer<u32>,
    spans: Spans,
    form: CoefficientForm,
}

impl ResidentPolynomials {
    /// Copies operands to the device, after everything submitted to the stream before.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if coefficients are not of this form; [`GpuError::OutOfMemory`].
    pub fn upload(
        stream: &Stream,
        form: CoefficientForm,
        operands: &[Operand<'_>],
    ) -> Result<Self, GpuError> {
        if let Some(other) = operands
            .iter()
            .find(|operand| operand.coefficient_words() != form.words)
        {
            return Err(GpuError::Shape(format!(
                "coefficients of {} words were expected, not of {}",
                form.words,
                other.coefficient_words()
            )));
        }
        let mut start = 0;
        let spans = operands.iter().map(|operand| {
            let span = [start, operand.terms()];
            start += operand.terms();
            span
        });
        let spans = spans.collect();
        let words: Vec<u32> = operands
            .iter()
            .flat_map(|operand| operand.words())
            .copied()
            .collect();
        Ok(Self {
            words: stream.device().filled(stream, &words)?,
            spans: Spans::new(stream, spans)?,
            form,
        })
    }

    /// Memory for `count` polynomials of so many terms each, whose coefficients are anything.
    pub(crate) fn unfilled(
        stream: &Stream,
        form: CoefficientForm,
        count: usize,
        terms: usize,
    ) -> Result<Self, GpuError> {
        let spans = (0..count).map(|index| [index * terms, terms]).collect();
        Ok(Self {
            words: stream.device().buffer(count * terms * form.words)?,
            spans: Spans::new(stream, spans)?,
            form,
        })
    }

    /// How many polynomials.
    pub fn len(&self) -> usize {
        self.spans.on_host.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spans.on_host.is_empty()
    }

    /// How their coefficients are written.
    pub fn form(&self) -> CoefficientForm {
        self.form
    }

    /// The number of coefficients of each.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = usize> + Clone {
        self.spans.on_host.iter().map(|&[_, terms]| terms)
    }

    /// Copies the words of all of them back, after everything submitted to the stream before, and after the products
    /// that they are, whatever stream these were submitted to.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn download(&self, stream: &Stream) -> Result<Vec<Vec<u32>>, GpuError> {
        let one = |&[start, terms]: &[usize; 2]| {
            let mut words = vec![0; terms * self.form.words];
            stream.read_at(&self.words, start * self.form.words, &mut words)?;
            Ok(words)
        };
        self.spans.on_host.iter().map(one).collect()
    }

    fn polynomials(&self) -> Polynomials<'_> {
        Polynomials {
            coefficients: &self.words,
            spans: &self.spans.on_device,
        }
    }
}

/// Products of operands on the device that are ready to be computed, any number of times: what a program does that
/// multiplies again and again, and no memory is allocated.
pub struct ResidentProducts<'a> {
    by: &'a TransformContext,
    left: &'a ResidentPolynomials,
    right: &'a ResidentPolynomials,
    transforms: Arc<NttContext>,
    work: Workspace,
    product: ResidentPolynomials,
}

impl ResidentProducts<'_> {
    /// Submits the products, to any stream: it follows what writes the operands, the last time, and what reads the
    /// products of that.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn run(&mut self, stream: &Stream) -> Result<(), GpuError> {
        if self.left.is_empty() {
            return Ok(());
        }
        let operands = [self.left, self.right];
        let Self {
            transforms,
            work,
            product,
            ..
        } = self;
        let on = (stream, &**transforms);
        self.by.run_resident(on, work, operands, product)
    }

    /// What was computed last; before the first time, anything.
    pub fn products(&self) -> &ResidentPolynomials {
        &self.product
    }
}

impl TransformContext {
    /// Submits the products of operands that are on the device, one by one, or all of the left ones with a single
    /// right one; products stay there too.
    ///
    /// What it works in is kept for the next time: another batch of the same lengths takes memory for its products
    /// alone, and does not wait.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if operands are not of the plan; [`GpuError::OutOfMemory`]; errors of the device.
    pub fn multiply_resident(
        &self,
        stream: &Stream,
        left: &ResidentPolynomials,
        right: &ResidentPolynomials,
    ) -> Result<ResidentPolynomials, GpuError> {
        let mut product = self.unfilled_products(stream, left, right)?;
        if left.is_empty() {
            return Ok(product);
        }
        let batches = [left.len(), right.len()];
        let transforms = self.with_memory(|| self.transforms(left.len()))?;
        let new = || self.workspace(batches[0], batches[1]);
        let mut work = self.with_memory(|| self.kept.take(stream, &batches, new))?;
        let on = (stream, &*transforms);
        self.run_resident(on, &mut work, [left, right], &mut product)?;
        self.kept.put(stream, work);
        Ok(product)
    }

    /// Submits the products.
    fn run_resident(
        &self,
        (stream, transforms): (&Stream, &NttContext),
        work: &mut Workspace,
        operands: [&ResidentPolynomials; 2],
        product: &mut ResidentPolynomials,
    ) -> Result<(), GpuError> {
        let batches = operands.map(ResidentPolynomials::len);
        let operands = operands.map(ResidentPolynomials::polynomials);
        let on = (stream, transforms);
        self.run(on, work, operands, batches, &mut product.words)
    }

    /// Makes the memory for [`multiply_resident`](Self::multiply_resident), to run it more than once.
    ///
    /// # Errors
    /// As there.
    pub fn prepare_resident<'a>(
        &'a self,
        stream: &Stream,
        left: &'a ResidentPolynomials,
        right: &'a ResidentPolynomials,
    ) -> Result<ResidentProducts<'a>, GpuError> {
        Ok(ResidentProducts {
            by: self,
            left,
            right,
            product: self.unfilled_products(stream, left, right)?,
            transforms: self.with_memory(|| self.transforms(left.len()))?,
            work: self.with_memory(|| self.workspace(left.len(), right.len()))?,
        })
    }

    /// Memory for the products of operands of the plan.
    fn unfilled_products(
        &self,
        stream: &Stream,
        left: &ResidentPolynomials,
        right: &ResidentPolynomials,
    ) -> Result<ResidentPolynomials, GpuError> {
        // What is kept is for this device.
        let device = self.device();
        device.must_own("stream", stream.device().identity())?;
        let plan = self.plan();
        if [left.form, right.form] != [plan.left, plan.right] {
            return Err(GpuError::Shape(format!(
                "coefficients of the forms {:?} and {:?} were expected, not {:?} and {:?}",
                plan.left, plan.right, left.form, right.form
            )));
        }
        if right.len() != 1 && right.len() != left.len() {
            return Err(GpuError::Shape(format!(
                "there are {} left and {} right operands: as many were expected, or one right one",
                left.len(),
                right.len()
            )));
        }
        let mut spans = Vec::with_capacity(left.len());
        for (index, (a, b)) in left.terms().zip(right.terms().cycle()).enumerate() {
            let terms = self.plan().terms_of_product([a, b])?;
            spans.push([index << plan.log_points, terms]);
        }
        let form = match plan.finish {
            Finish::Words { words, signed } => CoefficientForm { words, signed },
            other => CoefficientForm {
                words: other.words(),
                signed: false,
            },
        };
        let len = left.len() * plan.product_words();
        Ok(ResidentPolynomials {
            words: self.with_memory(|| device.buffer(len))?,
            spans: self.spans_on_device(stream, spans)?,
            form,
        })
    }

    /// Spans of products, as they were copied last if they are the same.
    fn spans_on_device(&self, stream: &Stream, spans: Vec<[usize; 2]>) -> Result<Spans, GpuError> {
        let last = || {
            self.last_spans
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let same = last().clone().filter(|last| *last.on_host == *spans);
        if let Some(same) = same {
            return Ok(same);
        }
        // Other threads need not wait for the device.
        let spans = Spans::new(stream, spans)?;
        *last() = Some(spans.clone());
        Ok(spans)
    }
}
