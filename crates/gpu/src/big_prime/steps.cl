// Transforms by steps of two points, for all radices: a thread has a digit, GROUP / k elements are a group's, and digits are
// canonical between any two operations.

// x <- x + y or x - y, by one thread.
FN void add_element(LOCAL u64* x, LOCAL const u64* y, u64 r, u32 k, u32 negative) {
  i64 carry = 0;
  ROLLED
  for (u32 d = 0; d < k; d++) {
    i64 next = 0;
    u64 sum = add_digit(r, 0, x[d], 0, &next);
    sum = add_digit(r, sum, y[d], negative, &next);
    sum = add_digit(r, sum, (u64)(carry < 0 ? -carry : carry), carry < 0 ? 1u : 0u, &next);
    x[d] = sum;
    carry = next;
  }
  close(x, r, k, carry);
}

// x <- x y by the k threads of an element; a barrier comes before and after. `columns` and `signs` are the group's.
FN void multiply(Radix radix, LOCAL u64* x, LOCAL const u64* y, LOCAL u64* columns, LOCAL u32* signs, u32 k) {
  u32 d = THREAD & (k - 1), first = THREAD - d;
  u64 parts[3];
  u32 negative;
  column(radix, x, y, k, d, parts, &negative);
  columns[THREAD] = parts[0];
  columns[GROUP + THREAD] = parts[1];
  columns[2 * GROUP + THREAD] = parts[2];
  signs[THREAD] = negative;
  BARRIER();
  if (d == 0) {
    i64 carry = 0;
    ROLLED
    for (u32 i = 0; i < k; i++) {
      i64 next = 0;
      u64 sum = 0;
      ROLLED
      for (u32 j = 0; j < 3; j++) {
        // Below zero wraps around, with the other sign.
        u32 from = (i - j) & (k - 1), wraps = i - from != j ? 1u : 0u;
        sum = add_digit(radix.r, sum, columns[j * GROUP + first + from], signs[first + from] ^ wraps, &next);
      }
      sum = add_digit(radix.r, sum, (u64)(carry < 0 ? -carry : carry), carry < 0 ? 1u : 0u, &next);
      x[i] = sum;
      carry = next;
    }
    close(x, radix.r, k, carry);
  }
  BARRIER();
}

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
