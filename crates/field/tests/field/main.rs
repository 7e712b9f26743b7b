//! Tests of fields and of what they are made of; files are named as those that they test.

mod any;
mod euclid;
mod expression;
mod generalized_fermat;
mod lanes;
mod laws;
mod lazy;
mod primality;
mod slices;
mod word_modulus;
