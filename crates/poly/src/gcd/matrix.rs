//! Matrices of polynomials that lead from one pair of remainders to a later one.

use sunzi_field::Field;
use sunzi_machine::threads::Threads;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::trim;
use crate::ring::PolyRing;
use crate::ring::values::Values;

/// Points from which the transforms of a matrix are shared between threads: a thread that sleeps takes as
/// long to wake up as shorter ones take.
const PARALLEL_POINTS: usize = 1 << 14;

/// A matrix of two rows and two columns.
#[derive(Clone, Debug)]
pub(super) struct Matrix<E> {
    rows: [[Vec<E>; 2]; 2],
}

/// The values of its entries.
pub(super) struct MatrixValues {
    points: usize,
    entries: Vec<Values>,
}

/// Two polynomials.
pub(super) type Column<E> = [Vec<E>; 2];

impl<E: Copy + PartialEq + Sync> Matrix<E> {
    pub(super) const fn new(rows: [[Vec<E>; 2]; 2]) -> Self {
        Self { rows }
    }

    /// That of one step, (a, b) → (b, a − q·b).
    pub(super) fn of_quotient<F: Field<Elem = E>>(field: &F, mut quotient: Vec<E>) -> Self {
        field.neg_slice(&mut quotient);
        Self::new([
            [Vec::new(), vec![field.one()]],
            [vec![field.one()], quotient],
        ])
    }

    fn entries(&self) -> impl Iterator<Item = &Vec<E>> {
        self.rows.iter().flatten()
    }

    /// Coefficients of the longest entry.
    pub(super) fn len(&self) -> usize {
        self.entries().map(Vec::len).max().unwrap_or(0)
    }

    /// The values of the entries.
    pub(super) fn values<F: CoefficientField<Elem = E>>(
        &self,
        ring: &PolyRing<F>,
        points: usize,
    ) -> Result<MatrixValues, PolyError> {
        let entries: Vec<&[E]> = self.entries().map(|entry| &entry[..]).collect();
        Ok(MatrixValues {
            points,
            entries: all_values(ring, points, &entries)?,
        })
    }

    /// The product with a column.
    pub(super) fn apply<F: CoefficientField<Elem = E>>(
        &self,
        ring: &PolyRing<F>,
        column: [&[E]; 2],
    ) -> Result<Column<E>, PolyError> {
        let longest = column.map(<[E]>::len).into_iter().max().unwrap_or(0);
        if ring.values_win(self.len().min(longest)) {
            let len = self.len() + longest - 1;
            let values = self.values(ring, ring.points_for(len, len))?;
            let [product] = values.apply(ring, [column], [len])?;
            return Ok(product);
        }
        let [first, second] = &self.rows;
        let row = |row: &[Vec<E>; 2]| {
            let sum = ring.product(&row[0], column[0])?;
            Ok::<_, PolyError>(add(ring.field(), sum, ring.product(&row[1], column[1])?))
        };
        Ok([row(first)?, row(second)?])
    }

    /// The product with an earlier matrix.
    pub(super) fn multiply<F: CoefficientField<Elem = E>>(
        &self,
        ring: &PolyRing<F>,
        earlier: &Self,
    ) -> Result<Self, PolyError> {
        let columns = earlier.columns();
        if ring.values_win(self.len().min(earlier.len())) {
            let len = self.len() + earlier.len() - 1;
            let values = self.values(ring, ring.points_for(len, len))?;
            return Ok(Self::of_columns(values.apply(ring, columns, [len; 2])?));
        }
        let [first, second] = columns;
        let columns = [self.apply(ring, first)?, self.apply(ring, second)?];
        Ok(Self::of_columns(columns))
    }

    /// The product of the matrix of one step, (a, b) → (b, a − q·b), with this one.
    pub(super) fn after_quotient<F: CoefficientField<Elem = E>>(
        self,
        ring: &PolyRing<F>,
        quotient: &[E],
    ) -> Result<Self, PolyError> {
        let [old, last] = self.rows;
        let mut next = Vec::with_capacity(2);
        for (old, last) in old.into_iter().zip(&last) {
            let mut product = ring.product(quotient, last)?;
            ring.field().neg_slice(&mut product);
            next.push(add(ring.field(), product, old));
        }
        let second = next.pop().unwrap_or_default();
        let first = next.pop().unwrap_or_default();
        Ok(Self::new([last, [first, second]]))
    }
}

