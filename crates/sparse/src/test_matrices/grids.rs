//! Grids of finite differences and finite elements.

use super::require;
use crate::error::SparseError;
use crate::{compressed::Compressed, error::Line, matrix::CsrMatrix};

/// What a point and its neighbours count: by the sum of the distances in each direction, each 0 or 1.
pub(super) struct Stencil {
    /// The entry for this number of directions; `None` if there is none.
    entries: [Option<f64>; 4],
    /// Whether there are neighbours in z.
    space: bool,
}

/// The 5-point or the 9-point stencil.
pub(super) fn plane(full: bool) -> Stencil {
    let entries = if full {
        [Some(8.0 / 3.0), Some(-1.0 / 3.0), Some(-1.0 / 3.0), None]
    } else {
        [Some(4.0), Some(-1.0), None, None]
    };
    Stencil {
        entries,
        space: false,
    }
}

/// The 7-point or the 27-point stencil.
pub(super) fn space(full: bool) -> Stencil {
    let entries = if full {
        [Some(26.0), Some(-1.0), Some(-1.0), Some(-1.0)]
    } else {
        [Some(6.0), Some(-1.0), None, None]
    };
    Stencil {
        entries,
        space: true,
    }
}

/// The matrix of a stencil on a grid.
pub(super) fn grid(
    sizes: [u32; 3],
    stencil: Stencil,
    too_large: impl Fn() -> SparseError,
) -> Result<CsrMatrix<f64>, SparseError> {
    let points = sizes
        .iter()
        .try_fold(1u32, |product, &size| product.checked_mul(size));
    let points = points.ok_or_else(too_large)?;
    // Where there are no points, nothing is gone through for the other directions.
    let sizes = sizes.map(|size| i64::from(size.min(points)));
    let depths = if stencil.space { -1..=1 } else { 0..=0 };
    // In the order of the points that they lead to.
    let mut steps = Vec::new();
    for dz in depths {
        for dy in -1..=1 {
            for dx in -1..=1i64 {
                let step: [i64; 3] = [dx, dy, dz];
                let directions = step.iter().filter(|&&d| d != 0).count();
                if let Some(entry) = stencil.entries[directions] {
                    steps.push((step, entry));
                }
            }
        }
    }
    require(u64::from(points), 8 + 12 * steps.len() as u64)?;
    let mut starts = Vec::with_capacity(points as usize + 1);
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    starts.push(0);
    for z in 0..sizes[2] {
        for y in 0..sizes[1] {
            for x in 0..sizes[0] {
                for &(step, entry) in &steps {
                    let point = [x + step[0], y + step[1], z + step[2]];
                    if (0..3).all(|axis| (0..sizes[axis]).contains(&point[axis])) {
                        indices
                            .push(((point[2] * sizes[1] + point[1]) * sizes[0] + point[0]) as u32);
                        values.push(entry);
                    }
                }
                starts.push(indices.len());
            }
        }
    }
    let shape = (points as usize, points as usize);
    let lines = Compressed::new(Line::Row, shape, starts, indices, values)?;
    Ok(CsrMatrix::of(lines))
}
