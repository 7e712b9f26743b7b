// Determinants modulo r^k + 1 by elimination without fractions: a launch a pivot finds it, another one eliminates.
//
// Step s takes l a_ij - a_is a_sj in place of a_ij for i, j > s, with the pivot l = a_ss. What is left on the diagonal are the pivots,
// of which the host makes determinants. A state has 1 for an odd number of exchanges of rows, 2 where there was no pivot.

// Brings a row whose element in column `step` is not 0 to row `step` of its group's matrix.
KERNEL element_pivot(GLOBAL u64* RESTRICT matrices, GLOBAL u32* RESTRICT states, u32 n, u32 step, u32 log_k) {
  SHARED u32 rows[GROUP];
  GLOBAL u64* a = matrices + (((u64)BLOCK * n * n) << log_k);
  u32 words = (n - step) << log_k, k = 1u << log_k, row = n;
  for (u32 w = THREAD; w < words; w += GROUP) {
    u32 i = step + (w >> log_k);
    if (i < row && a[(((u64)i * n + step) << log_k) + (w & (k - 1))] != 0) row = i;
  }
  rows[THREAD] = row;
  BARRIER();
  ROLLED
  for (u32 i = 0; i < GROUP; i++) row = rows[i] < row ? rows[i] : row;
  if (row == n) {
    if (THREAD == 0) states[BLOCK] |= 2u;
    return;
  }
  if (row == step) return;
  GLOBAL u64* x = a + (((u64)row * n + step) << log_k);
  GLOBAL u64* y = a + (((u64)step * n + step) << log_k);
  for (u32 w = THREAD; w < words; w += GROUP) {
    u64 word = x[w];
    x[w] = y[w];
    y[w] = word;
  }
  if (THREAD == 0) states[BLOCK] ^= 1u;
}

// A thread has a digit of one of the `count` elements behind row and column `step` of all matrices.
KERNEL element_eliminate(GLOBAL u64* RESTRICT matrices, u64 count, u32 n, u32 step, RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 y[GROUP];
  SHARED u64 factor[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 index = ELEMENT;
  u32 k = 1u << log_k, d = DIGIT, own = OWN, is_there = index < count ? 1u : 0u, rest = n - step - 1;
  index = is_there ? index : 0;
  u64 place = index % ((u64)rest * rest), first = index / ((u64)rest * rest) * n * n;
  u64 i = step + 1 + place / rest, j = step + 1 + place % rest;
  GLOBAL u64* a = matrices + (first << log_k);
  x[THREAD] = a[((i * n + j) << log_k) + d];
  y[THREAD] = a[(((u64)step * n + j) << log_k) + d];
  factor[THREAD] = a[(((u64)step * n + step) << log_k) + d];
  BARRIER();
  multiply(radix, x + own, factor + own, columns, signs, k);
  factor[THREAD] = a[((i * n + step) << log_k) + d];
  BARRIER();
  multiply(radix, y + own, factor + own, columns, signs, k);
  if (d == 0) add_element(x + own, y + own, r, k, 1);
  BARRIER();
  if (is_there) a[((i * n + j) << log_k) + d] = x[THREAD];
}
