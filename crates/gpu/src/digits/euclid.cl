// Division and Euclid's algorithm modulo r^k + 1, a launch a step: a row of groups has a pair, a thread a digit.
//
// Rows of a pair lie one after the other, `stride` elements each, coefficients from the constant term upward.

// Where an element of a pair's row begins.
FN GLOBAL u64* at(GLOBAL u64* rows, u64 row, u32 stride, u32 element, u32 log_k) {
  return rows + ((row * stride + element) << log_k);
}

// A step of division of rows a, b, q: the coefficient of the quotient that a's element `count - 1 - step` gives to q, and what is left
// to a, `count` being a's length; the host has inverted b's leading coefficient.
KERNEL element_divide(GLOBAL u64* RESTRICT rows, GLOBAL const u64* RESTRICT inverses, GLOBAL const u32* RESTRICT lengths,
                      u32 stride, u32 step, RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 y[GROUP];
  SHARED u64 term[GROUP];
  SHARED u64 inverse[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  u32 k = 1u << log_k, d = DIGIT, own = OWN, count = lengths[2 * BLOCK_Y], m = lengths[2 * BLOCK_Y + 1];
  if (count < m + step) return;
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u32 n = count - step, gap = n - m;
  u64 e = ELEMENT, is_there = e + 1 < m ? 1u : 0u, first = (u64)BLOCK_Y * 3;
  GLOBAL u64* to = at(rows, first, stride, gap + (is_there ? (u32)e : 0), log_k) + d;
  x[THREAD] = *to;
  y[THREAD] = *(at(rows, first + 1, stride, is_there ? (u32)e : 0, log_k) + d);
  term[THREAD] = *(at(rows, first, stride, n - 1, log_k) + d);
  inverse[THREAD] = inverses[((u64)BLOCK_Y << log_k) + d];
  BARRIER();
  multiply(radix, term + own, inverse + own, columns, signs, k);
  multiply(radix, y + own, term + own, columns, signs, k);
  if (d == 0) add_element(x + own, y + own, r, k, 1);
  BARRIER();
  if (is_there) *to = x[THREAD];
  if (e == 0) *(at(rows, first + 2, stride, gap, log_k) + d) = term[THREAD];
}

// What is known of a pair between steps: lengths of a and b, the row of a, its length where a round began, the round's steps, rounds.
#define STATE 6

// A step without fractions, a <- l a - t x^gap b with the leading coefficients l of b and t of a, for rows a and b and the cofactors
// of both, two rows each, if there are six.
KERNEL element_euclid(GLOBAL u64* RESTRICT rows, GLOBAL const u32* RESTRICT states, u32 stride, u32 count, RADIX_PARAMETERS,
                      u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 y[GROUP];
  SHARED u64 l[GROUP];
  SHARED u64 t[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  GLOBAL const u32* state = states + STATE * BLOCK_Y;
  u32 k = 1u << log_k, d = DIGIT, own = OWN, n = state[0], m = state[1], upper = state[2], gap = n - m;
  if (m == 0) return;
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 index = ELEMENT, first = (u64)BLOCK_Y * count, both = index / stride * 2;
  u32 e = (u32)(index % stride), q = e - gap, is_first = both == 0 ? 1u : 0u;
  // The leading term vanishes, and is read by others.
  u32 is_there = both < count && (e + 1 < n || !is_first) ? 1u : 0u;
  u32 has_other = is_there && e >= gap && (q + 1 < m || !is_first) ? 1u : 0u;
  if (!is_there) both = e = 0;
  GLOBAL u64* to = at(rows, first + both + upper, stride, e, log_k) + d;
  x[THREAD] = *to;
  y[THREAD] = has_other ? *(at(rows, first + both + 1 - upper, stride, q, log_k) + d) : 0;
  l[THREAD] = *(at(rows, first + 1 - upper, stride, m - 1, log_k) + d);
  t[THREAD] = *(at(rows, first + upper, stride, n - 1, log_k) + d);
  BARRIER();
  multiply(radix, x + own, l + own, columns, signs, k);
  multiply(radix, y + own, t + own, columns, signs, k);
  if (d == 0) add_element(x + own, y + own, r, k, 1);
  BARRIER();
  if (is_there) *to = x[THREAD];
}

// What comes after a step, a thread a pair: a's length, and at the end of a round its numbers for the host: lengths of a and b before, of
// a behind, and steps; and l. Then both change places.
KERNEL element_round(GLOBAL u64* RESTRICT rows, GLOBAL u32* RESTRICT states, GLOBAL u32* RESTRICT trail,
                     GLOBAL u64* RESTRICT leading, u32 pairs, u32 stride, u32 count, u32 log_k) {
  u32 pair = BLOCK * GROUP + THREAD;
  if (pair >= pairs) return;
  GLOBAL u32* state = states + STATE * pair;
  u32 n = state[0], m = state[1], upper = state[2];
  if (m == 0) return;
  GLOBAL const u64* a = at(rows, (u64)pair * count + upper, stride, 0, log_k);
  u64 any = 0;
  n--;
  while (n > 0 && any == 0) {
    for (u32 d = 0; d < 1u << log_k; d++) any |= a[((u64)(n - 1) << log_k) + d];
    if (any == 0) n--;
  }
  state[0] = n;
  state[4]++;
  if (n >= m) return;
  u64 round = (u64)pair * stride + state[5];
  trail[4 * round] = state[3];
  trail[4 * round + 1] = m;
  trail[4 * round + 2] = n;
  trail[4 * round + 3] = state[4];
  GLOBAL const u64* l = at(rows, (u64)pair * count + 1 - upper, stride, m - 1, log_k);
  for (u32 d = 0; d < 1u << log_k; d++) leading[(round << log_k) + d] = l[d];
  state[0] = m;
  state[1] = n;
  state[2] = 1 - upper;
  state[3] = m;
  state[4] = 0;
  state[5]++;
}
