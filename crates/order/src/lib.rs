//! Sorting in linear time.
