// Determinants by elimination without fractions: one group a matrix, which lies in local memory.
//
// Definitions: ENTRIES of a matrix at most. Residues are in Montgomery form inside.
//
// Step k takes l a_ij - a_ik a_kj in place of a_ij for all i, j > k, with the pivot l = a_kk: that multiplies each of the
// n - k - 1 rows below by l. So the product of the pivots is the determinant times l_k^(n - k - 1) over all k, and the
// determinant is l_(n-1) over the product of l_k^(n - k - 2) for k < n - 2. All threads find a pivot by themselves.

// Threads side by side in a row.
#define WIDTH (GROUP < 32 ? GROUP : 32)

// Matrices of n rows lie row by row, one after the other, `each` of them modulo each prime.
KERNEL determinants(GLOBAL E* RESTRICT to, u64 to_first, GLOBAL const E* RESTRICT from, u64 from_first, u32 n, u32 each,
                    u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, ENTRIES + GROUP);
  Field f = FIELD(BLOCK / each);
  Prepared to_inside = SCALE(BLOCK / each, scale);
  u64 first = from_first + (u64)BLOCK * n * n;
  for (u32 i = THREAD; i < n * n; i += GROUP) tile[i] = scaled(f, from[first + i], to_inside);
  E one = scaled(f, 1, to_inside);
  u32 is_odd = 0, rank = n;
  BARRIER();
  for (u32 k = 0; k < n; k++) {
    u32 pivot = k;
    while (pivot < n && tile[pivot * n + k] == 0) pivot++;
    if (pivot == n) {
      rank = k;
      break;
    }
    LOCAL E* top = tile + k * n;
    if (pivot != k) {
      // Nobody looks for the pivot any more.
      BARRIER();
      for (u32 j = k + THREAD; j < n; j += GROUP) {
        E x = top[j];
        top[j] = tile[pivot * n + j];
        tile[pivot * n + j] = x;
      }
      is_odd ^= 1;
      BARRIER();
    }
    E l = top[k];
    // Column k stays as it is: who is behind still reads it.
    for (u32 i = k + 1 + THREAD / WIDTH; i < n; i += GROUP / WIDTH) {
      LOCAL E* row = tile + i * n;
      E factor = negative(f, row[k]);
      for (u32 j = k + 1 + THREAD % WIDTH; j < n; j += WIDTH) {
        Sum sum = no_products();
        add_product(f, &sum, l, row[j]);
        add_product(f, &sum, factor, top[j]);
        row[j] = reduced(f, sum);
      }
    }
    BARRIER();
  }
  if (rank < n) {
    if (THREAD == 0) to[to_first + BLOCK] = 0;
    return;
  }
  LOCAL E* all = tile + ENTRIES;
  E under = one;
  for (u32 k = THREAD; k + 2 < n; k += GROUP) under = residue_mul(f, under, power(f, tile[k * n + k], n - k - 2, one));
  all[THREAD] = inverse_of(f, under, one);
  BARRIER();
  if (THREAD == 0) {
    E found = residue_mul(f, product_of_all(f, all, one), tile[n * n - 1]);
    found = below(mul(f, found, 1), f.p);
    to[to_first + BLOCK] = is_odd ? negative(f, found) : found;
  }
}
