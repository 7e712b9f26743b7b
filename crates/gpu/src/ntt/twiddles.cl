// Tables of twiddle factors W[i], the product of roots[k] over the bits k of i. Every prime has `bits` roots and a table
// of 2^log_count factors.
FN Prepared with_factor(Field f, Prepared w, GLOBAL const Prepared* roots, u32 i) {
  for (; i != 0; i >>= 1, roots++) {
    if (i & 1) w = prepared_mul(f, w, *roots);
  }
  return w;
}
// table[i] = W[i].
KERNEL fill_table(GLOBAL Prepared* RESTRICT table, GLOBAL const Prepared* RESTRICT roots, u32 bits, u32 log_count,
                  u32 scale, FIELD_PARAMETERS) {
  u32 prime = BLOCK_Y;
  Field f = FIELD(prime);
  u32 i = BLOCK * GROUP + THREAD;
  if (i >> log_count != 0) return;
  table[((u64)prime << log_count) + i] = with_factor(f, SCALE(prime, scale), roots + prime * bits, i);
}
// powers[h 2^radix + k] = W[h 2^near]^k, since W[2i]^2 = W[i].
KERNEL fill_powers(GLOBAL Prepared* RESTRICT powers, GLOBAL const Prepared* RESTRICT roots, u32 bits, u32 log_count,
                   u32 near, u32 radix, u32 scale, FIELD_PARAMETERS) {
  u32 prime = BLOCK_Y;
  Field f = FIELD(prime);
  u32 i = BLOCK * GROUP + THREAD;
  if (i >> log_count != 0) return;
  Prepared w = SCALE(prime, scale);
  roots += prime * bits + near;
  for (u32 j = 0; j < radix; j++) {
    if (i >> j & 1) w = with_factor(f, w, roots - j, i >> radix);
  }
  powers[((u64)prime << log_count) + i] = w;
}
