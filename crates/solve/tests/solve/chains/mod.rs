//! Tests of regular chains.

mod known_systems;
mod modular;
mod oracle;
mod rational;
