//! Residue number systems: bases of primes, bounds, mixed-radix reconstruction.
