// Subproduct trees modulo r^k + 1: leaves of one point, and what is done between the transforms of levels above. A thread has
// a digit, a group GROUP / k elements.
//
// A node over d points is x^d + c_(d-1) x^(d-1) + … + c_0; the d elements c_i stand for it. Nodes of a level lie one after the
// other, N elements in all, and their transforms at 2d points take 2N. Elements are canonical.

// The vectors of 2^log_n elements, two by two, in which an element of a vector half as many come from has its two places.
FN u64 left_of(u64 index, u32 log_n) { return (index >> log_n << (log_n + 1)) + (index & (((u64)1 << log_n) - 1)); }

// The part of `from` that is asked for: element j < length is number q of the `count` from `first` on, or 0 where there is
// none, with q = j or, backwards, q = last - j. With `lead` the first one is 1.
KERNEL element_part(GLOBAL u64* RESTRICT to, u64 to_first, u32 length, GLOBAL const u64* RESTRICT from, u64 first, u32 count,
                    u32 last, u32 backwards, u32 negated, u32 lead, RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 result[GROUP];
  u64 index = ELEMENT;
  u32 d = DIGIT, own = OWN, is_there = index < length ? 1u : 0u, j = (u32)index;
  u32 q = backwards ? last - j : j;
  u64 word = is_there && q < count ? from[((first + q) << log_k) + d] : 0;
  x[THREAD] = word;
  result[THREAD] = negated ? 0 : word;
  BARRIER();
  if (negated && d == 0) add_element(result + own, x + own, r, 1u << log_k, 1);
  BARRIER();
  word = result[THREAD];
  if (lead && index == 0) word = d == 0 ? 1 : 0;
  if (is_there) to[((to_first + j) << log_k) + d] = word;
}

// Vectors of 2d elements for transforms of polynomials of d, `monic` ones with their leading 1; from `wrapped` ones 1 is taken
// off, which their leading 1 became modulo x^d - 1.
KERNEL element_spread(GLOBAL u64* RESTRICT to, GLOBAL const u64* RESTRICT from, u32 count, u32 log_d, u32 monic, u32 wrapped,
                      RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 one[GROUP];
  u64 index = ELEMENT;
  u32 d = DIGIT, own = OWN, is_there = index < count ? 1u : 0u;
  u64 length = (u64)1 << log_d, j = index & (length - 1);
  x[THREAD] = is_there ? from[(index << log_k) + d] : 0;
  one[THREAD] = d == 0 ? 1 : 0;
  BARRIER();
  if (wrapped && j == 0 && d == 0) add_element(x + own, one + own, r, 1u << log_k, 1);
  BARRIER();
  if (!is_there) return;
  u64 place = (index >> log_d << (log_d + 1)) + j;
  to[(place << log_k) + d] = x[THREAD];
  to[((place + length) << log_k) + d] = monic && j == 0 ? one[THREAD] : 0;
}

