// What division and Euclid's algorithm have in common: one group a pair, with both polynomials in local memory.
//
// Definitions: ROW, coefficients of an operand at most. Residues are in Montgomery form inside: products are exact, and no
// power of R is left in a result. spans has four words a pair: where its polynomials begin in `from`, and how many
// coefficients each has; the leading ones are not 0.

FN void load(Field f, LOCAL E* to, GLOBAL const E* from, u32 first, u32 len, Prepared one) {
  for (u32 i = THREAD; i < len; i += GROUP) to[i] = scaled(f, from[first + i], one);
}
// x without the zeros it ends with.
FN u32 trimmed(LOCAL const E* x, u32 len) {
  while (len > 0 && x[len - 1] == 0) len--;
  return len;
}