impl MatrixValues {
    /// The products with several columns, which have at most `lens` coefficients.
    pub(super) fn apply<F: CoefficientField, const N: usize>(
        &self,
        ring: &PolyRing<F>,
        columns: [[&[F::Elem]; 2]; N],
        lens: [usize; N],
    ) -> Result<[Column<F::Elem>; N], PolyError> {
        let mut entries = self.entries_of_products(ring, columns.as_flattened(), &lens)?;
        let mut next = || entries.next().unwrap_or_default();
        Ok(std::array::from_fn(|_| [next(), next()]))
    }

    /// Entry by entry, the first of each column before its second. It is compiled once, whatever the number of columns.
    fn entries_of_products<F: CoefficientField>(
        &self,
        ring: &PolyRing<F>,
        columns: &[&[F::Elem]],
        lens: &[usize],
    ) -> Result<std::vec::IntoIter<Vec<F::Elem>>, PolyError> {
        let values = all_values(ring, self.points, columns)?;
        let entry = |index: usize| {
            let (column, row) = (index / 2, 2 * (index % 2));
            let (a, b) = (&self.entries[row..], &values[2 * column..]);
            let mut out = vec![ring.field().zero(); lens[column].min(self.points)];
            ring.sum_by_values(&mut out, [[&a[0], &b[0]], [&a[1], &b[1]]])?;
            trim(&mut out);
            Ok(out)
        };
        Ok(each(ring, columns.len(), self.points, entry)?.into_iter())
    }
}

impl<E> Matrix<E> {
    /// The matrix with these columns.
    pub(super) fn of_columns([[a, c], [b, d]]: [Column<E>; 2]) -> Self {
        Self {
            rows: [[a, b], [c, d]],
        }
    }

    /// Its columns.
    pub(super) fn columns(&self) -> [[&[E]; 2]; 2] {
        let [[a, b], [c, d]] = &self.rows;
        [[a, c], [b, d]]
    }
}

/// The first row of the product of matrices, the earliest of which comes first.
pub(super) fn first_row<F: CoefficientField>(
    ring: &PolyRing<F>,
    matrices: &[Matrix<F::Elem>],
) -> Result<[Vec<F::Elem>; 2], PolyError> {
    let mut row = [vec![ring.field().one()], Vec::new()];
    for matrix in matrices.iter().rev() {
        let [[a, b], [c, d]] = &matrix.rows;
        // As columns of the transposed matrix.
        let transposed = Matrix::new([[a.clone(), c.clone()], [b.clone(), d.clone()]]);
        row = transposed.apply(ring, [&row[0], &row[1]])?;
        for entry in &mut row {
            trim(entry);
        }
    }
    Ok(row)
}

/// The values of several polynomials.
fn all_values<F: CoefficientField>(
    ring: &PolyRing<F>,
    points: usize,
    polynomials: &[&[F::Elem]],
) -> Result<Vec<Values>, PolyError> {
    let one = |index: usize| ring.values(points, polynomials[index]);
    each(ring, polynomials.len(), points, one)
}

/// What `one` gives for every index below `count`, on all threads if its transforms are long.
fn each<F: CoefficientField, T: Send>(
    ring: &PolyRing<F>,
    count: usize,
    points: usize,
    one: impl Fn(usize) -> Result<T, PolyError> + Send + Sync,
) -> Result<Vec<T>, PolyError> {
    Threads::when(points >= ring.cut(PARALLEL_POINTS)).try_map(0..count, one)
}

/// The sum of two vectors of different lengths.
pub(super) fn add<F: Field>(field: &F, a: Vec<F::Elem>, b: Vec<F::Elem>) -> Vec<F::Elem> {
    let (mut long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    field.add_assign_slice(&mut long[..short.len()], &short);
    long
}
