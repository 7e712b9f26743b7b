// Arithmetic modulo a prime of one word, over WORD: 32 (p < 2^31), 64 (p < 2^63), or 53 (p < 2^50 in doubles).
// Primes come in a table `fields`, so that one program serves all primes of a word, and one launch several of them.
// Row j has FIELD_ROW words: at most three of prime j's arithmetic, then the factors that whole vectors are scaled by.
//
// A constant that values are multiplied by (a twiddle factor, a scale) is *prepared* by the host: the integer words
// take it in Montgomery form w R mod p, R = 2^32 or 2^64; the doubles take its residue of least magnitude.
// With SPARE = 1 the prime leaves two bits to spare (p < 2^30, p < 2^62), which saves every other correction.
//
// What butterflies take and give ("lazy" values) lies in these ranges:
//
//                      forward            inverse
//   integers, SPARE    0 <= x < 4p        0 <= x < 2p
//   integers           0 <= x < 2p        0 <= x < p
//   doubles            grows over the levels of one step, at most 3, and is settled after them
#if WORD == 53
typedef f64 E;
typedef struct { f64 p, inverse; } Field;
FN Field field_of(GLOBAL const E* row) {
  Field f;
  f.p = row[0];
  f.inverse = row[1];
  return f;
}

// x + 1.5 2^52 has its unit at 1 for |x| <= 2^51: the sum rounds x to the nearest integer.
#define TO_INTEGER 6755399441055744.0

// The nearest integer to x / p, or one beside it: the exact x (1/p) is off by |x / p| 2^-53, by the rounding of 1/p.
FN f64 quotient(Field f, f64 x) { return fma64(x, f.inverse, TO_INTEGER) - TO_INTEGER; }

// x - p rint(x / p) for integers |x| <= 8p <= 2^53: |result| <= p (1/2 + 2^-50). The fused operation rounds nothing,
// since its result is an integer below 2^53.
FN f64 settle(Field f, f64 x) { return fma64(-quotient(f, x), f.p, x); }

// a b mod p. With |a b| <= c p^2 / 2, c <= 4: h = a b rounded, l = a b - h exactly, q = rint(h (1/p)), |h / p| < 2^51;
// the argument of rint is off by 2 2^-53 c p / 2 < c / 8, hence |a b - q p| <= (1/2 + c/8) p <= p. Both h and q p are
// integers within p + 2^46 of each other, so h - q p < 2^53 is exact, and so is its sum with l.
FN E mul(Field f, E a, E b) {
  f64 h = mul64(a, b);
  f64 l = fma64(a, b, -h);
  return fma64(-quotient(f, h), f.p, h) + l;
}
FN E prepared_mul(Field f, E a, E b) { return settle(f, mul(f, a, b)); }
FN E canonical(Field f, E x) {
  f64 r = settle(f, x);
  return r < 0.0 ? r + f.p : r;
}
FN E scaled(Field f, E x, E scale) { return canonical(f, mul(f, settle(f, x), scale)); }

// Forward, from |x| <= p: the bounds of a and b after 1, 2, 3 levels are 1.63 p, 2.33 p, 3.12 p, since a grows by
// (1/2 + c/8) p from c p. Without factors, from 0 <= x < p, they are 8 p <= 2^53 after 3.
FN void forward(Field f, E* a, E* b, E w) {
  E t = mul(f, *b, w), x = *a;
  *a = x + t;
  *b = x - t;
}
FN void forward_one(Field f, E* a, E* b) {
  E t = *b, x = *a;
  *a = x + t;
  *b = x - t;
}
// Inverse, from 0 <= x < p or |x| <= p/2 (1 + 2^-49): sums double at each level, differences of sums are at most 4p
// at the third, which a product takes (c = 4), and sums 8p there.
FN void inverse(Field f, E* a, E* b, E w) {
  E y = *b, x = *a;
  *a = x + y;
  *b = mul(f, x - y, w);
}
FN void inverse_one(Field f, E* a, E* b) { forward_one(f, a, b); }
FN E forward_canonical(Field f, E x) { return canonical(f, x); }

