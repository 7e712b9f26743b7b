// Residues modulo a prime of 63 bits, from coefficients of 64, laid out for its transforms.
//
// Polynomial b has the spans[2b + 1] coefficients from number spans[2b] on, of `total` that there are. Their residues go to
// residues[first + b points + i], followed by zeros.
KERNEL spread(GLOBAL E* RESTRICT residues, u64 first, GLOBAL const E* RESTRICT coefficients,
              GLOBAL const u32* RESTRICT spans, u32 log_points, u64 positions, u64 total, u32 scale,
              FIELD_PARAMETERS) {
  u64 position = (u64)BLOCK * GROUP + THREAD;
  if (position >= positions) return;
  u32 polynomial = (u32)(position >> log_points);
  u32 index = (u32)position & ((1u << log_points) - 1);
  u64 start = spans[2 * polynomial];
  u32 length = spans[2 * polynomial + 1];
  E x = 0;
  if (index < length && start + index < total) {
    // Any word is a factor: times 1, it is reduced.
    x = scaled(FIELD(0), coefficients[start + index], SCALE(0, scale));
  }
  residues[first + position] = x;
}
