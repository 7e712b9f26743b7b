// Arithmetic modulo a prime of one word, over WORD: 32 (p < 2^31), 64 (p < 2^63), or 53 (p < 2^50 in doubles).
// Primes come in a table `fields`, so that one program serves all primes of a word, and one launch several of them.
// Row j has FIELD_ROW words: at most three of prime j's arithmetic, then the factors that whole vectors are scaled by.
//
// A constant w that values are multiplied by (a twiddle factor, a scale) is *prepared* by the host: 32 takes it in
// Montgomery form w 2^32 mod p, 64 takes both w 2^32 and w 2^64 mod p, the doubles its residue of least magnitude.
// With SPARE = 1 the prime leaves bits to spare (p < 2^30, p < 2^61), which saves every other correction.
//
// What butterflies take and give ("lazy" values) lies below these bounds, with L = f.lazy:
//
//                  L    forward   inverse   product with a prepared constant
//   32, SPARE      2p   2L        L         2p
//   64, SPARE      4p   2L        L         3p
//   otherwise      p    2L        L         p, after a correction
//   doubles        grows over the levels of one step, at most 3, and is settled after them
#if WORD == 53
typedef f64 E;
typedef E Prepared;
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
FN E residue_mul(Field f, E a, E b) { return settle(f, mul(f, a, b)); }
FN E product(Field f, E x, Prepared w) { return mul(f, x, w); }
FN Prepared prepared_mul(Field f, Prepared a, Prepared b) { return residue_mul(f, a, b); }
FN E canonical(Field f, E x) {
  f64 r = settle(f, x);
  return r < 0.0 ? r + f.p : r;
}
FN E scaled(Field f, E x, Prepared scale) { return canonical(f, mul(f, settle(f, x), scale)); }

