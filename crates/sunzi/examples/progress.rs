//! How far a long computation is: `cargo run --release -p sunzi --example progress`.

use std::sync::Arc;
use std::{thread, time::Duration};
use sunzi::matrix::DenseMatrix;
use sunzi::{Error, Integer, Meter};

pub(crate) fn main() -> Result<(), Error> {
    let meter = Arc::new(Meter::new());
    let shown = Arc::clone(&meter);
    let display = thread::spawn(move || {
        // Until the computation has let go of the other end.
        while Arc::strong_count(&shown) > 1 {
            if let Some(reading) = shown.read() {
                println!("{reading}"); // 60 of 200 lifting steps
            }
            thread::sleep(Duration::from_millis(50));
        }
    });
    let matrix = DenseMatrix::from_fn(80, 80, |i, j| Integer::from(i * j + i.pow(3) % 101));
    let determinant = meter.watch(|| matrix.determinant())?;
    drop(meter);
    println!("the determinant is {determinant}");
    let _ = display.join();
    Ok(())
}
