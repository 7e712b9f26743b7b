// Schoolbook products of polynomials: ROWS coefficients of b times all of a in a group's tile, then the sums of such parts.
//
// Definitions: ROWS, a multiple of 4. A thread has EACH = 4 neighbouring coefficients of the result, and goes through 4
// rows at a time: 16 products for 4 coefficients of a and 4 of b out of local memory.
#define EACH 4
#define TILE (GROUP * EACH)
// Coefficient s of a's window lies at (s mod 4) PITCH + s / 4, so that neighbouring threads read neighbouring words.
#define PITCH (GROUP + ROWS / EACH + 1)
FN u32 place(u32 s) { return (s % EACH) * PITCH + s / EACH; }

// Part i of product t, columns column .. column + TILE: result[o] = sum over k < ROWS of b[i ROWS + k] a[o - k].
// Parts have `width` coefficients and lie one after the other from element `to_first` on; group BLOCK has tile
// BLOCK % tiles of part BLOCK / tiles. Operands are a_stride and b_stride coefficients apart, or one serves all (0).
KERNEL schoolbook_parts(GLOBAL E* RESTRICT to, u64 to_first, u32 width, u32 tiles, u32 parts,
                        GLOBAL const E* RESTRICT a, u64 a_first, u32 n, u32 a_stride, GLOBAL const E* RESTRICT b, u64 b_first, u32 m,
                        u32 b_stride, u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, EACH * PITCH + ROWS);
  LOCAL E* rows = tile + EACH * PITCH;
  Field f = FIELD(0);
  u32 column = BLOCK % tiles * TILE, part = BLOCK / tiles;
  u64 product = part / parts;
  u32 row = part % parts * ROWS;
  // Before the first coefficient, indices wrap around and are beyond n as well.
  for (u32 s = THREAD; s < TILE + ROWS - 1; s += GROUP) {
    u32 i = column + s - (ROWS - 1);
    tile[place(s)] = i < n ? a[a_first + product * a_stride + i] : (E)0;
  }
  for (u32 k = THREAD; k < ROWS; k += GROUP) {
    rows[k] = row + k < m ? b[b_first + product * b_stride + row + k] : (E)0;
  }
  BARRIER();
  // Row k + q meets, for coefficient u of the thread, window[u + 3 - q].
  E window[2 * EACH];
  Sum sums[EACH];
  UNROLL for (u32 u = 0; u < EACH; u++) sums[u] = no_products();
  UNROLL for (u32 j = EACH; j < 2 * EACH - 1; j++) window[j] = tile[place(ROWS - EACH + j) + THREAD];
  for (u32 k = 0; k < ROWS; k += EACH) {
    UNROLL for (u32 j = 0; j < EACH; j++) window[j] = tile[j * PITCH + (ROWS - EACH - k) / EACH + THREAD];
    UNROLL for (u32 q = 0; q < EACH; q++) {
      E factor = rows[k + q];
      UNROLL for (u32 u = 0; u < EACH; u++) {
        add_product(f, &sums[u], window[u + EACH - 1 - q], factor);
        if ((q + 1) % FOLD == 0) fold(f, &sums[u]);
      }
    }
    UNROLL for (u32 j = EACH; j < 2 * EACH - 1; j++) window[j] = window[j - EACH];
  }
  u64 start = to_first + (u64)part * width;
  UNROLL for (u32 u = 0; u < EACH; u++) {
    u32 o = column + EACH * THREAD + u;
    if (o < width) to[start + o] = total(f, sums[u], SCALE(0, scale));
  }
}

// The sums of the parts: coefficient k is that of every part i at k - i ROWS. Each entry is read once.
KERNEL schoolbook_sums(GLOBAL E* RESTRICT to, u64 to_first, u32 length, u32 tiles, u32 parts, GLOBAL const E* RESTRICT from,
                  u32 width, FIELD_PARAMETERS) {
  Field f = FIELD(0);
  u32 k = BLOCK % tiles * GROUP + THREAD;
  u64 product = BLOCK / tiles;
  if (k >= length) return;
  u32 first = k < width ? 0 : (k - width) / ROWS + 1, last = k / ROWS;
  E sum = (E)0;
  for (u32 i = first; i <= last && i < parts; i++) {
    sum = added(f, sum, from[(product * parts + i) * width + (k - i * ROWS)]);
  }
  to[to_first + product * length + k] = sum;
}