// Of vectors of 2^log_n elements, two by two: the products of neighbours.
KERNEL element_products(GLOBAL u64* RESTRICT to, GLOBAL const u64* RESTRICT from, u32 count, u32 log_n,
                        RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 y[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 index = ELEMENT;
  u32 d = DIGIT, own = OWN, is_there = index < count ? 1u : 0u;
  u64 left = left_of(is_there ? index : 0, log_n), right = left + ((u64)1 << log_n);
  x[THREAD] = from[(left << log_k) + d];
  y[THREAD] = from[(right << log_k) + d];
  BARRIER();
  multiply(radix, x + own, y + own, columns, signs, 1u << log_k);
  if (is_there) to[(index << log_k) + d] = x[THREAD];
}

// What goes down from nodes to their children: the node's vector times the other child's.
KERNEL element_down(GLOBAL u64* RESTRICT to, GLOBAL const u64* RESTRICT from, GLOBAL const u64* RESTRICT nodes, u32 count,
                    u32 log_n, RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 y[GROUP];
  SHARED u64 node[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 index = ELEMENT;
  u32 d = DIGIT, own = OWN, is_there = index < count ? 1u : 0u;
  index = is_there ? index : 0;
  u64 left = left_of(index, log_n), right = left + ((u64)1 << log_n);
  x[THREAD] = from[(index << log_k) + d];
  y[THREAD] = x[THREAD];
  node[THREAD] = nodes[(right << log_k) + d];
  BARRIER();
  multiply(radix, x + own, node + own, columns, signs, 1u << log_k);
  node[THREAD] = nodes[(left << log_k) + d];
  BARRIER();
  multiply(radix, y + own, node + own, columns, signs, 1u << log_k);
  if (is_there) {
    to[(left << log_k) + d] = x[THREAD];
    to[(right << log_k) + d] = y[THREAD];
  }
}

// The upper halves of vectors of 2d elements.
KERNEL element_upper(GLOBAL u64* RESTRICT to, GLOBAL const u64* RESTRICT from, u32 count, u32 log_d, u32 log_k) {
  u64 index = ELEMENT;
  if (index >= count) return;
  u64 place = left_of(index, log_d) + ((u64)1 << log_d);
  to[(index << log_k) + DIGIT] = from[(place << log_k) + DIGIT];
}

// What goes up from children to nodes: each child's vector times the other child, added up.
KERNEL element_up(GLOBAL u64* RESTRICT to, GLOBAL const u64* RESTRICT from, GLOBAL const u64* RESTRICT nodes, u32 count,
                  u32 log_n, RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 y[GROUP];
  SHARED u64 node[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 index = ELEMENT;
  u32 k = 1u << log_k, d = DIGIT, own = OWN, is_there = index < count ? 1u : 0u;
  u64 left = left_of(is_there ? index : 0, log_n), right = left + ((u64)1 << log_n);
  x[THREAD] = from[(left << log_k) + d];
  y[THREAD] = from[(right << log_k) + d];
  node[THREAD] = nodes[(right << log_k) + d];
  BARRIER();
  multiply(radix, x + own, node + own, columns, signs, k);
  node[THREAD] = nodes[(left << log_k) + d];
  BARRIER();
  multiply(radix, y + own, node + own, columns, signs, k);
  if (d == 0) add_element(x + own, y + own, r, k, 0);
  BARRIER();
  if (is_there) to[(index << log_k) + d] = x[THREAD];
}

// Values of one more part of 2^log_n coefficients of a longer polynomial: those that are there times u^(2^log_n), and those of
// the part.
KERNEL element_values(GLOBAL u64* RESTRICT to, u64 to_first, u32 count, GLOBAL const u64* RESTRICT values,
                      GLOBAL const u64* RESTRICT points, u32 log_n, RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 u[GROUP];
  SHARED u64 x[GROUP];
  SHARED u64 part[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 index = ELEMENT;
  u32 k = 1u << log_k, d = DIGIT, own = OWN, is_there = index < count ? 1u : 0u;
  u[THREAD] = is_there ? points[(index << log_k) + d] : 0;
  x[THREAD] = is_there ? to[((to_first + index) << log_k) + d] : 0;
  part[THREAD] = is_there ? values[(index << log_k) + d] : 0;
  BARRIER();
  ROLLED
  for (u32 i = 0; i < log_n; i++) multiply(radix, u + own, u + own, columns, signs, k);
  multiply(radix, x + own, u + own, columns, signs, k);
  if (d == 0) add_element(x + own, part + own, r, k, 0);
  BARRIER();
  if (is_there) to[((to_first + index) << log_k) + d] = x[THREAD];
}

// The derivative of x^-zeros M, for the root M over n points of which `zeros` are 0 and only fill it up.
KERNEL element_derivative(GLOBAL u64* RESTRICT to, GLOBAL const u64* RESTRICT root, u32 n, u32 zeros,
                          RADIX_PARAMETERS, u32 log_k) {
  SHARED u64 x[GROUP];
  SHARED u64 number[GROUP];
  SHARED u64 columns[3 * GROUP];
  SHARED u32 signs[GROUP];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 index = ELEMENT, from = index + 1 + zeros;
  u32 d = DIGIT, own = OWN;
  x[THREAD] = from < n ? root[(from << log_k) + d] : d == 0 ? 1 : 0;
  u64 rest = index + 1;
  ROLLED
  for (u32 i = 0; i < d; i++) rest /= r;
  number[THREAD] = rest % r;
  BARRIER();
  multiply(radix, x + own, number + own, columns, signs, 1u << log_k);
  if (index < n - zeros) to[(index << log_k) + d] = x[THREAD];
}
