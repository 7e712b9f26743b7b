// Division and Euclid's algorithm for pairs that no group can share, by rounds: one group a pair takes up to STEPS steps with
// the leading coefficients, noting what they come to as a matrix of polynomials, and many groups apply that to whole rows.
//
// Definitions as for the other programs of this folder, but STEPS in place of ROW, EACH and CHUNK. `rows` has for each pair two sides of
// `parts` pairs of rows, `stride` elements each: the polynomials, and where parts is 3 their s and their t. A round reads one
// side and writes the other. Residues are in Montgomery form between `enter` and `leave`.
#define WINDOW (2 * STEPS)
#define ENTRY (STEPS + 1)

// Words of a pair's state: lengths of two rows a part, those before the last round, and the rest by name.
#define STATE 32
#define BEFORE 6
#define SIDE 12
#define APPLIES 13
#define SHIFT 14
#define FIRST 15
#define ENTRIES 16  // of the matrix: lengths of four polynomials
#define KEEPS 20
#define DONE 21
#define FOUND 22
#define IS_CONSTANT 23
#define NOTED 24
#define ODD 25
#define EXPONENT 26  // two words

FN u64 row_at(u32 pair, u32 side, u32 parts, u32 part, u32 row, u32 stride) {
  return ((((u64)pair * 2 + side) * parts + part) * 2 + row) * stride;
}

// The first rows, and the cofactors 1, 0 and 0, 1.
KERNEL enter(GLOBAL E* RESTRICT rows, u32 stride, u32 parts, GLOBAL const E* RESTRICT from, GLOBAL const u32* RESTRICT spans,
             u32 scale, FIELD_PARAMETERS) {
  Field f = FIELD(0);
  Prepared to_inside = SCALE(0, scale);
  u32 i = BLOCK * GROUP + THREAD, pair = BLOCK_Y;
  for (u32 row = 0; row < 2; row++) {
    u32 len = spans[4 * pair + 2 * row + 1];
    if (i < len) rows[row_at(pair, 0, parts, 0, row, stride) + i] = scaled(f, from[spans[4 * pair + 2 * row] + i], to_inside);
    if (i == 0 && parts > 1) rows[row_at(pair, 0, parts, row + 1, row, stride)] = scaled(f, 1, to_inside);
  }
}

// A divisor's leading coefficient and its exponent, for resultants.
FN void note(GLOBAL E* trail, GLOBAL u64* exponents, u32* noted, u64* exponent, E leading) {
  if (*exponent == 0) return;
  if (THREAD == 0) {
    trail[*noted] = leading;
    exponents[*noted] = *exponent;
  }
  *noted += 1;
  *exponent = 0;
}

// Coefficients of a row from `first` on, which may be below 0.
FN void window(LOCAL E* to, u32 count, GLOBAL const E* from, u32 first, u32 len) {
  for (u32 i = THREAD; i < count; i += GROUP) to[i] = first + i < len ? from[first + i] : (E)0;
}

// Lengths of the rows of cofactors after a round that made a matrix.
FN u32 product_length(u32 a, u32 b) { return a > 0 && b > 0 ? a + b - 1 : 0; }
FN void cofactor_lengths(GLOBAL u32* state, u32 parts, u32 stride, u32 first, u32 shift, const u32* entries) {
  for (u32 part = 1; part < parts; part++) {
    u32 n0 = state[2 * part], n1 = state[2 * part + 1];
    u32 a = first ? n1 : n0, b = first ? n0 : n1;
    state[BEFORE + 2 * part] = n0;
    state[BEFORE + 2 * part + 1] = n1;
    for (u32 row = 0; row < 2; row++) {
      u32 x = product_length(a, entries[2 * row]), y = product_length(b, entries[2 * row + 1]);
      if (y > 0) y += shift;
      u32 len = x > y ? x : y;
      if (row == 1 && shift > 0) len = b;
      state[2 * part + row] = len < stride ? len : stride;
    }
  }
}

