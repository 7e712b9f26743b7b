// Product of one pair of integers by a group, all columns in local memory: word i of `a` against all of `b` at once.
//
// Definitions: TILE, words: 4 (a_words + b_words).
KERNEL naive(GLOBAL u32* RESTRICT product, GLOBAL const u32* RESTRICT a, GLOBAL const u32* RESTRICT b,
             u64 product_first, u64 a_first, u64 b_first, u32 a_words, u32 b_words, u32 a_stride, u32 b_stride) {
  SHARED_TILE(u32, tile, TILE);
  u32 words = a_words + b_words;
  LOCAL u32* column = tile;
  LOCAL u32* x = tile + 3 * words;
  LOCAL u32* y = x + a_words;
  a += a_first + (u64)BLOCK * a_stride;
  b += b_first + (u64)BLOCK * b_stride;
  product += product_first + (u64)BLOCK * words;
  for (u32 i = THREAD; i < 3 * words; i += GROUP) column[i] = 0;
  for (u32 i = THREAD; i < a_words; i += GROUP) x[i] = a[i];
  for (u32 j = THREAD; j < b_words; j += GROUP) y[j] = b[j];
  BARRIER();
  for (u32 i = 0; i < a_words; i++) {
    u32 word = x[i];
    for (u32 j = THREAD; j < b_words; j += GROUP) add_to_column(column + i + j, words, mulwide32(word, y[j]), 0);
    // The column i + j is another thread's in the next row.
    BARRIER();
  }
  normalize(column, 3, words, x);
  for (u32 i = THREAD; i < words; i += GROUP) product[i] = column[i];
}
