// Determinants of large matrices: elimination of ROWS rows at a time.
//
// Definitions: ROWS of a panel, at most 64, a multiple of 4; SIDE: groups have SIDE^2 threads. Residues are in Montgomery
// form inside. A matrix of n rows lies row by row; position j of every row is its column columns[j], and columns change
// places there alone.
//
// A panel is R, the ROWS rows from row `done` on. One group finds columns P, moved to positions `done` and following, in which R
// is regular, and T with T R_P = 1. Then what is left, A below the panel and right of P, becomes A - A_P (T R), and the
// determinant is det(R_P) times that of what is left.
#define EACH 4
// Products of 64 bits are long, and leave few registers.
#if WORD == 64
#define EACH_OF_FOLD ROLLED
#else
#define EACH_OF_FOLD UNROLL
#endif
#define TILE (SIDE * EACH)
#define WINDOW ROWS
// A row of the window, then one of T.
#define PITCH (WINDOW + ROWS)

// What is known of a matrix so far: the determinant is numerator / denominator, negative where is_odd, or 0.
#define STATE 4
#define NUMERATOR 0
#define DENOMINATOR 1
#define IS_ODD 2
#define IS_SINGULAR 3

FN u32 parity(u64 x) {
  u32 bits = (u32)(x >> 32) ^ (u32)x;
  bits ^= bits >> 16;
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  bits ^= bits >> 2;
  return (bits ^ bits >> 1) & 1;
}

// The sum of x[k] y[k y_step] over k < count.
FN E dot(Field f, LOCAL const E* x, GLOBAL const E* y, u64 y_step, u32 count) {
  Sum sum = no_products();
  for (u32 k = 0; k < count; k++) {
    add_product(f, &sum, x[k], y[k * y_step]);
    fold(f, &sum);
  }
  return reduced(f, sum);
}

// Copies of `count` matrices, of which the first is number `first` of `each` for each prime.
KERNEL determinant_begin(GLOBAL E* RESTRICT a, GLOBAL u32* RESTRICT columns, GLOBAL E* RESTRICT state,
                         GLOBAL const E* RESTRICT from, u64 from_first, u32 n, u32 count, u32 first, u32 each, u32 scale,
                         FIELD_PARAMETERS) {
  u64 index = (u64)BLOCK * GROUP + THREAD, entries = (u64)n * n;
  if (index >= count * entries) return;
  u32 matrix = (u32)(index / entries), prime = (first + matrix) / each;
  Field f = FIELD(prime);
  Prepared to_inside = SCALE(prime, scale);
  a[index] = scaled(f, from[from_first + index], to_inside);
  u32 entry = (u32)(index % entries);
  if (entry < n) columns[(u64)matrix * n + entry] = entry;
  if (entry != 0) return;
  state += (u64)matrix * STATE;
  state[NUMERATOR] = state[DENOMINATOR] = scaled(f, 1, to_inside);
  state[IS_ODD] = state[IS_SINGULAR] = 0;
}