// Steps of Euclid's algorithm for a pair: with A the longer row and B the other, a row becomes u A + v X^shift B.
//
// Only the leading WINDOW coefficients of A are known here, and those of X^shift B at the same places, where shift brings
// B to less than STEPS below A. What was left out reaches the coefficients below the degree of a row's u and v, so that a
// step is right as long as it reads none of those. A round without such a step left has taken STEPS off the two lengths,
// or has found that they are done: trail and exponents as for `gcd`, with `notes` elements a pair, 0 where none are wanted.
KERNEL steps(GLOBAL u32* RESTRICT states, GLOBAL E* RESTRICT matrices, GLOBAL const E* RESTRICT rows, u32 stride, u32 parts,
             GLOBAL E* RESTRICT trail, GLOBAL u64* RESTRICT exponents, u32 notes, u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, 2 * (WINDOW + 2 * ENTRY));
  Field f = FIELD(0);
  GLOBAL u32* state = states + (u64)BLOCK * STATE;
  u32 n0 = state[0], n1 = state[1], side = state[SIDE], noted = state[NOTED], odd = state[ODD];
  u64 exponent = (u64)state[EXPONENT + 1] << 32 | state[EXPONENT];
  bool is_done = state[DONE] != 0;
  // All have read what the first thread writes below.
  BARRIER_GLOBAL();
  if (is_done) {
    if (THREAD == 0) state[APPLIES] = 0;
    return;
  }
  GLOBAL const E* from = rows + row_at(BLOCK, side, parts, 0, 0, stride);
  trail += (u64)BLOCK * notes;
  exponents += (u64)BLOCK * notes;
  LOCAL E* x = tile;
  LOCAL E* y = tile + WINDOW + 2 * ENTRY;
  // Row 0 may end with zeros that the last round did not see.
  u32 bound = n0;
  while (n0 > 0) {
    u32 first = n0 > WINDOW ? n0 - WINDOW : 0;
    window(x, n0 - first, from, first, n0);
    BARRIER();
    n0 = first + trimmed(x, n0 - first);
    bool is_found = n0 > first;
    BARRIER();
    if (is_found) break;
  }
  exponent += bound - n0;
  odd ^= (bound - n0) & (n1 - 1);
  u32 first = n0 < n1;
  if (first) {
    if (notes > 0) note(trail, exponents, &noted, &exponent, from[stride + n1 - 1]);
    odd ^= (n0 - 1) & (n1 - 1) & (n0 > 0);
    u32 n = n0;
    n0 = n1;
    n1 = n;
  }
  if (n1 <= 1) {
    // The divisor is a constant, or the longer row.
    if (n1 == 1 && notes > 0) {
      exponent += n0 - 1;
      note(trail, exponents, &noted, &exponent, from[(u64)stride * (1 - first)]);
    }
    if (THREAD == 0) {
      state[first] = n0;
      state[1 - first] = n1;
      state[APPLIES] = 0;
      state[DONE] = 1;
      state[FOUND] = n1 == 1 ? 1 - first : first;
      state[IS_CONSTANT] = n1;
      state[NOTED] = noted;
      state[ODD] = odd;
    }
    return;
  }
  u32 base = n0 > WINDOW ? n0 - WINDOW : 0, gap = n0 - n1;
  u32 near = gap < STEPS - 1 ? gap : STEPS - 1, shift = gap - near;
  bool is_cut = base > 0;
  u32 nx = n0 - base, ny = nx - near;
  for (u32 i = THREAD; i < 2 * ENTRY; i += GROUP) x[WINDOW + i] = y[WINDOW + i] = 0;
  window(x, nx, from + (u64)stride * first, base, n0);
  window(y, ny, from + (u64)stride * (1 - first), base - shift, n1);
  BARRIER();
  if (THREAD == 0) x[WINDOW] = y[WINDOW + ENTRY] = scaled(f, 1, SCALE(0, scale));
  u32 ux = 1, vx = 0, uy = 0, vy = 1;
  BARRIER();
  while (true) {
    if (nx < ny) {
      if (shift > 0) break;
      if (notes > 0) note(trail, exponents, &noted, &exponent, y[ny - 1]);
      odd ^= (nx + base - 1) & (ny + base - 1) & (nx + base > 0);
      LOCAL E* z = x;
      x = y;
      y = z;
      u32 n = nx;
      nx = ny;
      ny = n;
      n = ux;
      ux = uy;
      uy = n;
      n = vx;
      vx = vy;
      vy = n;
    }
    u32 s = nx - ny, whole_y = ny + base - shift;
    u32 known_x = ux > vx ? ux : vx, known_y = uy > vy ? uy : vy;
    if (whole_y <= 1 || s + known_y > ENTRY) break;
    // The second coefficients are to be known, too.
    if (is_cut && (nx <= known_x || ny <= known_y)) break;
    E a = y[ny - 1], b = negative(f, x[nx - 1]), c = 0;
    u32 drop = 1, before = nx;
    // Two steps at a time, as in `gcd`.
    if (s > 0) {
      c = below(residue_mul(f, x[nx - 1], y[ny - 2]) + negative(f, residue_mul(f, a, x[nx - 2])), f.p);
      b = residue_mul(f, a, b);
      a = residue_mul(f, a, a);
      drop = 2;
    }
    ux = longer(ux, uy, s);
    vx = longer(vx, vy, s);
    nx -= drop;
    ROLLED
    for (u32 part = 0; part < 3; part++) {
      u32 at = part == 0 ? 0 : WINDOW + (part - 1) * ENTRY;
      u32 of_x = part == 0 ? nx : (part == 1 ? ux : vx), of_y = part == 0 ? ny : (part == 1 ? uy : vy);
      combine(f, x + at, y + at, of_x, of_y, s, a, b, c);
    }
    BARRIER();
    u32 unknown = is_cut ? (ux > vx ? ux : vx) - 1 : 0;
    if (nx > unknown) nx = unknown + trimmed(x + unknown, nx - unknown);
    exponent += before - nx;
    exponent -= (u64)drop * (whole_y - 1);
    odd ^= (before - nx) & (whole_y - 1);
    if (is_cut && nx <= unknown) break;
  }
  GLOBAL E* matrix = matrices + (u64)BLOCK * 4 * ENTRY;
  for (u32 i = THREAD; i < 2 * ENTRY; i += GROUP) {
    matrix[i] = x[WINDOW + i];
    matrix[2 * ENTRY + i] = y[WINDOW + i];
  }
  if (THREAD == 0) {
    state[BEFORE] = first ? n1 : n0;
    state[BEFORE + 1] = first ? n0 : n1;
    state[0] = nx + base;
    state[1] = ny + base - shift;
    state[SIDE] = 1 - side;
    state[APPLIES] = 1;
    state[SHIFT] = shift;
    state[FIRST] = first;
    u32 entries[4];
    entries[0] = ux;
    entries[1] = vx;
    entries[2] = uy;
    entries[3] = vy;
    for (u32 k = 0; k < 4; k++) state[ENTRIES + k] = entries[k];
    // B stays as it is, not X^shift B.
    state[KEEPS] = shift > 0;
    state[NOTED] = noted;
    state[ODD] = odd;
    state[EXPONENT] = (u32)exponent;
    state[EXPONENT + 1] = (u32)(exponent >> 32);
    cofactor_lengths(state, parts, stride, first, shift, entries);
  }
}

