//! Pictures of patterns.

use super::matrix::CsrMatrix;
use super::places::Places;

/// A pattern seen from afar: for each pixel, how full its part of the matrix is.
///
/// Rows and columns are divided among the pixels as evenly as possible; a picture never has more pixels
/// than the matrix has rows or columns.
///
/// ```
/// use sunzi::sparse::{CsrMatrix, Picture};
///
/// let diagonal: Vec<_> = (0..100).map(|i| (i, i, 1.0)).collect();
/// let matrix = CsrMatrix::from_triplets(100, 100, &diagonal)?;
/// let picture = Picture::new(&matrix, 4, 4);
/// assert_eq!((picture.width(), picture.height()), (4, 4));
/// assert_eq!(picture.density(2, 2), 25.0 / (25.0 * 25.0));
/// assert_eq!(picture.density(2, 1), 0.0);
/// # Ok::<(), sunzi::sparse::SparseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    rows: usize,
    columns: usize,
    width: usize,
    height: usize,
    /// Entries in each pixel, line by line.
    counts: Vec<u32>,
}

impl Picture {
    /// The picture of at most `width` by `height` pixels of the places of a matrix's entries. Takes
    /// O(m + n + τ) time and 4 bytes a pixel.
    pub fn new<E>(matrix: &CsrMatrix<E>, width: usize, height: usize) -> Self {
        Self::of(Places::of(matrix), width, height)
    }

    fn of(matrix: Places<'_>, width: usize, height: usize) -> Self {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        let (width, height) = (width.min(columns), height.min(rows));
        let mut counts = vec![0u32; width * height];
        if width > 0 {
            let mut first = 0;
            for (line, counts) in counts.chunks_exact_mut(width).enumerate() {
                let end = bound(line + 1, height, rows);
                for row in first..end {
                    for &column in matrix.row(row) {
                        let count = &mut counts[pixel(column as usize, width, columns)];
                        *count = count.saturating_add(1);
                    }
                }
                first = end;
            }
        }
        Self {
            rows,
            columns,
            width,
            height,
            counts,
        }
    }

    /// Pixels from left to right.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The share of places that hold an entry, in the pixel `x` from the left and `y` from the top: 0 to 1.
    ///
    /// # Panics
    /// If there is no such pixel.
    pub fn density(&self, x: usize, y: usize) -> f64 {
        assert!(x < self.width && y < self.height, "a pixel of the picture");
        let across = bound(x + 1, self.width, self.columns) - bound(x, self.width, self.columns);
        let down = bound(y + 1, self.height, self.rows) - bound(y, self.height, self.rows);
        f64::from(self.counts[y * self.width + x]) / (across as f64 * down as f64)
    }

    /// Shades of grey, line by line: 255 where there is no entry, the darker the fuller, 0 where it is
    /// fullest.
    ///
    /// Sparse patterns are nearly empty everywhere; so that single entries show, shades follow the
    /// logarithm of the density, and the faintest is well told from white.
    ///
    /// ```
    /// # use sunzi::sparse::{CsrMatrix, Picture};
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 0, ()), (1, 1, ())].map(|(i, j, ())| (i, j, 1)))?;
    /// assert_eq!(Picture::new(&matrix, 2, 2).shades(), [0, 255, 255, 0]);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn shades(&self) -> Vec<u8> {
        const FAINTEST: f64 = 200.0;
        let densities: Vec<f64> = (0..self.height)
            .flat_map(|y| (0..self.width).map(move |x| self.density(x, y)))
            .collect();
        let filled = || densities.iter().copied().filter(|&density| density > 0.0);
        let (least, most) = filled().fold((1.0f64, 0.0f64), |(least, most), density| {
            (least.min(density), most.max(density))
        });
        let range = (most / least).ln();
        let shade = |density: f64| match density {
            0.0 => 255,
            // All alike: black.
            _ if range <= 0.0 => 0,
            _ => (FAINTEST * (most / density).ln() / range).round() as u8,
        };
        densities.into_iter().map(shade).collect()
    }
}

/// Where pixel `index` begins.
pub fn bound(index: usize, pixels: usize, lines: usize) -> usize {
    (index as u128 * lines as u128).div_ceil(pixels as u128) as usize
}

/// The pixel that a line lies in: the last that does not begin after it.
pub fn pixel(line: usize, pixels: usize, lines: usize) -> usize {
    (line as u128 * pixels as u128 / lines as u128) as usize
}

/// How many entries each pixel shows, for tests.
#[cfg(feature = "internals")]
pub fn counts(picture: &Picture) -> &[u32] {
    &picture.counts
}