// The columns of a panel, and T, row by row: a group has a matrix.
//
// Rows of R that have no pivot yet look for one in one column after the other; each multiplies all other rows, those with
// pivots too, by itself, so there are no fractions: of the pivots l_0 l_1 … of b rows, row s of T R has l_s l_(s+1) … l_(b-1)
// in its column, by which it is divided at the end, and det(R_P) is the product of l_s^(s + 2 - b). Columns come by
// windows; the first one nearly always suffices, later ones are multiplied by what T has become.
KERNEL determinant_panel(GLOBAL E* RESTRICT state, GLOBAL u32* RESTRICT columns, GLOBAL E* RESTRICT transform,
                         GLOBAL const E* RESTRICT a, u32 n, u32 done, u32 first, u32 each, u32 scale, FIELD_PARAMETERS) {
  SHARED E tile[ROWS * PITCH];
  SHARED E pivots[ROWS];
  SHARED E factors[ROWS];
  SHARED E powers[ROWS];
  SHARED u32 positions[ROWS];
  SHARED u32 row_of[ROWS];
  u32 prime = (first + BLOCK) / each;
  Field f = FIELD(prime);
  E one = scaled(f, 1, SCALE(prime, scale));
  state += (u64)BLOCK * STATE;
  columns += (u64)BLOCK * n;
  transform += (u64)BLOCK * (ROWS * ROWS);
  a += ((u64)BLOCK * n + done) * n;
  u32 rows = n - done < ROWS ? n - done : ROWS;
  if (state[IS_SINGULAR] != 0) return;
  for (u32 x = THREAD; x < ROWS * ROWS; x += GROUP) {
    u32 i = x / ROWS, t = x % ROWS;
    tile[i * PITCH + WINDOW + t] = i == t ? one : (E)0;
  }
  u64 used = 0;
  u32 found = 0, is_odd = 0;
  for (u32 start = done; start < n && found < rows; start += WINDOW) {
    u32 width = n - start < WINDOW ? n - start : WINDOW;
    BARRIER();
    for (u32 x = THREAD; x < rows * WINDOW; x += GROUP) {
      u32 i = x / WINDOW, j = x % WINDOW;
      if (j < width) {
        GLOBAL const E* column = a + columns[start + j];
        tile[i * PITCH + j] = start == done ? column[(u64)i * n] : dot(f, tile + i * PITCH + WINDOW, column, n, rows);
      }
    }
    // What is read of state and columns, the first thread writes at the end.
    BARRIER_GLOBAL();
    for (u32 c = 0; c < width && found < rows; c++) {
      u32 r = 0;
      while (r < rows && ((used >> r & 1) != 0 || tile[r * PITCH + c] == 0)) r++;
      if (r == rows) continue;
      LOCAL const E* top = tile + r * PITCH;
      E l = top[c];
      // Column c stays as it is: who is behind still reads it.
      ROLLED
      for (u32 x = THREAD; x < rows * PITCH; x += GROUP) {
        u32 i = x / PITCH, j = x % PITCH;
        if (i == r || j <= c || (j >= width && j < WINDOW)) continue;
        LOCAL E* row = tile + i * PITCH;
        Sum sum = no_products();
        add_product(f, &sum, l, row[j]);
        add_product(f, &sum, negative(f, row[c]), top[j]);
        row[j] = reduced(f, sum);
      }
      if (THREAD == 0) {
        pivots[found] = l;
        positions[found] = start + c;
        row_of[found] = r;
      }
      // Unused rows above this one, which it passes.
      is_odd ^= parity(~used & (((u64)1 << r) - 1));
      used |= (u64)1 << r;
      found++;
      BARRIER();
    }
  }
  if (found < rows) {
    if (THREAD == 0) state[IS_SINGULAR] = 1;
    return;
  }
  for (u32 s = THREAD; s < rows; s += GROUP) {
    E factor = one;
    for (u32 k = s; k < rows; k++) factor = residue_mul(f, factor, pivots[k]);
    factors[s] = inverse_of(f, factor, one);
    powers[s] = s + 2 < rows ? power(f, pivots[s], rows - 2 - s, one) : one;
  }
  BARRIER();
  for (u32 x = THREAD; x < rows * ROWS; x += GROUP) {
    u32 s = x / ROWS, t = x % ROWS;
    transform[x] = residue_mul(f, factors[s], tile[row_of[s] * PITCH + WINDOW + t]);
  }
  if (THREAD != 0) return;
  E under = state[DENOMINATOR];
  for (u32 s = 0; s < rows; s++) {
    under = residue_mul(f, under, powers[s]);
    // Positions increase, so that none of these columns has moved before.
    u32 to = done + s, from = positions[s];
    if (from == to) continue;
    u32 column = columns[from];
    columns[from] = columns[to];
    columns[to] = column;
    is_odd ^= 1;
  }
  state[NUMERATOR] = residue_mul(f, state[NUMERATOR], pivots[rows - 1]);
  state[DENOMINATOR] = under;
  state[IS_ODD] = (E)((u32)state[IS_ODD] ^ is_odd);
}

// T R at the positions right of the panel, by position: a group has TILE of them. The panel ends at row `done`, before n.
KERNEL determinant_solve(GLOBAL E* RESTRICT solved, GLOBAL const u32* RESTRICT columns, GLOBAL const E* RESTRICT transform,
                         GLOBAL const E* RESTRICT a, u32 n, u32 done, u32 tiles, u32 first, u32 each, FIELD_PARAMETERS) {
  SHARED E panel[ROWS * TILE];
  SHARED E left[ROWS * (ROWS + 1)];
  u32 matrix = BLOCK / tiles, start = done + BLOCK % tiles * TILE;
  Field f = FIELD((first + matrix) / each);
  columns += (u64)matrix * n;
  transform += (u64)matrix * (ROWS * ROWS);
  a += ((u64)matrix * n + (done - ROWS)) * n;
  solved += (u64)matrix * n * ROWS;
  for (u32 x = THREAD; x < ROWS * ROWS; x += GROUP) left[x / ROWS * (ROWS + 1) + x % ROWS] = transform[x];
  for (u32 x = THREAD; x < ROWS * TILE; x += GROUP) {
    u32 j = start + x % TILE;
    panel[x] = j < n ? a[(u64)(x / TILE) * n + columns[j]] : (E)0;
  }
  BARRIER();
  for (u32 x = THREAD; x < ROWS * TILE; x += GROUP) {
    u32 s = x / TILE, j = x % TILE;
    if (start + j >= n) continue;
    Sum sum = no_products();
    UNROLL for (u32 t = 0; t < ROWS; t++) {
      add_product(f, &sum, left[s * (ROWS + 1) + t], panel[t * TILE + j]);
      if ((t + 1) % FOLD == 0) fold(f, &sum);
    }
    solved[(u64)s * n + start + j] = reduced(f, sum);
  }
}