// Up to STEPS coefficients of quotients, from the leading ones of what is left of the dividend and of the divisor, which is
// not 0: row 0 becomes itself - q X^shift row 1.
KERNEL quotients(GLOBAL u32* RESTRICT states, GLOBAL E* RESTRICT matrices, GLOBAL const E* RESTRICT rows, u32 stride,
                 GLOBAL E* RESTRICT found, u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, 2 * STEPS);
  Field f = FIELD(0);
  GLOBAL u32* state = states + (u64)BLOCK * STATE;
  u32 nx = state[0], ny = state[1], side = state[SIDE];
  // All have read what the first thread writes below.
  BARRIER_GLOBAL();
  if (nx < ny) {
    if (THREAD == 0) {
      state[APPLIES] = 0;
      state[DONE] = 1;
    }
    return;
  }
  GLOBAL const E* from = rows + row_at(BLOCK, side, 1, 0, 0, stride);
  GLOBAL E* quotient = found + (u64)BLOCK * stride;
  GLOBAL E* matrix = matrices + (u64)BLOCK * 4 * ENTRY;
  E one = scaled(f, 1, SCALE(0, scale));
  u32 count = nx - ny + 1;
  if (count > STEPS) count = STEPS;
  u32 shift = nx - ny + 1 - count;
  LOCAL E* x = tile;
  LOCAL E* y = tile + STEPS;
  window(x, count, from, nx - count, nx);
  window(y, count, from + stride, ny - count, ny);
  BARRIER();
  E inverse = inverse_of(f, y[count - 1], one);
  if (THREAD == 0) matrix[0] = one;
  for (u32 k = count; k-- > 0;) {
    E q = residue_mul(f, x[k], inverse), factor = negative(f, q);
    if (THREAD == 0) {
      quotient[shift + k] = below(mul(f, q, 1), f.p);
      matrix[ENTRY + k] = factor;
    }
    // Coefficient i of what is left has y's one as far below its leading one.
    for (u32 i = THREAD; i < k; i += GROUP) x[i] = below(x[i] + residue_mul(f, factor, y[count - 1 - k + i]), f.p);
    BARRIER();
  }
  if (THREAD == 0) {
    state[BEFORE] = nx;
    state[BEFORE + 1] = ny;
    state[0] = nx - count;
    state[SIDE] = 1 - side;
    state[APPLIES] = 1;
    state[SHIFT] = shift;
    state[ENTRIES] = 1;
    state[ENTRIES + 1] = count;
    state[KEEPS] = 1;
  }
}

