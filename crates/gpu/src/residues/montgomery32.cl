// Products modulo a prime p < 2^31 that is known at run time: Montgomery's form with R = 2^32.
// inverse = p^-1 mod R.

// a·b/R mod p, canonical, for a·b < p·R: a any word and b < p, say.
FN u32 montgomery32(u32 a, u32 b, u32 p, u32 inverse) {
  u64 product = mulwide32(a, b);
  u32 quotient = (u32)product * inverse;
  // The low words of product and quotient·p are equal, so the difference of the high ones is exact, above -p.
  u32 difference = (u32)(product >> 32) - mulhi32(quotient, p);
  return min32(difference, difference + p);
}

// a + b and a - b mod p for canonical a and b.
FN u32 add32(u32 a, u32 b, u32 p) {
  u32 sum = a + b;
  return min32(sum, sum - p);
}
FN u32 sub32(u32 a, u32 b, u32 p) {
  u32 difference = a - b;
  return min32(difference, difference + p);
}
