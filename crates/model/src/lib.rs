//! Models of machines.
