// Transforms by steps of two points, for all radices: a thread has a digit, GROUP / k elements are a group's, and digits are
// canonical between any two operations.

// One step of Stockham's order: x_(q + s p) and the one half a vector further become their sum at q + 2 s p, and their
// difference times root^(s p) s further, for s = 2^log_step, q < s and p < N / 2 s. The table has all N powers of the root;
// `backward` takes those of its inverse.
KERNEL big_prime_step(GLOBAL u64* RESTRICT to, u64 to_first, GLOBAL const u64* RESTRICT from, u64 from_first,
                      GLOBAL const u64* RESTRICT powers, u64 count, u32 log_n, u32 log_step, u32 backward,
                      RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 left[GROUP];
  SHARED u64 right[GROUP];
  SHARED u64 factor[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u32 k = 1u << log_k, d = THREAD & (k - 1), first = THREAD - d;
  u64 reach = (u64)1 << (log_n - 1), stride = (u64)1 << log_step;
  u64 index = (u64)BLOCK * (GROUP >> log_k) + (THREAD >> log_k);
  u32 is_there = index < count ? 1u : 0u;
  index = is_there ? index : 0;
  u64 vector = index >> (log_n - 1) << log_n, i = index & (reach - 1), high = i >> log_step << log_step;
  u64 power = backward ? (2 * reach - high) & (2 * reach - 1) : high;
  GLOBAL const u64* a = from + ((from_first + vector + i) << log_k) + d;
  left[THREAD] = a[0];
  right[THREAD] = a[reach << log_k];
  factor[THREAD] = powers[(power << log_k) + d];
  columns[THREAD] = left[THREAD];
  BARRIER();
  if (d == 0) {
    add_element(left + first, right + first, r, k, 0);
    add_element(columns + first, right + first, r, k, 1);
  }
  BARRIER();
  right[THREAD] = columns[THREAD];
  BARRIER();
  multiply(radix, right + first, factor + first, columns, signs, k);
  if (is_there) {
    GLOBAL u64* out = to + ((to_first + vector + i + high) << log_k) + d;
    out[0] = left[THREAD];
    out[stride << log_k] = right[THREAD];
  }
}

// a_i <- a_i b_(i & mask) for i < count.
KERNEL big_prime_pointwise(GLOBAL u64* RESTRICT a, u64 a_first, GLOBAL const u64* RESTRICT b, u64 b_first, u64 count,
                           u64 mask, RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 left[GROUP];
  SHARED u64 factor[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u32 k = 1u << log_k, d = THREAD & (k - 1), first = THREAD - d;
  u64 index = (u64)BLOCK * (GROUP >> log_k) + (THREAD >> log_k);
  u32 is_there = index < count ? 1u : 0u;
  index = is_there ? index : 0;
  GLOBAL u64* own = a + ((a_first + index) << log_k) + d;
  // Those that are not there do not read what others write.
  left[THREAD] = is_there ? *own : 0;
  factor[THREAD] = b[((b_first + (index & mask)) << log_k) + d];
  BARRIER();
  multiply(radix, left + first, factor + first, columns, signs, k);
  if (is_there) *own = left[THREAD];
}
