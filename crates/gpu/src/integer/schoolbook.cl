// One product a thread: b and the sums of its rows in registers, a and the product in local memory, through which all
// goes to and from the device's.
//
// Rows are added ROWS at a time. What is final then, ROWS words, takes the place of the words of a that made it, and the
// sums move down: a loop whose sums go from round to round keeps the compiler from taking the rows apart, which it
// does with all of them in a line, column by column, with more carries at a time than there are predicates.
//
// Definitions: A_WORDS, B_WORDS; ROWS; PITCH, odd and no less than their sum, so that threads of one product each meet in
// no bank.

// Copies between `WORDS` words of each thread's number, one after the other in memory, and a tile.
#define FOR_EACH_WORD(WORDS, body)                                  \
  UNROLL                                                            \
  for (u32 n = 0; n < WORDS; n++) {                                 \
    u32 x = n * GROUP + THREAD, number = x / WORDS, j = x % WORDS;  \
    if (number < present) { body; }                                 \
  }

#define SUMS (B_WORDS + ROWS + 2)

// The sum of two words of columns and what the last one carried; returns what this one carries.
FN u32 finish(LOCAL u32* to, u32 even, u32 odd, u32 carry) {
  u64 sum = (u64)even + odd + carry;
  *to = (u32)sum;
  return (u32)(sum >> 32);
}

// Adds `rows` rows, and replaces their words of a by as many of the product. Returns the carry.
FN u32 add_rows(LOCAL u32* a, const u32* b, u32* even, u32* odd, u32 carry, const int rows) {
  UNROLL
  for (int i = 0; i < rows; i++) multiply_row(even, odd, a[i], b, B_WORDS, i % B_WORDS, i, i + B_WORDS);
  UNROLL
  for (int i = 0; i < rows; i++) carry = finish(a + i, even[i], odd[i], carry);
  UNROLL
  for (int i = 0; i < SUMS; i++) {
    even[i] = i + rows < SUMS ? even[i + rows] : 0u;
    odd[i] = i + rows < SUMS ? odd[i + rows] : 0u;
  }
  return carry;
}

KERNEL schoolbook(GLOBAL u32* RESTRICT product, GLOBAL const u32* RESTRICT a, GLOBAL const u32* RESTRICT b,
                  u64 product_first, u64 a_first, u64 b_first, u32 b_stride, u32 count) {
  SHARED_TILE(u32, tile, GROUP * PITCH);
  u32 start = BLOCK * GROUP;
  u32 present = min32(count - start, GROUP);
  a += a_first + (u64)start * A_WORDS;
  b += b_first + (u64)start * b_stride;
  product += product_first + (u64)start * (A_WORDS + B_WORDS);

  FOR_EACH_WORD(A_WORDS, tile[number * PITCH + j] = a[x])
  FOR_EACH_WORD(B_WORDS, tile[number * PITCH + A_WORDS + j] = b[(u64)number * b_stride + j])
  BARRIER();

  LOCAL u32* own = tile + THREAD * PITCH;
  u32 y[B_WORDS], even[SUMS], odd[SUMS], carry = 0;
  UNROLL
  for (int i = 0; i < B_WORDS; i++) y[i] = own[A_WORDS + i];
  UNROLL
  for (int i = 0; i < SUMS; i++) even[i] = odd[i] = 0;
  ROLLED
  for (int i = 0; i < A_WORDS / ROWS; i++) {
    carry = add_rows(own, y, even, odd, carry, ROWS);
    own += ROWS;
  }
  carry = add_rows(own, y, even, odd, carry, A_WORDS % ROWS);
  UNROLL
  for (int i = 0; i < B_WORDS; i++) carry = finish(own + A_WORDS % ROWS + i, even[i], odd[i], carry);
  BARRIER();
  FOR_EACH_WORD((A_WORDS + B_WORDS), product[x] = tile[number * PITCH + j])
}
