// Elements modulo r^k + 1: k digits each, from the lowest.
//
// Canonical digits are below r, or all zero but the highest, which is r, for p - 1. Columns of a product of x and y, low minus
// high, are at most k x y in absolute value; as digits they are l + h r + c r^2 with c <= k for canonical ones.

// What is known of r: itself, r 2^shift with its highest bit set, floor((2^128 - 1) / (r 2^shift)) - 2^64.
typedef struct { u64 r, normal, reciprocal; u32 shift; } Radix;
#define RADIX_PARAMETERS u64 r, u64 normal, u64 reciprocal, u32 shift
FN Radix radix_of(u64 r, u64 normal, u64 reciprocal, u32 shift) {
  Radix radix;
  radix.r = r;
  radix.normal = normal;
  radix.reciprocal = reciprocal;
  radix.shift = shift;
  return radix;
}

// a b by four products of halves, whose sums never carry out.
FN u64 wide(u64 a, u64 b, u64* high) {
  u64 low = mulwide32((u32)a, (u32)b), left = mulwide32((u32)(a >> 32), (u32)b);
  u64 middle = mulwide32((u32)a, (u32)(b >> 32)) + (low >> 32);
  left += (u32)middle;
  *high = mulwide32((u32)(a >> 32), (u32)(b >> 32)) + (middle >> 32) + (left >> 32);
  return left << 32 | (u32)low;
}

// (high 2^64 + low) / normal for high < normal (Moller and Granlund, 2011, algorithm 4).
FN u64 divide(Radix radix, u64 high, u64 low, u64* remainder) {
  u64 quotient, fraction = wide(radix.reciprocal, high, &quotient);
  u64 sum = fraction + low;
  quotient += high + 1 + (sum < low ? 1 : 0);
  u64 rest = low - quotient * radix.normal;
  u64 over = rest > sum ? 1 : 0;
  quotient -= over;
  rest += over ? radix.normal : 0;
  over = rest >= radix.normal ? 1 : 0;
  quotient += over;
  *remainder = rest - (over ? radix.normal : 0);
  return quotient;
}

// sum + x or sum - x for sum < r and x <= r; what leaves goes to the carry.
FN u64 add_digit(u64 r, u64 sum, u64 x, u32 negative, i64* carry) {
  if (negative) {
    u64 under = sum < x ? 1 : 0;
    *carry -= (i64)under;
    return sum - x + (under ? r : 0);
  }
  u64 total = sum + x, over = total < sum || total >= r ? 1 : 0;
  *carry += (i64)over;
  return total - (over ? r : 0);
}

// Adds a number of a few units to an element; returns what is carried out.
FN i64 ripple(LOCAL u64* digits, u64 r, u32 k, i64 carry) {
  ROLLED
  for (u32 d = 0; d < k && carry != 0; d++) {
    u32 negative = carry < 0 ? 1u : 0u;
    u64 x = (u64)(negative ? -carry : carry);
    carry = 0;
    digits[d] = add_digit(r, digits[d], x, negative, &carry);
  }
  return carry;
}

// Digits below r and a carry out of them become canonical: r^k = -1.
FN void close(LOCAL u64* digits, u64 r, u32 k, i64 carry) {
  carry = ripple(digits, r, k, -carry);
  carry = ripple(digits, r, k, -carry);
  if (carry != 0) {
    // 0 - 1 or r^k - 1 + 1.
    ROLLED
    for (u32 d = 0; d + 1 < k; d++) digits[d] = 0;
    digits[k - 1] = r;
  }
}

