//! A transform modulo the prime P8 = (2^59 + 2^57 + 2^39)^8 + 1: `cargo run --release -p sunzi --example big_prime_transform`.

use sunzi::field::{Field, GeneralizedFermat};
use sunzi::transform::{DftContext, Ordering};
use sunzi::{Error, Natural};

pub(crate) fn main() -> Result<(), Error> {
    let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39))?;
    let context = DftContext::over_big_prime(&field, 4096)?;
    let signal: Vec<_> = (0..4096).map(|i| field.from_u64(i)).collect();

    let mut spectrum = signal.clone();
    context.forward(&mut spectrum, Ordering::Natural)?;
    let first: Natural = field.to_integer(spectrum[0]); // the sum of all
    assert_eq!(first, 4095 * 4096 / 2);
    println!("the second value has the digits {}", spectrum[1]);

    context.inverse(&mut spectrum, Ordering::Natural)?;
    assert_eq!(spectrum, signal);
    Ok(())
}
