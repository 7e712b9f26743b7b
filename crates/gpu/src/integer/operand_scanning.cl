// Product of one pair of integers by a group, row by row, the carries kept beside the words.
//
// In row i the product of word j of `b` is added to word i + j of the sum, and what is above a word stays with j: the
// next row needs it there, at word i + 1 + j.
//
// Definitions: TILE, words: a_words + b_words of the sum, as many carries, and the operands.
KERNEL operand_scanning(GLOBAL u32* RESTRICT product, GLOBAL const u32* RESTRICT a, GLOBAL const u32* RESTRICT b,
                        u64 product_first, u64 a_first, u64 b_first, u32 a_words, u32 b_words, u32 a_stride,
                        u32 b_stride) {
  SHARED_TILE(u32, tile, TILE);
  u32 words = a_words + b_words;
  LOCAL u32* sum = tile;
  // Word i of the second plane weighs as much as word i + 1 of the first: carry j ends at a_words - 1 + j.
  LOCAL u32* carries = tile + words + a_words - 1;
  LOCAL u32* x = tile + 2 * words;
  LOCAL u32* y = x + a_words;
  a += a_first + (u64)BLOCK * a_stride;
  b += b_first + (u64)BLOCK * b_stride;
  product += product_first + (u64)BLOCK * words;
  for (u32 i = THREAD; i < 2 * words; i += GROUP) tile[i] = 0;
  for (u32 i = THREAD; i < a_words; i += GROUP) x[i] = a[i];
  for (u32 j = THREAD; j < b_words; j += GROUP) y[j] = b[j];
  BARRIER();
  for (u32 i = 0; i < a_words; i++) {
    u32 word = x[i];
    for (u32 j = THREAD; j < b_words; j += GROUP) {
      u64 value = mulwide32(word, y[j]) + sum[i + j] + carries[j];
      sum[i + j] = (u32)value;
      carries[j] = (u32)(value >> 32);
    }
    // Word i + 1 + j was word i + (j + 1), of another thread.
    BARRIER();
  }
  normalize(sum, 2, words, x);
  for (u32 i = THREAD; i < words; i += GROUP) product[i] = sum[i];
}
