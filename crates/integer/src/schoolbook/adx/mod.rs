//! Schoolbook products with `mulx`, `adcx` and `adox`: two carry chains beside each multiplication.
//!
//! Partial sums stay in registers. Short operands have a function for every length; a longer operand
//! passes limb by limb over the shorter one while that has at most eight limbs, and is else cut into
//! strips of at most eight.

#[macro_use]
mod rows;
#[macro_use]
mod cross;
mod long_square;
mod shape;
mod square;
mod strip;
mod words;

pub(super) use long_square::function as long_square;
pub(super) use shape::function as unrolled;
pub(super) use square::function as unrolled_square;
pub(super) use strip::{function as strip, mul_by_strips};
pub(super) use words::{mul_by_one, mul_by_two};
