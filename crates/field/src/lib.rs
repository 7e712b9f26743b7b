//! Prime fields of word size for exact computation.