#else  // integers
#if WORD == 32
typedef u32 E;
#define MIN min32
// (a b + m p) / R with m making the sum divisible by R; less than p + a b / R, hence below 2p for a b < p R.
FN u32 reduced_product(u32 p, u32 negated_inverse, u32 a, u32 b) {
#ifdef ASM
  // The carry chain becomes one multiplication with a sum of 64 bits, of which only the high word is made.
  u32 result;
  ASM("{ .reg .u32 l, h, m, x;\n"
      "mul.lo.u32 l, %1, %2; mul.hi.u32 h, %1, %2; mul.lo.u32 m, l, %3;\n"
      "mad.lo.cc.u32 x, m, %4, l; madc.hi.u32 %0, m, %4, h; }"
      : "=r"(result) : "r"(a), "r"(b), "r"(negated_inverse), "r"(p));
  return result;
#else
  u64 t = mulwide32(a, b);
  return (u32)((t + mulwide32((u32)t * negated_inverse, p)) >> 32);
#endif
}
#else
typedef u64 E;
#define MIN min64
FN u64 reduced_product(u64 p, u64 negated_inverse, u64 a, u64 b) {
#ifdef ASM
  // In two rounds of 32 bits: the same sum, since -1/p mod 2^32 makes one word zero at a time.
  u64 result;
  ASM("{ .reg .u32 a0, a1, b0, b1, p0, p1, n0, n1, m, c0, c1, c2, c3, x;\n"
      "mov.b64 {a0, a1}, %1; mov.b64 {b0, b1}, %2; mov.b64 {n0, n1}, %3; mov.b64 {p0, p1}, %4;\n"
      "mul.lo.u32 c0, a0, b0; mul.hi.u32 c1, a0, b0;\n"
      "mad.lo.cc.u32 c1, a0, b1, c1; madc.hi.u32 c2, a0, b1, 0;\n"
      "mul.lo.u32 m, c0, n0;\n"
      "mad.lo.cc.u32 x, m, p0, c0; madc.hi.cc.u32 c1, m, p0, c1; addc.u32 c2, c2, 0;\n"
      "mad.lo.cc.u32 c1, m, p1, c1; madc.hi.cc.u32 c2, m, p1, c2; addc.u32 c3, 0, 0;\n"
      "mad.lo.cc.u32 c1, a1, b0, c1; madc.hi.cc.u32 c2, a1, b0, c2; addc.u32 c3, c3, 0;\n"
      "mad.lo.cc.u32 c2, a1, b1, c2; madc.hi.u32 c3, a1, b1, c3;\n"
      "mul.lo.u32 m, c1, n0;\n"
      "mad.lo.cc.u32 x, m, p0, c1; madc.hi.cc.u32 c2, m, p0, c2; addc.u32 c3, c3, 0;\n"
      "mad.lo.cc.u32 c2, m, p1, c2; madc.hi.u32 c3, m, p1, c3;\n"
      "mov.b64 %0, {c2, c3}; }"
      : "=l"(result) : "l"(a), "l"(b), "l"(negated_inverse), "l"(p));
  return result;
#else
  u64 low = a * b, high = mulhi64(a, b);
  // The low words of a b and m p add up to 0 or R.
  return high + mulhi64(low * negated_inverse, p) + (low != 0 ? 1 : 0);
#endif
}
#endif
// 2p is read too: a compiler that knows it to be 2p computes it again for each sum.
typedef struct { E p, negated_inverse, twice; } Field;
FN Field field_of(GLOBAL const E* row) {
  Field f;
  f.p = row[0];
  f.negated_inverse = row[1];
  f.twice = row[2];
  return f;
}
// x or x - m, whichever does not wrap around, for x < 2m.
FN E below(E x, E m) { return MIN(x, x - m); }

// a w for w = b R mod p, as a b mod p + {0, p}; for a b < p R.
FN E mul(Field f, E a, E b) { return reduced_product(f.p, f.negated_inverse, a, b); }
FN E prepared_mul(Field f, E a, E b) { return below(mul(f, a, b), f.p); }
FN E settle(Field f, E x) { return x; }
FN E scaled(Field f, E x, E scale) { return below(mul(f, x, scale), f.p); }
#if SPARE
// a < 4p, w < p, p < R/4: a w < p R.
FN void forward(Field f, E* a, E* b, E w) {
  E x = below(*a, f.twice), t = mul(f, *b, w);
  *a = x + t;
  *b = x - t + f.twice;
}
FN void forward_one(Field f, E* a, E* b) {
  E x = below(*a, f.twice), t = below(*b, f.twice);
  *a = x + t;
  *b = x - t + f.twice;
}
FN void inverse(Field f, E* a, E* b, E w) {
  E x = *a, y = *b;
  *a = below(x + y, f.twice);
  *b = mul(f, x - y + f.twice, w);
}
FN void inverse_one(Field f, E* a, E* b) {
  E x = *a, y = *b;
  *a = below(x + y, f.twice);
  *b = below(x - y + f.twice, f.twice);
}
FN E forward_canonical(Field f, E x) { return below(below(x, f.twice), f.p); }
#else
// a < 2p, w < p, p < R/2: a w < p R.
FN void forward(Field f, E* a, E* b, E w) {
  E x = below(*a, f.p), t = below(mul(f, *b, w), f.p);
  *a = x + t;
  *b = x - t + f.p;
}
FN void forward_one(Field f, E* a, E* b) {
  E x = below(*a, f.p), t = below(*b, f.p);
  *a = x + t;
  *b = x - t + f.p;
}
FN void inverse(Field f, E* a, E* b, E w) {
  E x = *a, y = *b;
  *a = below(x + y, f.p);
  *b = below(mul(f, x - y + f.p, w), f.p);
}
FN void inverse_one(Field f, E* a, E* b) {
  E x = *a, y = *b;
  *a = below(x + y, f.p);
  *b = MIN(x - y, x - y + f.p);
}
FN E forward_canonical(Field f, E x) { return below(x, f.p); }
#endif
#endif
#define FIELD_PARAMETERS GLOBAL const E* RESTRICT fields
// Prime j, and factor k that vectors modulo it are scaled by.
#define FIELD(j) field_of(fields + (j) * FIELD_ROW)
#define SCALE(j, k) (fields[(j) * FIELD_ROW + 3 + (k)])
