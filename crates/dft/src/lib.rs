//! Discrete Fourier transforms and convolutions over prime fields.
