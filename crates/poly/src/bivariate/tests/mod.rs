//! Subresultants against determinants by definition, and against chains at points.

mod integer;
mod integer_gcd;
mod modular;
mod oracle;
mod properties;
