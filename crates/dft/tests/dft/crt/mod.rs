//! Products over several primes.

mod products;
mod values;
