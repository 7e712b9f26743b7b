//! Numbers, polynomials and matrices from text and to text: `cargo run --release -p sunzi --example text`.

use sunzi::matrix::DenseMatrix;
use sunzi::poly::Poly;
use sunzi::solve::RealRoots;
use sunzi::{Error, ErrorKind, Integer, Rational};

pub(crate) fn main() -> Result<(), Error> {
    let a: Integer = "-0xff".parse()?;
    assert_eq!(format!("{a} {a:#x} {a:b}"), "-255 -0xff -11111111");
    assert_eq!(Integer::from_str_radix("zz", 36)?, 1295);
    let quarter: Rational = "0.25".parse()?;
    assert_eq!(format!("{quarter} {quarter:.3}"), "1/4 0.250");

    let f: Poly<Rational> = "(x - 1/2)^2".parse()?;
    assert_eq!(f.to_string(), "x^2 - x + 1/4");
    let matrix: DenseMatrix<Integer> = "1 2\n3 4".parse()?;
    assert_eq!(matrix.to_string(), "[[1, 2], [3, 4]]");
    assert_eq!(
        format!("{:.30}", RealRoots::of(&"x^3 - 2".parse()?)?),
        "1.25992104989487316476721060728"
    );

    // What is wrong with a text is said in a sentence.
    let error = Error::from("3*x + 2*".parse::<Poly<Integer>>().unwrap_err());
    println!("{error}");
    assert_eq!(error.kind(), ErrorKind::Text);
    Ok(())
}
