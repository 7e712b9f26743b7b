// CHAINS * STEPS products modulo a prime by a prepared factor a round, in registers.
KERNEL prime_products(GLOBAL E* x, u32 rounds, FIELD_PARAMETERS) {
  Field f = FIELD(0);
  u64 at = (u64)BLOCK * GROUP + THREAD;
  E factor = x[at], values[CHAINS];
  Prepared both;
  both.x = factor;
  both.y = factor;
  UNROLL
  for (u32 chain = 0; chain < CHAINS; chain++) values[chain] = factor + chain;
  for (u32 round = 0; round < rounds; round++) {
    UNROLL
    for (u32 step = 0; step < STEPS; step++) {
      UNROLL
      for (u32 chain = 0; chain < CHAINS; chain++) values[chain] = product(f, values[chain], both);
    }
  }
  E all = 0;
  UNROLL
  for (u32 chain = 0; chain < CHAINS; chain++) all ^= values[chain];
  // So that no value goes unused; the factor of the next launch is nearly the same.
  x[at] = factor ^ (all & 1);
}
