// Tables of twiddle factors: table[i] = the product of powers[start + k] over the bits k of i. Every prime has `roots`
// powers and a table of 2^log_count.
KERNEL fill_table(GLOBAL E* RESTRICT table, GLOBAL const E* RESTRICT powers, u32 roots, u32 start, u32 log_count,
                  u32 scale, FIELD_PARAMETERS) {
  u32 prime = BLOCK_Y;
  Field f = FIELD(prime);
  u32 i = BLOCK * GROUP + THREAD;
  if (i >> log_count != 0) return;
  powers += prime * roots;
  table += (u64)prime << log_count;
  E w = SCALE(prime, scale);
  for (u32 k = 0; k < log_count; k++) {
    if (i >> k & 1) w = prepared_mul(f, w, powers[start + k]);
  }
  table[i] = w;
}