// Forward, from |x| <= p: the bounds of a and b after 1, 2, 3 levels are 1.63 p, 2.33 p, 3.12 p, since a grows by
// (1/2 + c/8) p from c p. Without factors, from 0 <= x < p, they are 8 p <= 2^53 after 3.
FN void forward(Field f, E* a, E* b, Prepared w) {
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
// at the third, which a product takes (c = 4), and sums 8p there: those of sums alone, which no power twists. Others
// have had a product, and are at most 3p.
FN void inverse(Field f, E* a, E* b, Prepared w) {
  E y = *b, x = *a;
  *a = x + y;
  *b = mul(f, x - y, w);
}
FN void inverse_one(Field f, E* a, E* b) { forward_one(f, a, b); }
FN E forward_canonical(Field f, E x) { return canonical(f, x); }

#else  // integers
#if WORD == 32
typedef u32 E;
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
// f.lazy is read: a compiler that knows it to be 2p computes it again for each sum.
typedef struct { E p, negated_inverse, lazy; } Field;
FN Field field_of(GLOBAL const E* row) {
  Field f;
  f.p = row[0];
  f.negated_inverse = row[1];
  f.lazy = row[2];
  return f;
}
// x or x - m, whichever does not wrap around, for x < 2m.
FN E below(E x, E m) {
#if WORD == 32
  return min32(x, x - m);
#elif defined(ASM)
  ASM("{ .reg .pred above; setp.ge.u64 above, %0, %1; @above sub.u64 %0, %0, %1; }" : "+l"(x) : "l"(m));
  return x;
#else
  return min64(x, x - m);
#endif
}
// a b / R mod p for a b < p R, as a residue + {0, p}; and the residue.
FN E mul(Field f, E a, E b) { return reduced_product(f.p, f.negated_inverse, a, b); }
FN E residue_mul(Field f, E a, E b) { return below(mul(f, a, b), f.p); }

#if WORD == 32
typedef E Prepared;
FN Prepared prepared_mul(Field f, Prepared a, Prepared b) { return residue_mul(f, a, b); }
// x w mod p + {0, p}, for any x, since w < p.
FN E lazy_product(Field f, E x, Prepared w) { return mul(f, x, w); }
#else
typedef u64x2 Prepared;
#if SPARE
// x w for any x = x1 2^32 + x0 and w = (u, v) = (w 2^32, w 2^64) mod p: S = x0 u + x1 v is x w 2^32 mod p and below
// 2 2^32 p, so that one round of Montgomery's reduction by 32 bits ends it, which adds m p for an m < 2^32: below 3p. These
// are 6 multiplications with all 64 bits and one with 32, where a b / R takes 8 and 2.
FN u64 lazy_product(Field f, u64 x, Prepared w) {
#ifdef ASM
  u64 result;
  ASM("{ .reg .u32 x0, x1, u0, u1, v0, v1, p0, p1, n0, n1, m, s0, s1, s2;\n"
      "mov.b64 {x0, x1}, %1; mov.b64 {u0, u1}, %2; mov.b64 {v0, v1}, %3; mov.b64 {n0, n1}, %4; mov.b64 {p0, p1}, %5;\n"
      "mul.lo.u32 s0, x0, u0; mul.hi.u32 s1, x0, u0;\n"
      "mad.lo.cc.u32 s0, x1, v0, s0; madc.hi.cc.u32 s1, x1, v0, s1; addc.u32 s2, 0, 0;\n"
      "mul.lo.u32 m, s0, n0;\n"
      "mad.lo.cc.u32 s0, m, p0, s0; madc.hi.cc.u32 s1, m, p0, s1; addc.u32 s2, s2, 0;\n"
      "mad.lo.cc.u32 s1, x0, u1, s1; madc.hi.u32 s2, x0, u1, s2;\n"
      "mad.lo.cc.u32 s1, x1, v1, s1; madc.hi.u32 s2, x1, v1, s2;\n"
      "mad.lo.cc.u32 s1, m, p1, s1; madc.hi.u32 s2, m, p1, s2;\n"
      "mov.b64 %0, {s1, s2}; }"
      : "=l"(result) : "l"(x), "l"(w.x), "l"(w.y), "l"(f.negated_inverse), "l"(f.p));
  return result;
#else
  u32 x0 = (u32)x, x1 = (u32)(x >> 32);
  u64 first = mulwide32(x0, (u32)w.x), sum = first + mulwide32(x1, (u32)w.y);
  u32 m = (u32)sum * (u32)f.negated_inverse;
  u64 low = sum + mulwide32(m, (u32)f.p), carries = (u64)(sum < first) + (low < sum);
  u64 high = mulwide32(x0, (u32)(w.x >> 32)) + mulwide32(x1, (u32)(w.y >> 32)) + mulwide32(m, (u32)(f.p >> 32));
  return high + (carries << 32 | low >> 32);
#endif
}
#else
// Three p may be more than a word holds: x v / R mod p + {0, p}.
FN u64 lazy_product(Field f, u64 x, Prepared w) { return mul(f, x, w.y); }
#endif
#endif

// The residue of a product with a prepared constant.
FN E scaled(Field f, E x, Prepared scale) {
  E t = lazy_product(f, x, scale);
#if WORD == 64 && SPARE
  t = below(t, f.p << 1);
#endif
  return below(t, f.p);
}
#if WORD == 64
FN Prepared prepared_mul(Field f, Prepared a, Prepared b) {
  Prepared both;
  both.x = scaled(f, a.x, b);
  both.y = scaled(f, a.y, b);
  return both;
}
#endif
FN E product(Field f, E x, Prepared w) {
  E t = lazy_product(f, x, w);
  return SPARE ? t : below(t, f.p);
}
FN E settle(Field f, E x) { return x; }

// Any x < 2L is a factor of products.
FN void forward_sums(Field f, E* a, E* b, E x, E t) {
  *a = x + t;
  *b = x - t + f.lazy;
}
FN void forward(Field f, E* a, E* b, Prepared w) {
  forward_sums(f, a, b, below(*a, f.lazy), product(f, *b, w));
}
FN void forward_one(Field f, E* a, E* b) { forward_sums(f, a, b, below(*a, f.lazy), below(*b, f.lazy)); }
FN void inverse(Field f, E* a, E* b, Prepared w) {
  E x = *a, y = *b;
  *a = below(x + y, f.lazy);
  *b = product(f, x - y + f.lazy, w);
}
FN void inverse_one(Field f, E* a, E* b) {
  E x = *a, y = *b;
  *a = below(x + y, f.lazy);
  *b = below(x - y + f.lazy, f.lazy);
}
FN E forward_canonical(Field f, E x) {
#if SPARE
  x = below(x, f.lazy);
#if WORD == 64
  x = below(x, f.p << 1);
#endif
#endif
  return below(x, f.p);
}
#endif
#define FIELD_PARAMETERS GLOBAL const E* RESTRICT fields
// Prime j, and factor k that vectors modulo it are scaled by.
#define FIELD(j) field_of(fields + (j) * FIELD_ROW)
#define SCALES(j) (fields + (j) * FIELD_ROW + 3)
#define SCALE(j, k) scale_of(SCALES(j), k)
FN Prepared scale_of(GLOBAL const E* scales, u32 k) {
#if WORD == 64
  Prepared scale;
  scale.x = scales[2 * k];
  scale.y = scales[2 * k + 1];
  return scale;
#else
  return scales[k];
#endif
}
