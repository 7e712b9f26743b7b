//! A sparse system of equations in floating point: `cargo run --release -p sunzi --example conjugate_gradients`.

use sunzi::Error;
use sunzi::sparse::{CsrMatrix, conjugate_gradients};

pub(crate) fn main() -> Result<(), Error> {
    // A string of springs, each end of which is held.
    let n = 1000;
    let springs = (0..n)
        .map(|i| (i, i, 2.0))
        .chain((1..n).flat_map(|i| [(i, i - 1, -1.0), (i - 1, i, -1.0)]));
    let matrix = CsrMatrix::from_triplets(n as usize, n as usize, &springs.collect::<Vec<_>>())?;
    println!("{} rows, {} entries", matrix.rows(), matrix.nnz());

    let load = vec![1.0; n as usize];
    let report = conjugate_gradients(&matrix, &load)?;
    println!(
        "after {} iterations the residual is {:.1e}",
        report.iterations(),
        report.true_residual
    );
    let forces = &matrix * &report.solution;
    assert!(forces.iter().all(|force| (force - 1.0).abs() < 1e-6));
    assert_eq!(matrix.transposed(), matrix);
    Ok(())
}
