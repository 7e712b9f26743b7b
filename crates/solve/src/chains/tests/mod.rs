//! Tests of common factors and regular chains.

mod integer_gcd;
mod known_systems;
mod modular;
mod oracle;
mod rational;
