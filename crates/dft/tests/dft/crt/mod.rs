//! Products over several primes.

mod long_transforms;
mod plan;
mod products;
mod values;
