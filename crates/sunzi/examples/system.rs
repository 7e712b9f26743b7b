//! All real solutions of two equations, proved: `cargo run --release -p sunzi --example system`.

use sunzi::Error;
use sunzi::solve::BivariateSystem;

pub(crate) fn main() -> Result<(), Error> {
    let system = BivariateSystem::new("x^2 + y^2 = 1".parse()?, "x*y - 1/3".parse()?);
    let found = system.digits(20).solve()?;
    println!("{found:.20}");
    assert_eq!((found.solutions.len(), found.complex.distinct), (4, 4));
    let (x, y) = (
        found.solutions[3].x().to_f64(),
        found.solutions[3].y().to_f64(),
    );
    assert!((x * y - 1.0 / 3.0).abs() < 1e-15);
    Ok(())
}
