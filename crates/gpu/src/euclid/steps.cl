// What division and Euclid's algorithm have in common.
//
// Definitions: ROW, coefficients of an operand at most where one group has a pair, with both polynomials in local memory; or
// STEPS, by which longer ones are taken. Residues are in Montgomery form inside: products are exact, and no power of R is
// left in a result. spans has four words a pair: where its polynomials begin in `from`, and how many
// coefficients each has; the leading ones are not 0.

FN void load(Field f, LOCAL E* to, GLOBAL const E* from, u32 first, u32 len, Prepared one) {
  for (u32 i = THREAD; i < len; i += GROUP) to[i] = scaled(f, from[first + i], one);
}
// x without the zeros it ends with.
FN u32 trimmed(LOCAL const E* x, u32 len) {
  while (len > 0 && x[len - 1] == 0) len--;
  return len;
}

// x <- a x + (b X^s + c X^(s-1)) y in the first `len` coefficients; x is 0 from where it ends, y has ny.
FN void combine(Field f, LOCAL E* x, LOCAL const E* y, u32 len, u32 ny, u32 s, E a, E b, E c) {
  for (u32 i = THREAD; i < len; i += GROUP) {
    Sum sum = no_products();
    add_product(f, &sum, a, x[i]);
    // Below the first coefficient, indices wrap around and are beyond ny as well.
    if (i - s < ny) add_product(f, &sum, b, y[i - s]);
    fold(f, &sum);
    if (i + 1 - s < ny) add_product(f, &sum, c, y[i + 1 - s]);
    fold(f, &sum);
    x[i] = reduced(f, sum);
  }
}
FN u32 longer(u32 len, u32 ny, u32 s) { return ny > 0 && ny + s > len ? ny + s : len; }

// The product of the powers that are noted, as a residue, for the first thread; `all` has an element for each.
FN E product_of_powers(Field f, LOCAL E* all, GLOBAL const E* trail, GLOBAL const u64* exponents, u32 entries, E one) {
  // Each thread has some of the powers above, and of those below.
  E above = one, under = one;
  for (u32 k = THREAD; k < entries; k += GROUP) {
    u64 e = exponents[k];
    if (e >> 63) {
      under = residue_mul(f, under, power(f, trail[k], 0 - e, one));
    } else {
      above = residue_mul(f, above, power(f, trail[k], e, one));
    }
  }
  // One inverse a thread: all at the same time.
  all[THREAD] = residue_mul(f, above, inverse_of(f, under, one));
  BARRIER();
  return below(mul(f, product_of_all(f, all, one), 1), f.p);
}
