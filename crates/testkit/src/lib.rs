//! Test helpers of the Sunzi workspace: edge batteries, seeded randomness, oracles.
