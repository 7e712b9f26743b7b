//! Batches on a GPU where that is faster: `cargo run --release -p sunzi --example engine`.

use sunzi::engine::{DeviceChoice, Engine};
use sunzi::{Error, Integer};

pub(crate) fn main() -> Result<(), Error> {
    let engine = Engine::new(DeviceChoice::Auto)?; // or `Cpu`, or "cuda".parse()?
    let factors: Vec<Integer> = (1..=100).map(|i| Integer::from(i).pow(500)).collect();
    let pairs: Vec<[&Integer; 2]> = factors
        .iter()
        .zip(factors.iter().rev())
        .map(|(a, b)| [a, b])
        .collect();
    let products = engine.multiply_integers(&pairs, None)?.into_all()?;
    assert_eq!(products[0], factors[99]);
    println!("{} products", products.len());
    Ok(())
}
