// Subproduct trees: leaves of GROUP points, and what is done between the transforms of levels above.
//
// A node over d points is x^d + c_(d-1) x^(d-1) + … + c_0; the d words c_i stand for it. Nodes of a level lie one after the
// other, N words in all, and their transforms at 2d points take 2N. Residues are canonical.

// Where the values of a level's nodes modulo prime number BLOCK_Y begin, `count` of them modulo each.
#define PLANE(buffer, count) buffer += (u64)BLOCK_Y * (count)

FN E times(Field f, E a, E b, Prepared scale) { return scaled(f, mul(f, a, b), scale); }

// The part of `from` that is asked for: element j < length is number q of the `count` from `first` on, or 0 where there is
// none, with q = j or, backwards, q = shift - j. With `lead` the first one is 1.
KERNEL tree_part(GLOBAL E* RESTRICT to, u64 to_first, u32 length, GLOBAL const E* RESTRICT from, u64 first, u32 count,
                 u32 shift, u32 backwards, u32 negated, u32 lead, FIELD_PARAMETERS) {
  u32 j = BLOCK * GROUP + THREAD;
  if (j >= length) return;
  Field f = FIELD(0);
  u32 q = backwards ? shift - j : j;
  E x = q < count ? from[first + q] : (E)0;
  if (negated) x = negative(f, x);
  to[to_first + j] = lead && j == 0 ? (E)1 : x;
}

// Leaves from their points, one factor x - u after the other; or, with `sums`, the sum of c_i M / (x - u_i) over the points of
// a leaf M. A thread has the coefficients of its number.
KERNEL tree_leaves(GLOBAL E* RESTRICT to, GLOBAL const E* RESTRICT points, GLOBAL const E* RESTRICT c, u32 sums, u32 scale,
                   FIELD_PARAMETERS) {
  SHARED E u[GROUP];
  SHARED E weights[GROUP];
  SHARED E leaf[2 * GROUP];
  SHARED E sum[2 * GROUP];
  Field f = FIELD(0);
  Prepared to_inside = SCALE(0, scale);
  u64 own = (u64)BLOCK * GROUP + THREAD;
  u[THREAD] = negative(f, scaled(f, points[own], to_inside));
  weights[THREAD] = sums ? scaled(f, c[own], to_inside) : (E)0;
  E m = THREAD == 0 ? 1 : 0, p = 0;
  ROLLED
  for (u32 k = 0; k < GROUP; k++) {
    // Two turns share no memory, so that one barrier a turn suffices.
    u32 turn = k % 2 * GROUP;
    leaf[turn + THREAD] = m;
    sum[turn + THREAD] = p;
    BARRIER();
    if (sums) {
      Sum both = no_products();
      add_product(f, &both, p, u[k]);
      add_product(f, &both, m, weights[k]);
      fold(f, &both);
      p = added(f, reduced(f, both), THREAD == 0 ? (E)0 : sum[turn + THREAD - 1]);
    }
    m = added(f, residue_mul(f, m, u[k]), THREAD == 0 ? (E)0 : leaf[turn + THREAD - 1]);
  }
  to[own] = sums ? p : m;
}

// Vectors of 2d words for transforms of N / d polynomials of d words, `monic` ones with their leading 1. Products of two modulo
// x^d - 1 have that 1 added to their constant term: `wrapped` ones are without from here on.
KERNEL tree_spread(GLOBAL E* RESTRICT to, GLOBAL const E* RESTRICT from, u32 count, u32 log_d, u32 monic, u32 wrapped,
                   FIELD_PARAMETERS) {
  u32 index = BLOCK * GROUP + THREAD;
  if (index >= count) return;
  Field f = FIELD(0);
  u32 d = 1u << log_d, j = index & (d - 1);
  E x = from[index];
  if (wrapped && j == 0) x = added(f, x, f.p - 1);
  u64 place = ((u64)(index >> log_d) << (log_d + 1)) + j;
  to[place] = x;
  to[place + d] = monic && j == 0 ? 1 : 0;
}

// Of vectors of 2^log_n words, two by two: the products a b of neighbours.
KERNEL tree_products(GLOBAL E* to, GLOBAL const E* from, u32 count, u32 log_n, u32 scale, FIELD_PARAMETERS) {
  u32 index = BLOCK * GROUP + THREAD;
  if (index >= count) return;
  PLANE(to, count);
  PLANE(from, 2 * (u64)count);
  u64 left = ((u64)(index >> log_n) << (log_n + 1)) + (index & ((1u << log_n) - 1));
  to[index] = times(FIELD(BLOCK_Y), from[left], from[left + ((u64)1 << log_n)], SCALE(BLOCK_Y, scale));
}

// What goes down from nodes to their children: the node's vector times the other child's.
KERNEL tree_down(GLOBAL E* to, GLOBAL const E* from, GLOBAL const E* nodes, u32 count, u32 log_n,
                 u32 scale, FIELD_PARAMETERS) {
  u32 index = BLOCK * GROUP + THREAD;
  if (index >= count) return;
  PLANE(to, 2 * (u64)count);
  PLANE(from, count);
  PLANE(nodes, 2 * (u64)count);
  Field f = FIELD(BLOCK_Y);
  Prepared product = SCALE(BLOCK_Y, scale);
  u64 left = ((u64)(index >> log_n) << (log_n + 1)) + (index & ((1u << log_n) - 1)), right = left + ((u64)1 << log_n);
  E x = from[index];
  to[left] = times(f, x, nodes[right], product);
  to[right] = times(f, x, nodes[left], product);
}

