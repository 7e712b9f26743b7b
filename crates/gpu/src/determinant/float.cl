// Determinants of doubles, mantissas and exponents apart: a step of elimination or condensation is a launch, and a group has a
// row. Entries are computed by the operations of a processor, each rounded, so that they are the same to the last bit.
//
// Definitions: GROUP is a power of two.

// Rows are brought near 1 by powers of two when their largest entry leaves 2^-RANGE .. 2^RANGE.
#define RANGE 256
#define NO_PIVOT 0xffffffffu

typedef union { f64 value; u64 bits; } Double;
FN u64 magnitude(f64 x) {
  Double both;
  both.value = x;
  return both.bits & 0x7fffffffffffffffull;
}
FN f64 of_bits(u64 bits) {
  Double both;
  both.bits = bits;
  return both.value;
}
FN f64 power_of_two(i32 exponent) { return of_bits((u64)(exponent + 1023) << 52); }
// e with 2^e <= |x| < 2^(e + 1), for finite x other than 0. Subnormal numbers have it in the place of the highest bit.
FN i32 exponent_of(f64 x) {
  i32 biased = (i32)(magnitude(x) >> 52);
  if (biased != 0) return biased - 1023;
  return (i32)(magnitude(x * power_of_two(64)) >> 52) - 1023 - 64;
}
// x 2^exponent, rounded once: with 1 <= |m| < 2 only the last product can be.
FN f64 times_power(f64 x, i32 exponent) {
  if (x == 0.0) return x;
  if (magnitude(x) >> 52 == 0) {
    x = x * power_of_two(64);
    exponent -= 64;
  }
  i32 sum = exponent + exponent_of(x);
  f64 mantissa = of_bits((magnitude(x) & 0xfffffffffffffull) | (u64)1023 << 52);
  if (x < 0.0) mantissa = -mantissa;
  sum = sum < -1200 ? -1200 : sum > 1200 ? 1200 : sum;
  i32 first = sum < -600 ? -600 : sum > 600 ? 600 : sum;
  return mul64(mul64(mantissa, power_of_two(first)), power_of_two(sum - first));
}
FN f64 absolute(f64 x) { return x < 0.0 ? -x : x; }

// Step k of matrix BLOCK_Y of n rows, one after the other, of which those from row k on have n - k entries each: the pivot of row k, which
// with `nearest` is the entry whose absolute value or its inverse is nearest to 1, otherwise the largest, goes
// to `pivots` and its column to `places`, or NO_PIVOT. Row k + 1 + BLOCK, less the multiple of row k that has zero
// there, goes to `to` without that entry; powers of two that it is divided by are added to `shifts`.
KERNEL float_step(GLOBAL f64* RESTRICT to, GLOBAL const f64* RESTRICT from, GLOBAL u64* RESTRICT shifts,
                  GLOBAL f64* RESTRICT pivots, GLOBAL u32* RESTRICT places, u32 n, u32 k, u32 nearest) {
  SHARED f64 all_worst[GROUP];
  SHARED u32 all_places[GROUP];
  SHARED u64 all_largest[GROUP];
  u64 matrix = (u64)BLOCK_Y * n;
  u32 width = n - k;
  pivots += matrix;
  places += matrix;
  if (k > 0 && places[k - 1] == NO_PIVOT) {
    if (BLOCK == 0 && THREAD == 0) places[k] = NO_PIVOT;
    return;
  }
  GLOBAL const f64* top = from + (matrix + k) * n;
  u32 place = NO_PIVOT;
  f64 badness = 0.0;
  for (u32 j = THREAD; j < width; j += GROUP) {
    f64 entry = absolute(top[j]);
    if (entry == 0.0) continue;
    f64 bad = -entry;
    if (nearest) {
      bad = 1.0 / entry;
      bad = bad < entry ? entry : bad;
    }
    if (place == NO_PIVOT || bad < badness) {
      place = j;
      badness = bad;
    }
  }
  all_worst[THREAD] = badness;
  all_places[THREAD] = place;
  for (u32 apart = GROUP / 2; apart > 0; apart /= 2) {
    BARRIER();
    if (THREAD < apart) {
      u32 other = all_places[THREAD + apart], own = all_places[THREAD];
      f64 bad = all_worst[THREAD + apart], best = all_worst[THREAD];
      // The first of equals.
      if (other != NO_PIVOT && (own == NO_PIVOT || bad < best || (bad == best && other < own))) {
        all_places[THREAD] = other;
        all_worst[THREAD] = bad;
      }
    }
  }
  BARRIER();
  place = all_places[0];
  f64 pivot = place == NO_PIVOT ? 0.0 : top[place];
  if (BLOCK == 0 && THREAD == 0) {
    places[k] = place;
    pivots[k] = pivot;
  }
  if (place == NO_PIVOT || BLOCK + 1 >= width) return;
  // A row of small entries is brought near 1 when its turn comes.
  i32 drop = exponent_of(pivot);
  if (drop >= -RANGE) drop = 0;
  pivot = drop == 0 ? pivot : times_power(pivot, -drop);
  GLOBAL const f64* row = top + (u64)(1 + BLOCK) * n;
  GLOBAL f64* new_row = to + (matrix + k + 1 + BLOCK) * n;
  f64 factor = row[place] / pivot;
  u64 largest = 0;
  for (u32 x = THREAD; x < width - 1; x += GROUP) {
    u32 j = x < place ? x : x + 1;
    f64 above = drop == 0 ? top[j] : times_power(top[j], -drop);
    f64 entry = row[j] - mul64(factor, above);
    new_row[x] = entry;
    largest = magnitude(entry) > largest ? magnitude(entry) : largest;
  }
  all_largest[THREAD] = largest;
  for (u32 apart = GROUP / 2; apart > 0; apart /= 2) {
    BARRIER();
    if (THREAD < apart && all_largest[THREAD + apart] > all_largest[THREAD]) all_largest[THREAD] = all_largest[THREAD + apart];
  }
  BARRIER();
  if (all_largest[0] == 0) return;
  i32 exponent = exponent_of(of_bits(all_largest[0]));
  if (-RANGE <= exponent && exponent <= RANGE) return;
  for (u32 x = THREAD; x < width - 1; x += GROUP) new_row[x] = times_power(new_row[x], -exponent);
  if (THREAD == 0) shifts[matrix + k + 1 + BLOCK] += (u64)(i64)exponent;
}
