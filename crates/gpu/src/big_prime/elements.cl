// Elements in memory that a group shares, canonical before and after: a thread has a digit.

// Where the thread's element begins in memory that the group shares, its digit, and its number among all.
#define DIGIT (THREAD & ((1u << log_k) - 1))
#define OWN (THREAD - DIGIT)
#define ELEMENT ((u64)BLOCK * (GROUP >> log_k) + (THREAD >> log_k))

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
