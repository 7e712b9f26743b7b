// Tables of twiddle factors: table[i] = the product of powers[start + k] over the bits k of i.
KERNEL fill_table(GLOBAL E* RESTRICT table, GLOBAL const E* RESTRICT powers, u32 start, u32 log_count,
                  SCALE_PARAMETER, FIELD_PARAMETERS) {
  Field f = FIELD;
  u32 i = BLOCK * GROUP + THREAD;
  if (i >> log_count != 0) return;
  E w = SCALE;
  for (u32 k = 0; k < log_count; k++) {
    if (i >> k & 1) w = prepared_mul(f, w, powers[start + k]);
  }
  table[i] = w;
}
