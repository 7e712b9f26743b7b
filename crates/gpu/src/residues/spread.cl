// Residues modulo a prime of 63 bits, from coefficients of 64, laid out for its transforms.
//
// Those of polynomial b go to residues[first + b points + i].
KERNEL spread(GLOBAL E* RESTRICT residues, u64 first, GLOBAL const E* RESTRICT coefficients,
              GLOBAL const u32* RESTRICT spans, u32 log_points, u64 positions, u64 total, u32 scale,
              FIELD_PARAMETERS) {
  u64 position = (u64)BLOCK * GROUP + THREAD;
  if (position >= positions) return;
  u64 number = coefficient_at(position, spans, log_points, total);
  E x = 0;
  // Any word is a factor: times 1, it is reduced.
  if (number != NO_COEFFICIENT) x = scaled(FIELD(0), coefficients[number], SCALE(0, scale));
  residues[first + position] = x;
}