// The upper halves of vectors of 2d words.
KERNEL tree_upper(GLOBAL E* RESTRICT to, GLOBAL const E* RESTRICT from, u32 count, u32 log_d) {
  u32 index = BLOCK * GROUP + THREAD;
  if (index >= count) return;
  u32 d = 1u << log_d;
  to[index] = from[((u64)(index >> log_d) << (log_d + 1)) + d + (index & (d - 1))];
}

// What goes up from children to nodes: each child's vector times the other child, added up.
KERNEL tree_up(GLOBAL E* to, GLOBAL const E* from, GLOBAL const E* nodes, u32 count, u32 log_n,
               u32 scale, FIELD_PARAMETERS) {
  u32 index = BLOCK * GROUP + THREAD;
  if (index >= count) return;
  PLANE(to, count);
  PLANE(from, 2 * (u64)count);
  PLANE(nodes, 2 * (u64)count);
  Field f = FIELD(BLOCK_Y);
  u64 left = ((u64)(index >> log_n) << (log_n + 1)) + (index & ((1u << log_n) - 1)), right = left + ((u64)1 << log_n);
  Sum sum = no_products();
  add_product(f, &sum, from[left], nodes[right]);
  add_product(f, &sum, from[right], nodes[left]);
  fold(f, &sum);
  to[index] = total(f, sum, SCALE(BLOCK_Y, scale));
}

// Values at the points of leaves. What comes down to leaf M is the part of f / M in x^-1, x^-2 …: s_0, s_1, …, the last
// first. Its product with M has f mod M above, which is evaluated by Horner's rule. With `rest` this is for one more part
// of N coefficients of a longer polynomial: what is there is multiplied by u^N.
KERNEL tree_values(GLOBAL E* RESTRICT to, u64 to_first, u32 count, GLOBAL const E* RESTRICT down, GLOBAL const E* RESTRICT leaves,
                   GLOBAL const E* RESTRICT points, u32 log_n, u32 rest, u32 scale, FIELD_PARAMETERS) {
  SHARED E m[GROUP];
  SHARED E s[GROUP];
  SHARED E remainder[GROUP];
  Field f = FIELD(0);
  Prepared to_inside = SCALE(0, scale);
  u32 own = BLOCK * GROUP + THREAD;
  m[THREAD] = leaves[own];
  s[GROUP - 1 - THREAD] = down[own];
  BARRIER();
  // Coefficient i is s_(GROUP-1-i), of x^GROUP in M, and the sum of m_k s_(k-1-i) for i < k < GROUP.
  Sum sum = no_products();
  for (u32 k = THREAD + 1; k < GROUP; k++) {
    add_product(f, &sum, m[k], s[k - 1 - THREAD]);
    fold(f, &sum);
  }
  remainder[THREAD] = added(f, total(f, sum, to_inside), s[GROUP - 1 - THREAD]);
  BARRIER();
  if (own >= count) return;
  E u = scaled(f, points[own], to_inside), value = 0;
  ROLLED
  for (u32 i = GROUP; i-- > 0;) value = added(f, residue_mul(f, value, u), remainder[i]);
  if (rest) {
    for (u32 k = 0; k < log_n; k++) u = residue_mul(f, u, u);
    value = added(f, residue_mul(f, to[to_first + own], u), value);
  }
  to[to_first + own] = value;
}

// The first GROUP terms of 1 / R for R = 1 + …, by Newton's iteration; one group.
KERNEL tree_inverse(GLOBAL E* RESTRICT to, GLOBAL const E* RESTRICT from, u32 scale, FIELD_PARAMETERS) {
  SHARED E series[GROUP];
  SHARED E inverse[GROUP];
  SHARED E error[GROUP];
  Field f = FIELD(0);
  Prepared product = SCALE(0, scale);
  u32 j = THREAD;
  series[j] = from[j];
  inverse[j] = j == 0 ? 1 : 0;
  BARRIER();
  for (u32 h = 1; h < GROUP; h *= 2) {
    // R times the inverse so far is 1 + e x^h + …
    if (j < h) {
      Sum sum = no_products();
      for (u32 k = 0; k < h; k++) {
        add_product(f, &sum, series[h + j - k], inverse[k]);
        fold(f, &sum);
      }
      error[j] = total(f, sum, product);
    }
    BARRIER();
    E next = 0;
    if (j < h) {
      Sum sum = no_products();
      for (u32 k = 0; k <= j; k++) {
        add_product(f, &sum, error[k], inverse[j - k]);
        fold(f, &sum);
      }
      next = negative(f, total(f, sum, product));
      // Nobody reads these places yet.
      inverse[h + j] = next;
    }
    BARRIER();
  }
  to[j] = inverse[j];
}

// The derivative of x^-zeros M, for the root M over N points of which `zeros` are 0 and only fill it up.
KERNEL tree_derivative(GLOBAL E* RESTRICT to, GLOBAL const E* RESTRICT root, u32 n, u32 zeros, u32 scale, FIELD_PARAMETERS) {
  u32 i = BLOCK * GROUP + THREAD, from = i + 1 + zeros;
  if (i >= n - zeros) return;
  to[i] = times(FIELD(0), from < n ? root[from] : (E)1, (E)(i + 1), SCALE(0, scale));
}

// y_i / w_i for i < count, 0 for others.
KERNEL tree_weights(GLOBAL E* RESTRICT to, u32 length, GLOBAL const E* RESTRICT y, u64 y_first, GLOBAL const E* RESTRICT w,
                    u32 count, u32 scale, FIELD_PARAMETERS) {
  u32 i = BLOCK * GROUP + THREAD;
  if (i >= length) return;
  Field f = FIELD(0);
  Prepared to_inside = SCALE(0, scale);
  E one = scaled(f, 1, to_inside), x = 0;
  if (i < count) x = residue_mul(f, y[y_first + i], inverse_of(f, scaled(f, w[i], to_inside), one));
  to[i] = x;
}
