// Transforms by passes of 2^c <= 2 K points, for radices that leave 64 - c bits: the roots of unity of such a pass are powers
// of r, which rotate digits, and digits are added without carries.
//
// Definitions: LOG_K; SLOTS, digits that a group has at a time, a multiple of GROUP, which is a multiple of K.
//
// Between passes digits are in [-3, r + 3). Those that come in are balanced, at most r / 2 + 4 in absolute value, so that c
// levels of sums leave them below 2^c (r / 2 + 4) < 2^63. One division by r, and the carry from the digit below, make that
// [-2^c, r + 2^c], where canonical digits are found or a product begins.
#define K (1u << LOG_K)

// What a slot is: digit d of element `element` of the group.
#define ELEMENT(slot) ((slot) >> LOG_K)
#define DIGIT(slot) ((slot) & (K - 1))
#define EACH_SLOT(slot) for (u32 slot = THREAD; slot < SLOTS; slot += GROUP)

// A digit of least magnitude, for which the one above has one more or one less.
FN i64 balanced(u64 r, GLOBAL const u64* element, u32 d) {
  i64 own = (i64)element[d], before = (i64)element[(d - 1) & (K - 1)], reach = (i64)(r >> 1);
  i64 carry = before > reach ? 1 : 0;
  return own - (own > reach ? (i64)r : 0) + (d == 0 ? -carry : carry);
}

// The quotient rounded down.
FN i64 floor_quotient(Radix radix, i64 x, u64* remainder) {
  u64 magnitude = x < 0 ? 0 - (u64)x : (u64)x, rest;
  u64 quotient = divide(radix, magnitude >> (64 - radix.shift), magnitude << radix.shift, &rest);
  rest >>= radix.shift;
  u64 more = x < 0 && rest != 0 ? 1 : 0;
  *remainder = more ? radix.r - rest : rest;
  return x < 0 ? -(i64)(quotient + more) : (i64)quotient;
}

// What a digit gets from the carries of a group: that of the digit below, with the other sign below the lowest.
FN i64 carry_into(LOCAL const i32* carries, u32 slot) {
  u32 d = DIGIT(slot);
  return d == 0 ? -(i64)carries[slot + K - 1] : (i64)carries[slot - 1];
}

// x <- x y in the slots of one turn, where y's digits are canonical, and x's are not negative and at most 3 r; digits are in
// [-3, r + 3) then. Barriers come before and after.
FN void multiply_turn(Radix radix, LOCAL u64* x, LOCAL u64* y, LOCAL i32* carries, u32 slot) {
  u32 d = DIGIT(slot), first = slot - d;
  u64 parts[3];
  u32 negative;
  column(radix, x + first, y + first, K, d, parts, &negative);
  BARRIER();
  x[slot] = parts[0];
  y[slot] = parts[1];
  carries[slot] = (i32)(parts[2] << 1 | negative);
  BARRIER();
  // Two and three digits below: what comes from above the highest has the other sign.
  u32 one = first + ((d - 1) & (K - 1)), two = first + ((d - 2) & (K - 1));
  i64 high = (i64)y[one], top = (i64)(carries[two] >> 1), digit = (i64)parts[0];
  if (negative) digit = -digit;
  digit += ((carries[one] & 1) != 0) != (d < 1) ? -high : high;
  digit += ((carries[two] & 1) != 0) != (d < 2) ? -top : top;
  i64 r = (i64)radix.r, carry = 0;
  // From above -3 r, and to below 3 r.
  UNROLL for (u32 turn = 0; turn < 3; turn++) {
    i64 under = digit < 0 ? 1 : 0;
    digit += under ? r : 0;
    carry -= under;
  }
  UNROLL for (u32 turn = 0; turn < 2; turn++) {
    i64 over = digit >= r ? 1 : 0;
    digit -= over ? r : 0;
    carry += over;
  }
  BARRIER();
  carries[slot] = (i32)carry;
  BARRIER();
  x[slot] = (u64)(digit + carry_into(carries, slot));
  BARRIER();
}

// Digits in [-r / 4, 5 r / 4] become canonical: most are, and elements of which one is not are swept by a thread. Barriers
// come before and after.
FN void make_canonical(u64 r, LOCAL u64* x, LOCAL i32* carries) {
  for (u32 element = THREAD; element < SLOTS / K; element += GROUP) carries[element] = 0;
  BARRIER();
  EACH_SLOT(slot) {
    if (x[slot] >= r) carries[ELEMENT(slot)] = 1;
  }
  BARRIER();
  for (u32 element = THREAD; element < SLOTS / K; element += GROUP) {
    if (carries[element] == 0) continue;
    LOCAL u64* digits = x + (element << LOG_K);
    i64 carry = 0;
    ROLLED
    for (u32 d = 0; d < K; d++) {
      i64 digit = (i64)digits[d] + carry;
      carry = digit < 0 ? -1 : digit >= (i64)r ? 1 : 0;
      digits[d] = (u64)(digit - carry * (i64)r);
    }
    close(digits, r, K, carry);
  }
  BARRIER();
}

FN u32 reversed(u32 index, u32 bits) {
  u32 result = 0;
  for (u32 k = 0; k < bits; k++) result |= (index >> k & 1) << (bits - 1 - k);
  return result;
}