// A - A_P (T R): a group has a tile of TILE by TILE entries, a thread EACH by EACH of them, SIDE apart.
KERNEL determinant_update(GLOBAL E* RESTRICT a, GLOBAL const u32* RESTRICT columns, GLOBAL const E* RESTRICT solved, u32 n,
                          u32 done, u32 tiles, u32 first, u32 each, FIELD_PARAMETERS) {
  SHARED E left[ROWS * (TILE + 1)];
  SHARED E right[ROWS * TILE];
  u32 matrix = BLOCK / (tiles * tiles), tile = BLOCK % (tiles * tiles);
  u32 top = done + tile / tiles * TILE, start = done + tile % tiles * TILE;
  Field f = FIELD((first + matrix) / each);
  columns += (u64)matrix * n;
  a += (u64)matrix * n * n;
  solved += (u64)matrix * n * ROWS;
  for (u32 x = THREAD; x < ROWS * TILE; x += GROUP) {
    u32 t = x % ROWS, i = x / ROWS, j = start + x % TILE;
    left[t * (TILE + 1) + i] = top + i < n ? negative(f, a[(u64)(top + i) * n + columns[done - ROWS + t]]) : (E)0;
    right[x] = j < n ? solved[(u64)(x / TILE) * n + j] : (E)0;
  }
  BARRIER();
  u32 ti = THREAD / SIDE, tj = THREAD % SIDE;
  Sum sums[EACH][EACH];
  UNROLL for (u32 i = 0; i < EACH; i++) {
    UNROLL for (u32 j = 0; j < EACH; j++) sums[i][j] = no_products();
  }
  ROLLED
  for (u32 t = 0; t < ROWS; t += FOLD) {
    EACH_OF_FOLD for (u32 q = 0; q < FOLD; q++) {
      E x[EACH];
      UNROLL for (u32 i = 0; i < EACH; i++) x[i] = left[(t + q) * (TILE + 1) + ti + i * SIDE];
      UNROLL for (u32 j = 0; j < EACH; j++) {
        E y = right[(t + q) * TILE + tj + j * SIDE];
        UNROLL for (u32 i = 0; i < EACH; i++) add_product(f, &sums[i][j], x[i], y);
      }
    }
    UNROLL for (u32 i = 0; i < EACH; i++) {
      UNROLL for (u32 j = 0; j < EACH; j++) fold(f, &sums[i][j]);
    }
  }
  UNROLL for (u32 j = 0; j < EACH; j++) {
    u32 position = start + tj + j * SIDE;
    if (position >= n) continue;
    u32 column = columns[position];
    UNROLL for (u32 i = 0; i < EACH; i++) {
      u32 row = top + ti + i * SIDE;
      if (row >= n) continue;
      GLOBAL E* entry = a + ((u64)row * n + column);
      *entry = below(*entry + reduced(f, sums[i][j]), f.p);
    }
  }
}

// The determinants, as residues.
KERNEL determinant_end(GLOBAL E* RESTRICT to, u64 to_first, GLOBAL const E* RESTRICT state, u32 count, u32 first, u32 each,
                       u32 scale, FIELD_PARAMETERS) {
  u32 matrix = BLOCK * GROUP + THREAD;
  if (matrix >= count) return;
  u32 prime = (first + matrix) / each;
  Field f = FIELD(prime);
  E one = scaled(f, 1, SCALE(prime, scale));
  state += (u64)matrix * STATE;
  E found = residue_mul(f, state[NUMERATOR], inverse_of(f, state[DENOMINATOR], one));
  found = below(mul(f, found, 1), f.p);
  if (state[IS_SINGULAR] != 0) found = 0;
  to[to_first + matrix] = state[IS_ODD] != 0 ? negative(f, found) : found;
}
