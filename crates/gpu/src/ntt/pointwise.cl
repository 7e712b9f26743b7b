// Operations on elements one by one: EACH of them for a thread.

// a_i <- a_i b_(i & mask) for i < count, modulo every prime: those of the next prime are the strides further on.
KERNEL pointwise(GLOBAL E* RESTRICT a, u64 a_first, u64 a_stride, GLOBAL const E* RESTRICT b, u64 b_first, u64 b_stride,
                 u64 count, u64 mask, u32 scale, FIELD_PARAMETERS) {
  u32 prime = BLOCK_Y;
  Field f = FIELD(prime);
  a += a_first + prime * a_stride;
  b += b_first + prime * b_stride;
  u64 start = (u64)BLOCK * (GROUP * EACH) + THREAD;
  UNROLL for (u32 turn = 0; turn < EACH; turn++) {
    u64 i = start + turn * GROUP;
    if (i < count) a[i] = scaled(f, mul(f, a[i], b[i & mask]), SCALE(prime, scale));
  }
}

FN u32 reversed(u32 index, u32 bits) {
  u32 result = 0;
  for (u32 k = 0; k < bits; k++) result |= (index >> k & 1) << (bits - 1 - k);
  return result;
}

// Swaps the elements whose indices in a transform are the reverse of each other: for short transforms.
KERNEL bit_reverse(GLOBAL E* RESTRICT data, u64 first, u64 count, u32 log_n) {
  u64 start = (u64)BLOCK * (GROUP * EACH) + THREAD;
  for (u32 turn = 0; turn < EACH; turn++) {
    u64 i = start + turn * GROUP;
    u32 index = (u32)i & ((1u << log_n) - 1), other = reversed(index, log_n);
    if (i < count && index < other) {
      u64 to = first + (i - index) + other;
      E x = data[first + i];
      data[first + i] = data[to];
      data[to] = x;
    }
  }
}

// The same for log_n >= 2 LOG_SIDE: an index is a row of LOG_SIDE bits, a middle, and a column of LOG_SIDE bits. The
// elements of one middle and those of its reverse change places as squares, transposed in local memory, so that
// memory is read and written in rows. The group takes middle BLOCK of all transforms.
#define SIDE (1u << LOG_SIDE)
#define PITCH (SIDE + 1)
KERNEL bit_reverse_squares(GLOBAL E* RESTRICT data, u64 first, u32 log_n) {
  SHARED_TILE(E, tile, 2 * SIDE * PITCH);
  u32 middle_bits = log_n - 2 * LOG_SIDE;
  u32 middle = BLOCK & ((1u << middle_bits) - 1), other = reversed(middle, middle_bits);
  if (other < middle) return;
  GLOBAL E* from = data + first + ((u64)(BLOCK >> middle_bits) << log_n);
  for (u32 i = THREAD; i < SIDE * SIDE; i += GROUP) {
    u32 row = i / SIDE, column = i % SIDE, at = (row << (log_n - LOG_SIDE)) | column;
    tile[row * PITCH + column] = from[at | middle << LOG_SIDE];
    tile[(SIDE + row) * PITCH + column] = from[at | other << LOG_SIDE];
  }
  BARRIER();
  for (u32 i = THREAD; i < SIDE * SIDE; i += GROUP) {
    u32 row = i / SIDE, column = i % SIDE, at = (row << (log_n - LOG_SIDE)) | column;
    u32 place = reversed(column, LOG_SIDE) * PITCH + reversed(row, LOG_SIDE);
    from[at | other << LOG_SIDE] = tile[place];
    if (other != middle) from[at | middle << LOG_SIDE] = tile[SIDE * PITCH + place];
  }
}
