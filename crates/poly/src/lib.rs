//! Dense polynomials over prime fields and over the integers.

mod bits;
mod coefficient_field;
mod error;
mod integer;
mod karatsuba;
mod kronecker;
mod plain;
mod plan;
mod poly;
mod ring;

pub use coefficient_field::{CoefficientField, Thresholds};
pub use error::PolyError;
pub use integer::{FlatPoly, IntegerPlan, IntegerPolyRing};
pub use plan::{Algorithm, Plan, Reason};
pub use poly::Poly;
pub use ring::PolyRing;