// A group has OUTPUTS coefficients of both rows, a thread EACH of either; CHUNK of a matrix's at a time.
#define OUTPUTS (GROUP * EACH)
// Four factors times the operand's coefficients that belong to them.
FN void add_products(Field f, Sum* sums, LOCAL const E* factors, const E* values) {
  UNROLL
  for (u32 l = 0; l < 4; l++) {
    E factor = factors[l];
    UNROLL
    for (u32 e = 0; e < EACH; e++) {
      add_product(f, &sums[e], factor, values[e + 3 - l]);
      if ((l + 1) % FOLD == 0) fold(f, &sums[e]);
    }
  }
}

// What a round found, applied to the rows of a part.
KERNEL apply(GLOBAL E* RESTRICT rows, u32 stride, u32 parts, GLOBAL const u32* RESTRICT states,
             GLOBAL const E* RESTRICT matrices, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, OUTPUTS + 3 * CHUNK);
  Field f = FIELD(0);
  u32 part = BLOCK_Y, pair = BLOCK_Z;
  GLOBAL const u32* state = states + (u64)pair * STATE;
  u32 n0 = state[2 * part], n1 = state[2 * part + 1], first = BLOCK * OUTPUTS;
  if (!state[APPLIES] || (first >= n0 && first >= n1)) return;
  u32 side = state[SIDE], longer_row = state[FIRST], keeps = state[KEEPS];
  GLOBAL const E* from = rows + row_at(pair, 1 - side, parts, part, 0, stride);
  GLOBAL E* to = rows + row_at(pair, side, parts, part, 0, stride);
  GLOBAL const E* matrix = matrices + (u64)pair * 4 * ENTRY;
  LOCAL E* operand = tile;
  LOCAL E* factors = tile + OUTPUTS + CHUNK;
  Sum sums0[EACH], sums1[EACH];
  UNROLL
  for (u32 e = 0; e < EACH; e++) sums0[e] = sums1[e] = no_products();
  ROLLED
  for (u32 term = 0; term < 2; term++) {
    u32 row = term ^ longer_row, len = state[BEFORE + 2 * part + row], shift = term ? state[SHIFT] : 0;
    u32 count0 = state[ENTRIES + term], count1 = keeps ? 0 : state[ENTRIES + 2 + term];
    u32 count = count0 > count1 ? count0 : count1;
    ROLLED
    for (u32 i = 0; i < count; i += CHUNK) {
      BARRIER();
      window(operand, OUTPUTS + CHUNK, from + (u64)stride * row, first - shift - i - (CHUNK - 1), len);
      for (u32 k = THREAD; k < CHUNK; k += GROUP) {
        factors[k] = i + k < count0 ? matrix[term * ENTRY + i + k] : (E)0;
        factors[CHUNK + k] = i + k < count1 ? matrix[(2 + term) * ENTRY + i + k] : (E)0;
      }
      BARRIER();
      ROLLED
      for (u32 k = 0; k < CHUNK; k += 4) {
        E values[EACH + 3];
        UNROLL
        for (u32 e = 0; e < EACH + 3; e++) values[e] = operand[THREAD * EACH + CHUNK - 4 - k + e];
        add_products(f, sums0, factors + k, values);
        if (!keeps) add_products(f, sums1, factors + CHUNK + k, values);
      }
    }
  }
  UNROLL
  for (u32 e = 0; e < EACH; e++) {
    u32 i = first + THREAD * EACH + e;
    if (i < n0) to[i] = reduced(f, sums0[e]);
    if (i < n1) to[stride + i] = keeps ? from[(u64)stride * (1 - longer_row) + i] : reduced(f, sums1[e]);
  }
}