// A pass of Stockham's order with R = 2^c points: the elements at i, i + N / R, i + 2 N / R … of a vector, i = q + s p for
// s = 2^log_step and q < s, become their transform, whose value j times root^(s p j) goes to q + s (R p + j). `factors` are all
// N powers of the root; `backward` takes those of its inverse. The last pass, where p is 0, multiplies by the first factor if
// it does, and makes digits canonical. There are `columns` such i in all vectors.
KERNEL big_prime_pass(GLOBAL u64* RESTRICT to, u64 to_first, GLOBAL const u64* RESTRICT from, u64 from_first,
                      GLOBAL const u64* RESTRICT factors, u64 columns, u32 log_n, u32 log_step, u32 c, u32 backward,
                      u32 multiplied, u32 last, RADIX_PARAMETERS) {
  SHARED u64 even[SLOTS];
  SHARED u64 odd[SLOTS];
  SHARED i32 carries[SLOTS];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  LOCAL u64* x = even;
  LOCAL u64* y = odd;
  u32 size = 1u << c, log_rows = log_n - c;
  u64 first_column = (u64)BLOCK * (SLOTS >> LOG_K >> c);
  EACH_SLOT(slot) {
    u32 element = ELEMENT(slot);
    u64 column = first_column + (element >> c), i = column & (((u64)1 << log_rows) - 1);
    u64 index = from_first + (column >> log_rows << log_n) + i + ((u64)(element & (size - 1)) << log_rows);
    x[slot] = column < columns ? (u64)balanced(r, from + (index << LOG_K), DIGIT(slot)) : 0;
  }
  BARRIER();
  for (u32 log_reach = c; log_reach-- > 0;) {
    u32 reach = 1u << log_reach;
    EACH_SLOT(slot) {
      u32 element = ELEMENT(slot), d = DIGIT(slot);
      u64 found;
      if ((element & reach) == 0) {
        found = x[slot] + x[slot + (reach << LOG_K)];
      } else {
        // Times r^e, or r^-e.
        u32 e = (element & (reach - 1)) << (LOG_K - log_reach), at = backward ? d + e : d - e;
        u32 source = element << LOG_K | (at & (K - 1));
        found = x[source - (reach << LOG_K)] - x[source];
        if (at >= K) found = 0 - found;
      }
      y[slot] = found;
    }
    BARRIER();
    LOCAL u64* swapped = x;
    x = y;
    y = swapped;
  }
  EACH_SLOT(slot) {
    u64 rest;
    carries[slot] = (i32)floor_quotient(radix, (i64)x[slot], &rest);
    x[slot] = rest;
  }
  BARRIER();
  // (r + 1, r - 1, r - 1, …) is 0, and makes digits positive that are to be multiplied.
  EACH_SLOT(slot) x[slot] += (u64)carry_into(carries, slot) + (multiplied ? (DIGIT(slot) == 0 ? r + 1 : r - 1) : 0);
  BARRIER();
  if (multiplied) {
    EACH_SLOT(slot) {
      u32 element = ELEMENT(slot);
      u64 column = first_column + (element >> c), i = column & (((u64)1 << log_rows) - 1);
      u64 mask = ((u64)1 << log_n) - 1, power = (i >> log_step << log_step) * reversed(element & (size - 1), c) & mask;
      if (backward) power = (0 - power) & mask;
      y[slot] = factors[(power << LOG_K) + DIGIT(slot)];
      BARRIER();
      multiply_turn(radix, x, y, carries, slot);
    }
  }
  if (last) make_canonical(r, x, carries);
  EACH_SLOT(slot) {
    u32 element = ELEMENT(slot);
    u64 column = first_column + (element >> c), i = column & (((u64)1 << log_rows) - 1), p = i >> log_step;
    if (column >= columns) continue;
    u64 value = (p << c) + reversed(element & (size - 1), c), q = i - (p << log_step);
    u64 index = to_first + (column >> log_rows << log_n) + q + (value << log_step);
    to[(index << LOG_K) + DIGIT(slot)] = x[slot];
  }
}

// a_i <- a_i b_(i & mask) for i < count, of canonical digits.
KERNEL big_prime_products(GLOBAL u64* RESTRICT a, u64 a_first, GLOBAL const u64* RESTRICT b, u64 b_first, u64 count,
                          u64 mask, RADIX_PARAMETERS) {
  SHARED u64 x[SLOTS];
  SHARED u64 y[SLOTS];
  SHARED i32 carries[SLOTS];
  Radix radix = radix_of(r, normal, reciprocal, shift);
  u64 first = (u64)BLOCK * (SLOTS >> LOG_K);
  EACH_SLOT(slot) {
    u64 index = first + ELEMENT(slot);
    // Those that are not there do not read what others write.
    x[slot] = index < count ? a[((a_first + index) << LOG_K) + DIGIT(slot)] : 0;
    y[slot] = index < count ? b[((b_first + (index & mask)) << LOG_K) + DIGIT(slot)] : 0;
  }
  BARRIER();
  EACH_SLOT(slot) multiply_turn(radix, x, y, carries, slot);
  make_canonical(r, x, carries);
  EACH_SLOT(slot) {
    u64 index = first + ELEMENT(slot);
    if (index < count) a[((a_first + index) << LOG_K) + DIGIT(slot)] = x[slot];
  }
}
