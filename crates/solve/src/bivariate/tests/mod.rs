//! Subresultants against determinants by definition, and against chains at points.

mod integer;
mod modular;
mod oracle;
