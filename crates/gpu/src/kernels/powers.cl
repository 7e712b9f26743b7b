// Negatives, powers and inverses of residues in Montgomery form, where 1 is `one`.
FN E negative(Field f, E x) { return below(f.p - x, f.p); }
FN E power(Field f, E x, u64 exponent, E one) {
  E result = one;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = residue_mul(f, result, x);
    x = residue_mul(f, x, x);
  }
  return result;
}
FN E inverse_of(Field f, E x, E one) { return power(f, x, (u64)f.p - 2, one); }
// The product of what each thread of a group has put into `all`, for its first thread.
FN E product_of_all(Field f, LOCAL const E* all, E one) {
  E product = one;
  for (u32 k = 0; k < GROUP; k++) product = residue_mul(f, product, all[k]);
  return product;
}

