//! Subresultants against determinants by definition, and against chains at points.

mod bound;
mod degrees;
mod integer;
mod integer_gcd;
mod modular;
mod oracle;
mod points;
mod primes;
mod properties;
mod subresultant_images;
