//! Exact arithmetic on all cores: integers, polynomials and transforms of any size.
