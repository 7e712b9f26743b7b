// One product a thread: operands and product in registers, through a tile to and from memory.
//
// Definitions: A_WORDS, B_WORDS; A_PITCH, B_PITCH and PITCH, odd and no less than A_WORDS, B_WORDS and their sum, so
// that threads of one number each meet in no bank.

// Copies between `WORDS` words of each thread's number, one after the other in memory, and a tile.
#define FOR_EACH_WORD(WORDS, body)                                  \
  UNROLL                                                            \
  for (u32 n = 0; n < WORDS; n++) {                                 \
    u32 x = n * GROUP + THREAD, number = x / WORDS, j = x % WORDS;  \
    if (number < present) { body; }                                 \
  }

KERNEL schoolbook(GLOBAL u32* RESTRICT product, GLOBAL const u32* RESTRICT a, GLOBAL const u32* RESTRICT b,
                  u64 product_first, u64 a_first, u64 b_first, u32 b_stride, u32 count) {
  SHARED_TILE(u32, tile, GROUP * PITCH);
  u32 start = BLOCK * GROUP;
  u32 present = min32(count - start, GROUP);
  u32 x[A_WORDS], y[B_WORDS], even[A_WORDS + B_WORDS + 2], odd[A_WORDS + B_WORDS + 2];
  a += a_first + (u64)start * A_WORDS;
  b += b_first + (u64)start * b_stride;
  product += product_first + (u64)start * (A_WORDS + B_WORDS);

  FOR_EACH_WORD(A_WORDS, tile[number * A_PITCH + j] = a[x])
  BARRIER();
  UNROLL
  for (int i = 0; i < A_WORDS; i++) x[i] = tile[THREAD * A_PITCH + i];
  BARRIER();
  FOR_EACH_WORD(B_WORDS, tile[number * B_PITCH + j] = b[(u64)number * b_stride + j])
  BARRIER();
  UNROLL
  for (int i = 0; i < B_WORDS; i++) y[i] = tile[THREAD * B_PITCH + i];
  BARRIER();

  UNROLL
  for (int i = 0; i < A_WORDS + B_WORDS + 2; i++) even[i] = odd[i] = 0;
  UNROLL
  for (int i = 0; i < A_WORDS; i++) multiply_row(even, odd, x[i], y, B_WORDS, i % B_WORDS, i, i + B_WORDS);
  combine(even, even, odd, A_WORDS + B_WORDS);

  UNROLL
  for (int i = 0; i < A_WORDS + B_WORDS; i++) tile[THREAD * PITCH + i] = even[i];
  BARRIER();
  FOR_EACH_WORD((A_WORDS + B_WORDS), product[x] = tile[number * PITCH + j])
}
