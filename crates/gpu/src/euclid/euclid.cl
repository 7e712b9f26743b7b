// Plain division and Euclid's algorithm.

// a = q b + r. Quotients and remainders are `q_stride` and `r_stride` elements apart, and filled up with zeros; b is not 0.
KERNEL divide(GLOBAL E* RESTRICT quotients, u32 q_stride, GLOBAL E* RESTRICT remainders, u32 r_stride,
              GLOBAL const E* RESTRICT from, GLOBAL const u32* RESTRICT spans, u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, 2 * ROW);
  Field f = FIELD(0);
  Prepared to_inside = SCALE(0, scale);
  u32 nx = spans[4 * BLOCK + 1], ny = spans[4 * BLOCK + 3];
  LOCAL E* x = tile;
  LOCAL E* y = tile + ROW;
  load(f, x, from, spans[4 * BLOCK], nx, to_inside);
  load(f, y, from, spans[4 * BLOCK + 2], ny, to_inside);
  BARRIER();
  GLOBAL E* quotient = quotients + (u64)BLOCK * q_stride;
  E inverse = inverse_of(f, y[ny - 1], scaled(f, 1, to_inside));
  u32 count = nx < ny ? 0 : nx - ny + 1;
  for (u32 i = count + THREAD; i < q_stride; i += GROUP) quotient[i] = 0;
  // A step writes nothing that another thread still reads of the step before: its own leading coefficient stays.
  for (u32 k = count; k-- > 0;) {
    E q = residue_mul(f, x[k + ny - 1], inverse), factor = negative(f, q);
    if (THREAD == 0) quotient[k] = below(mul(f, q, 1), f.p);
    for (u32 i = THREAD; i + 1 < ny; i += GROUP) x[k + i] = below(x[k + i] + residue_mul(f, factor, y[i]), f.p);
    BARRIER();
  }
  u32 rest = nx < ny ? nx : ny - 1;
  GLOBAL E* remainder = remainders + (u64)BLOCK * r_stride;
  for (u32 i = THREAD; i < r_stride; i += GROUP) remainder[i] = i < rest ? below(mul(f, x[i], 1), f.p) : (E)0;
}

// Monic greatest common divisors, `stride` elements apart, and their lengths, 0 for two zeros; and resultants of pairs
// without a zero, where `trail` and `exponents` have ROW + 1 elements for each group: the leading coefficients of the
// divisors, and the powers in which they are in the resultant.
//
// With x = q y + r no inverse is taken: l = lc(y), h = lc(x), and l x - h X^s y has no leading term; nor have the next two of
// l^2 x - (l h X^s + (l x' - h y') X^(s-1)) y, for the second coefficients x' and y'. Two steps at a time are three products
// a coefficient in place of four, and one barrier.
//
// With d = deg y, replacing x by c x - q y takes res(x, y) to (-1)^(d drop) l^(d - drop) times it for c = l, where drop is how
// much the degree of x falls, since res(y, x) = l^deg(x) prod x(beta) over the roots beta of y.
KERNEL gcd(GLOBAL E* RESTRICT to, u32 stride, GLOBAL u32* RESTRICT lengths, GLOBAL E* RESTRICT resultants,
           GLOBAL E* RESTRICT trail, GLOBAL u64* RESTRICT exponents, u32 wants_resultant, GLOBAL const E* RESTRICT from,
           GLOBAL const u32* RESTRICT spans, u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, 2 * ROW + GROUP);
  Field f = FIELD(0);
  Prepared to_inside = SCALE(0, scale);
  u32 nx = spans[4 * BLOCK + 1], ny = spans[4 * BLOCK + 3];
  LOCAL E* x = tile;
  LOCAL E* y = tile + ROW;
  load(f, x, from, spans[4 * BLOCK], nx, to_inside);
  load(f, y, from, spans[4 * BLOCK + 2], ny, to_inside);
  E one = scaled(f, 1, to_inside);
  trail += (u64)BLOCK * (ROW + 1);
  exponents += (u64)BLOCK * (ROW + 1);
  // The lowest bit of odd is the sign.
  u32 entries = 0, odd = 0;
  // Of the divisor y, modulo 2^64.
  u64 exponent = 0;
  BARRIER();
  while (ny > 0) {
    if (nx < ny) {
      if (wants_resultant && exponent != 0) {
        if (THREAD == 0) {
          trail[entries] = y[ny - 1];
          exponents[entries] = exponent;
        }
        entries++;
        exponent = 0;
      }
      odd ^= (nx - 1) & (ny - 1) & (nx > 0);
      LOCAL E* z = x;
      x = y;
      y = z;
      u32 nz = nx;
      nx = ny;
      ny = nz;
      continue;
    }
    E l = y[ny - 1], h = x[nx - 1];
    if (ny == 1) {
      // res(x, c) = c^deg(x), and the divisor is 1.
      exponent += nx - 1;
      if (wants_resultant && THREAD == 0) {
        trail[entries] = l;
        exponents[entries] = exponent;
      }
      entries++;
      exponent = 0;
      break;
    }
    u32 s = nx - ny, before = nx;
    if (s == 0) {
      E b = negative(f, h);
      for (u32 i = THREAD; i + 1 < nx; i += GROUP) {
        Sum sum = no_products();
        add_product(f, &sum, l, x[i]);
        add_product(f, &sum, b, y[i]);
        fold(f, &sum);
        x[i] = reduced(f, sum);
      }
      exponent -= ny - 1;
      nx -= 1;
    } else {
      E a = residue_mul(f, l, l), b = negative(f, residue_mul(f, l, h));
      E c = below(residue_mul(f, h, y[ny - 2]) + negative(f, residue_mul(f, l, x[nx - 2])), f.p);
      for (u32 i = THREAD; i + 2 < nx; i += GROUP) {
        Sum sum = no_products();
        add_product(f, &sum, a, x[i]);
        if (i >= s) add_product(f, &sum, b, y[i - s]);
        fold(f, &sum);
        if (i + 1 >= s) add_product(f, &sum, c, y[i + 1 - s]);
        fold(f, &sum);
        x[i] = reduced(f, sum);
      }
      exponent -= 2 * (ny - 1);
      nx -= 2;
    }
    BARRIER();
    // What is read here is not written before the next barrier: leading coefficients stay, and so does y.
    nx = trimmed(x, nx);
    exponent += before - nx;
    odd ^= (before - nx) & (ny - 1);
  }
  // The divisor is x, or a constant.
  u32 is_constant = ny == 1, len = is_constant ? 1 : nx;
  GLOBAL E* found = to + (u64)BLOCK * stride;
  if (len == 0 || is_constant) {
    for (u32 i = THREAD; i < stride; i += GROUP) found[i] = i < len ? (E)1 : (E)0;
  } else {
    // With a factor that is not in Montgomery form the product is not either.
    E monic = below(mul(f, inverse_of(f, x[nx - 1], one), 1), f.p);
    for (u32 i = THREAD; i < stride; i += GROUP) found[i] = i < nx ? residue_mul(f, x[i], monic) : (E)0;
  }
  if (THREAD == 0) lengths[BLOCK] = len;
  if (!wants_resultant) return;
  BARRIER_GLOBAL();
  E product = product_of_powers(f, tile + 2 * ROW, trail, exponents, entries, one);
  if (THREAD == 0) {
    if (odd & 1) product = negative(f, product);
    resultants[BLOCK] = is_constant ? product : (E)0;
  }
}