// Results out of Montgomery form, `parts` rows of `stride` elements a pair, filled up with zeros: the divisor made monic, with
// its cofactors, or where is_division the remainder as it is; and resultants where notes > 0.
KERNEL leave(GLOBAL E* RESTRICT to, GLOBAL const E* RESTRICT rows, u32 stride, u32 parts, GLOBAL const u32* RESTRICT states,
             u32 is_division, GLOBAL E* RESTRICT resultants, GLOBAL const E* RESTRICT trail,
             GLOBAL const u64* RESTRICT exponents, u32 notes, u32 scale, FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, GROUP);
  Field f = FIELD(0);
  E one = scaled(f, 1, SCALE(0, scale));
  GLOBAL const u32* state = states + (u64)BLOCK * STATE;
  u32 row = state[FOUND], side = state[SIDE], len = state[row];
  GLOBAL const E* divisor = rows + row_at(BLOCK, side, parts, 0, row, stride);
  // With a factor that is not in Montgomery form the product is not either. Of two zeros the first is the divisor.
  E factor = is_division || len == 0 ? one : inverse_of(f, divisor[len - 1], one);
  factor = below(mul(f, factor, 1), f.p);
  for (u32 part = 0; part < parts; part++) {
    GLOBAL const E* from = rows + row_at(BLOCK, side, parts, part, row, stride);
    GLOBAL E* found = to + ((u64)BLOCK * parts + part) * stride;
    u32 count = state[2 * part + row];
    for (u32 i = THREAD; i < stride; i += GROUP) found[i] = i < count ? residue_mul(f, from[i], factor) : (E)0;
  }
  if (notes == 0) return;
  E product = product_of_powers(f, tile, trail + (u64)BLOCK * notes, exponents + (u64)BLOCK * notes, state[NOTED], one);
  if (THREAD == 0) {
    if (state[ODD] & 1) product = negative(f, product);
    resultants[BLOCK] = state[IS_CONSTANT] ? product : (E)0;
  }
}
