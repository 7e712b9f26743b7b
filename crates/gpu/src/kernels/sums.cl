// Sums of products, reduced only as often as they must: FOLD products go between two folds.
//
// Integers: a fold takes p R off a sum that has it, so it leaves the sum below p R; FOLD products are at most p R, hence
// the high word stays below 2p. With p < R/2 that is 2 products, with p < R/4 it is 4.
// Doubles: a product of residues is reduced to |t| <= 3/4 p (c = 2), a fold leaves |s| <= p (1/2 + 2^-50), and 4 products
// more make 3.5 p.
#if WORD == 53
#define FOLD 4
typedef f64 Sum;
FN Sum no_products(void) { return 0.0; }
FN void add_product(Field f, Sum* sum, E a, E b) { *sum += mul(f, a, b); }
FN void fold(Field f, Sum* sum) { *sum = settle(f, *sum); }
FN E total(Field f, Sum sum, Prepared scale) { return scaled(f, sum, scale); }
FN E added(Field f, E x, E y) {
  E sum = x + y;
  return sum >= f.p ? sum - f.p : sum;
}
#else
#define FOLD (SPARE ? 4 : 2)
typedef struct { E high, low; } Sum;
FN Sum no_products(void) {
  Sum sum;
  sum.high = 0;
  sum.low = 0;
  return sum;
}
#if WORD == 32
FN void add_product(Field f, Sum* sum, E a, E b) {
  u64 t = ((u64)sum->high << 32 | sum->low) + mulwide32(a, b);
  sum->high = (u32)(t >> 32);
  sum->low = (u32)t;
}
#else
FN void add_product(Field f, Sum* sum, E a, E b) {
  u64 low = sum->low + a * b;
  sum->high += mulhi64(a, b) + (low < sum->low ? 1 : 0);
  sum->low = low;
}
#endif
FN void fold(Field f, Sum* sum) { sum->high = below(sum->high, f.p); }
// sum / R mod p is the high word and the reduction of the low one: below p + p.
FN E twice_below(Field f, Sum sum) {
  E low = mul(f, sum.low, 1);
  return below(sum.high, f.p) + below(low, f.p);
}
FN E total(Field f, Sum sum, Prepared scale) { return scaled(f, twice_below(f, sum), scale); }
// The residue of sum / R.
FN E reduced(Field f, Sum sum) { return below(twice_below(f, sum), f.p); }
FN E added(Field f, E x, E y) { return below(x + y, f.p); }
#endif

