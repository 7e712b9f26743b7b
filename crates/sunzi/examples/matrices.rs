//! Matrices over Z and Q, exact and proved: `cargo run --release -p sunzi --example matrices`.

use sunzi::matrix::DenseMatrix;
use sunzi::{Error, Integer, Rational};

pub(crate) fn main() -> Result<(), Error> {
    let a: DenseMatrix<Integer> = "[[2, 1], [1, 3]]".parse()?;
    assert_eq!(a.determinant()?, 5);
    assert_eq!((&a * &a).to_string(), "[[5, 5], [5, 10]]");

    let hilbert = DenseMatrix::from_fn(4, 4, |i, j| {
        Rational::from_parts(1.into(), (i + j + 1).into())
    });
    let inverse = hilbert.inverse()?;
    println!("{inverse:#}");
    assert_eq!(&hilbert * &inverse, DenseMatrix::identity(4));

    let b = "[1; 0; 0; 0]".parse()?;
    let solution = hilbert.solve(&b)?;
    assert_eq!(solution.matrix.to_string(), "[[16], [-120], [240], [-140]]");
    for row in hilbert.row_iter().take(2) {
        println!("{} and {}", row[0], row[1]);
    }
    Ok(())
}
