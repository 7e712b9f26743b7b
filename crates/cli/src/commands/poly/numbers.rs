//! Lines of polynomials together with lines of numbers.

use crate::operation::LineFormat;
use sunzi_files::input::LineError;

/// Polynomials in the lines of the first file, and numbers in those of the second one.
pub struct WithNumbers<'a, T, R> {
    pub polynomials: &'a T,
    /// Reads a number, which stands alone in a line.
    pub read: R,
}

/// What a line of either file holds; the other part is zero.
pub struct Either<P, N> {
    pub polynomial: P,
    pub number: N,
}

impl<T, N, R> LineFormat for WithNumbers<'_, T, R>
where
    T: LineFormat,
    N: Default + Send + Sync,
    R: Fn(&[u8]) -> Result<N, LineError> + Sync,
{
    type Operand = Either<T::Operand, N>;
    type Outcome = T::Outcome;

    fn weight(&self, content: &[u8]) -> usize {
        self.polynomials.weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError> {
        Ok(Either {
            polynomial: self.polynomials.parse(content)?,
            number: N::default(),
        })
    }

    fn parse_of(&self, file: usize, content: &[u8]) -> Result<Self::Operand, LineError> {
        if file == 0 {
            return self.parse(content);
        }
        let number = (self.read)(content)?;
        let zero = self.parse(b"0")?;
        Ok(Either { number, ..zero })
    }

    fn bytes(&self, operand: &Self::Operand) -> u64 {
        self.polynomials.bytes(&operand.polynomial)
    }

    fn write(&self, outcome: &T::Outcome, out: &mut Vec<u8>) {
        self.polynomials.write(outcome, out);
    }
}