// Sums of products of digits.
#ifdef ASM
// The words of a b whose place is even, and those whose place is odd, each a chain with carries behind.
typedef struct { u32 even[5], odd[3]; } Products;
FN void no_digit_products(Products* sum) {
  UNROLL for (u32 i = 0; i < 5; i++) sum->even[i] = 0;
  UNROLL for (u32 i = 0; i < 3; i++) sum->odd[i] = 0;
}
FN void add_digit_product(Products* sum, u64 a, u64 b) {
  ASM volatile("{ .reg .u32 a0, a1, b0, b1;\n"
      "mov.b64 {a0, a1}, %8; mov.b64 {b0, b1}, %9;\n"
      "mad.lo.cc.u32 %0, a0, b0, %0; madc.hi.cc.u32 %1, a0, b0, %1;\n"
      "madc.lo.cc.u32 %2, a1, b1, %2; madc.hi.cc.u32 %3, a1, b1, %3; addc.u32 %4, %4, 0;\n"
      "mad.lo.cc.u32 %5, a0, b1, %5; madc.hi.cc.u32 %6, a0, b1, %6; addc.u32 %7, %7, 0;\n"
      "mad.lo.cc.u32 %5, a1, b0, %5; madc.hi.cc.u32 %6, a1, b0, %6; addc.u32 %7, %7, 0; }"
      : "+r"(sum->even[0]), "+r"(sum->even[1]), "+r"(sum->even[2]), "+r"(sum->even[3]), "+r"(sum->even[4]),
        "+r"(sum->odd[0]), "+r"(sum->odd[1]), "+r"(sum->odd[2])
      : "l"(a), "l"(b));
}
FN void sum_of_digit_products(const Products* sum, u64* words) {
  u64 middle = (u64)sum->even[1] + sum->odd[0], high = (u64)sum->even[2] + sum->odd[1] + (middle >> 32);
  u64 top = (u64)sum->even[3] + sum->odd[2] + (high >> 32);
  words[0] = (u64)(u32)middle << 32 | sum->even[0];
  words[1] = (u64)(u32)top << 32 | (u32)high;
  words[2] = sum->even[4] + (top >> 32);
}
#else
typedef struct { u64 words[3]; } Products;
FN void no_digit_products(Products* sum) { sum->words[0] = sum->words[1] = sum->words[2] = 0; }
FN void add_digit_product(Products* sum, u64 a, u64 b) {
  u64 high, low = wide(a, b, &high);
  sum->words[0] += low;
  // The high word of a product leaves room for a carry.
  high += sum->words[0] < low ? 1 : 0;
  sum->words[1] += high;
  sum->words[2] += sum->words[1] < high ? 1 : 0;
}
FN void sum_of_digit_products(const Products* sum, u64* words) {
  words[0] = sum->words[0];
  words[1] = sum->words[1];
  words[2] = sum->words[2];
}
#endif

// Where k is known, several at a time.
#ifdef LOG_K
#define EACH_PRODUCT UNROLL_4
#else
#define EACH_PRODUCT ROLLED
#endif

// Column d of x y as its digits and its sign. Products that come back at the bottom are taken off: with the complement of y's
// digit, -x y is x (2^64 - 1 - y) + x - 2^64 x, and the x of these are added up apart.
FN void column(Radix radix, LOCAL const u64* x, LOCAL const u64* y, u32 k, u32 d, u64* parts, u32* negative) {
  Products products;
  no_digit_products(&products);
  u64 wrapped = 0, carried = 0;
  EACH_PRODUCT
  for (u32 i = 0; i < k; i++) {
    u64 flip = i > d ? ~(u64)0 : 0, a = x[i], taken = a & flip;
    add_digit_product(&products, a, y[(d - i) & (k - 1)] ^ flip);
    wrapped += taken;
    carried += wrapped < taken ? 1 : 0;
  }
  u64 words[3];
  sum_of_digit_products(&products, words);
  u64 s0 = words[0] + wrapped, carry = s0 < wrapped ? 1 : 0;
  u64 s1 = words[1] + carry, s2 = words[2] + (s1 < carry ? 1 : 0);
  s1 += carried;
  s2 += s1 < carried ? 1 : 0;
  u64 borrow = s1 < wrapped ? 1 : 0;
  s1 -= wrapped;
  s2 -= carried + borrow;
  u64 flip = (s2 >> 63) ? ~(u64)0 : 0;
  *negative = (u32)flip & 1;
  u64 one = flip & 1;
  s0 = (s0 ^ flip) + one;
  one = s0 < one ? 1 : 0;
  s1 = (s1 ^ flip) + one;
  one = s1 < one ? 1 : 0;
  s2 = (s2 ^ flip) + one;
  u32 shift = radix.shift;
  u64 low_mask = shift ? ~(u64)0 : 0;
  u32 back = (64 - shift) & 63;
  u64 rest, top = s2 << shift | (s1 >> back & low_mask);
  u64 q1 = divide(radix, top, s1 << shift | (s0 >> back & low_mask), &rest);
  u64 q0 = divide(radix, rest, s0 << shift, &rest);
  parts[0] = rest >> shift;
  parts[2] = divide(radix, q1 << shift | (q0 >> back & low_mask), q0 << shift, &rest);
  parts[1] = rest >> shift;
}
