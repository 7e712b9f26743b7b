// Product of one pair of integers of equal length by a group, from Karatsuba's intermediate products
// a_i b_j + a_j b_i = (a_i - a_j) (b_j - b_i) + z_i + z_j, where z_i = a_i b_i: one multiplication for two.
//
// The z_i wait where the product will be. Pairs inside a chunk come round by round, i against (i + d) mod chunk, so
// that the columns of a round differ: for the lower half of the i, then for the upper half. Pairs of different chunks
// come digit by digit of the lower chunk, against everything above it.
//
// Definitions: TILE, words: 8 `words`.
FN u64 read_square(GLOBAL const u32* z, u32 words, u32 i) { return z[i] | (u64)z[words + i] << 32; }

FN void add_pair(LOCAL u32* column, LOCAL const u32* x, LOCAL const u32* y, GLOBAL const u32* z, u32 words, u32 i,
                 u32 j) {
  u32 x_less = x[i] < x[j], y_less = y[j] < y[i];
  u32 dx = x_less ? x[j] - x[i] : x[i] - x[j], dy = y_less ? y[i] - y[j] : y[j] - y[i];
  u64 square = read_square(z, words, j), mixed = mulwide32(dx, dy);
  u64 sum = read_square(z, words, i) + square;
  u32 carries = sum < square ? 1u : 0u;
  if (x_less != y_less) {
    carries -= sum < mixed ? 1u : 0u;
    sum -= mixed;
  } else {
    sum += mixed;
    carries += sum < mixed ? 1u : 0u;
  }
  add_to_column(column + i + j, 2 * words, sum, carries);
}

KERNEL m5(GLOBAL u32* RESTRICT product, GLOBAL const u32* RESTRICT a, GLOBAL const u32* RESTRICT b, u64 product_first,
          u64 a_first, u64 b_first, u32 words, u32 a_stride, u32 b_stride, u32 chunk) {
  SHARED_TILE(u32, tile, TILE);
  LOCAL u32* column = tile;
  LOCAL u32* x = tile + 6 * words;
  LOCAL u32* y = x + words;
  a += a_first + (u64)BLOCK * a_stride;
  b += b_first + (u64)BLOCK * b_stride;
  product += product_first + (u64)BLOCK * (2 * words);
  for (u32 i = THREAD; i < 6 * words; i += GROUP) column[i] = 0;
  for (u32 i = THREAD; i < words; i += GROUP) {
    u64 square = mulwide32(a[i], b[i]);
    x[i] = a[i];
    y[i] = b[i];
    product[i] = (u32)square;
    product[words + i] = (u32)(square >> 32);
  }
  BARRIER_GLOBAL();

  u32 half_chunk = chunk / 2, chunks = (words + chunk - 1) / chunk;
  // Two rounds for each distance inside chunks, but one for that of half a chunk: the upper half would repeat the pairs
  // of the lower. Then one for each digit, with what is above its chunk.
  for (u32 round = 2; round < chunk + 1 + words; round++) {
    u32 inside = round < chunk + 1, upper = round % 2;
    u32 digit = round - (chunk + 1), above = inside ? 0u : (digit / chunk + 1) * chunk;
    u32 pairs = inside ? chunks * half_chunk : above < words ? words - above : 0u;
    for (u32 pair = THREAD; pair < pairs; pair += GROUP) {
      u32 i = digit, j = above + pair;
      if (inside) {
        u32 start = pair / half_chunk * chunk;
        i = pair % half_chunk + upper * half_chunk;
        j = i + round / 2;
        j = start + (j < chunk ? j : j - chunk);
        i += start;
      }
      if (i < words && j < words) add_pair(column, x, y, product, words, i, j);
    }
    BARRIER();
  }
  for (u32 i = THREAD; i < words; i += GROUP)
    add_to_column(column + 2 * i, 2 * words, read_square(product, words, i), 0);
  // The product is stored over the squares, which all have read.
  BARRIER_GLOBAL();
  normalize(column, 3, 2 * words, x);
  for (u32 i = THREAD; i < 2 * words; i += GROUP) product[i] = column[i];
}
