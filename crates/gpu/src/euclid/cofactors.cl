// Euclid's algorithm with cofactors: every row is one of s a + t b, with s and t beside it in local memory.
//
// Definitions as for the other program of this folder, whose functions come before.

// For each pair three rows, `stride` elements apart and filled up with zeros: the monic greatest common divisor, s and t.
KERNEL cofactors(GLOBAL E* RESTRICT to, u32 stride, GLOBAL const E* RESTRICT from, GLOBAL const u32* RESTRICT spans,
                 u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, 6 * ROW);
  Field f = FIELD(0);
  Prepared to_inside = SCALE(0, scale);
  u32 nx = spans[4 * BLOCK + 1], ny = spans[4 * BLOCK + 3];
  // A row, its s and its t lie one after the other.
  LOCAL E* x = tile;
  LOCAL E* y = tile + 3 * ROW;
  for (u32 i = THREAD; i < 6 * ROW; i += GROUP) tile[i] = 0;
  BARRIER();
  load(f, x, from, spans[4 * BLOCK], nx, to_inside);
  load(f, y, from, spans[4 * BLOCK + 2], ny, to_inside);
  E one = scaled(f, 1, to_inside);
  if (THREAD == 0) {
    x[ROW] = one;
    y[2 * ROW] = one;
  }
  u32 sx = 1, sy = 0, tx = 0, ty = 1;
  BARRIER();
  while (true) {
    if (nx < ny) {
      LOCAL E* z = x;
      x = y;
      y = z;
      u32 n = nx;
      nx = ny;
      ny = n;
      n = sx;
      sx = sy;
      sy = n;
      n = tx;
      tx = ty;
      ty = n;
    }
    if (ny == 0) break;
    u32 s = nx - ny;
    E a = y[ny - 1], b = negative(f, x[nx - 1]), c = 0;
    u32 drop = 1;
    // Two steps at a time, as in `gcd`.
    if (s > 0) {
      E second = ny > 1 ? residue_mul(f, x[nx - 1], y[ny - 2]) : (E)0;
      c = below(second + negative(f, residue_mul(f, a, x[nx - 2])), f.p);
      b = residue_mul(f, a, b);
      a = residue_mul(f, a, a);
      drop = 2;
    }
    sx = longer(sx, sy, s);
    tx = longer(tx, ty, s);
    combine(f, x, y, nx - drop, ny, s, a, b, c);
    combine(f, x + ROW, y + ROW, sx, sy, s, a, b, c);
    combine(f, x + 2 * ROW, y + 2 * ROW, tx, ty, s, a, b, c);
    BARRIER();
    nx = trimmed(x, nx - drop);
  }
  // With a factor that is not in Montgomery form the product is not either. Of two zeros the first is the divisor.
  E monic = below(mul(f, nx == 0 ? one : inverse_of(f, x[nx - 1], one), 1), f.p);
  GLOBAL E* found = to + (u64)BLOCK * 3 * stride;
  for (u32 i = THREAD; i < stride; i += GROUP) {
    found[i] = i < nx ? residue_mul(f, x[i], monic) : (E)0;
    found[stride + i] = i < sx ? residue_mul(f, x[ROW + i], monic) : (E)0;
    found[2 * stride + i] = i < tx ? residue_mul(f, x[2 * ROW + i], monic) : (E)0;
  }
}
