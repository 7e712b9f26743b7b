// One pass of a transform: some of its levels on tiles of 2^LOG_TILE points in local memory.
//
// Definitions: LOG_TILE; RADIX (log2 of the points that a thread holds); INVERSE; and SPECIALIZED. With that, the
// program is for one kind of pass, all steps are written out, and these are definitions too, where they are arguments
// of the kernel otherwise: LEVELS; COLUMNS (log2 of adjacent columns in a tile); ROOT (the pass has the level of one
// block); UNIT (the factor of that block is 1: the transform is cyclic); LAST (the pass has the level of adjacent
// points); MULTIPLY (the points are first multiplied by those of other transforms, in a pass of an inverse that is LAST);
// TWISTED (the level of the pass from which on steps twist); NEAR.
//
// Seen from the pass, a transform is 2^depth blocks of 2^LEVELS rows of 2^shift columns. A tile is 2^COLUMNS adjacent
// columns of one block, or, where they are all there are, of several blocks one after the other. In a tile, the levels
// of a step are bits [sigma, sigma + r) of an index, whatever rows and columns are.
//
// The factors of deep levels are as many as points. A step of r levels takes those that it needs, W[2^j b + q], from one
// table as long as that has them. A step of block b = h 2^s + l, s = NEAR - r + 1, that *twists* takes W[2^j l + q] instead,
// which stay in a processor's cache: it multiplies point k of its 2^r by g^k, g = W[h 2^NEAR], and so has block l's
// polynomials for block b's: W[2^j b + q] = W[2^j l + q] g^(2^(r - 1 - j)). The powers come from a table, too.
#if !SPECIALIZED
#define LEVELS pass.levels
#define COLUMNS pass.columns
#define ROOT (pass.depth == 0)
#define UNIT (pass.depth == 0 && !pass.negacyclic)
#define LAST (pass.shift == 0)
#define MULTIPLY pass.multiply
#define TWISTED pass.twisted
#define NEAR pass.near
#endif
// log2 of the points of a row from which on threads read and write rows in whole sectors.
#define ROW_BITS 3
#define POINTS (1 << RADIX)
#define WHOLE_BLOCKS (LOG_TILE - LEVELS - COLUMNS)

// Where an element of a tile is in local memory: threads that are powers of two up to 2^RADIX words apart meet
// different banks. Linear over exclusive or.
FN u32 place(u32 i) { return i ^ ((i >> RADIX) & 31); }

typedef struct {
  GLOBAL E* data;         // from the first element of the tile on
  u64 left;               // elements from there to the end of the last transform
  u32 shift;
  u32 block;              // the tile's first block
  u32 depth, levels, columns, twisted, near;
  u32 negacyclic, multiply;
  GLOBAL const E* other;  // the factors of MULTIPLY, of which element i meets data's element i, both modulo a power of 2
  u64 start, mask;
  GLOBAL const Prepared* table;   // W[i]
  GLOBAL const Prepared* powers;  // W[h 2^NEAR]^k at h 2^RADIX + k
  GLOBAL const E* scales;         // what an inverse is scaled by is number `scale` of them
  u32 scale;
} Pass;

// Below 2^28, the most points of a transform, or those of a tile of whole ones.
FN u32 address(Pass pass, u32 i) { return ((i >> COLUMNS) << pass.shift) + (i & ((1u << COLUMNS) - 1)); }
// Only tiles of whole blocks can reach beyond the last transform.
FN u32 inside(Pass pass, u64 at) { return WHOLE_BLOCKS == 0 || at < pass.left; }
FN E fetch(Pass pass, u64 at) { return inside(pass, at) ? pass.data[at] : (E)0; }
FN void keep(Pass pass, u64 at, E x) {
  if (inside(pass, at)) pass.data[at] = x;
}
// What is kept after the last step of a pass.
FN E finished(Field f, Pass pass, E x) {
  if (INVERSE && ROOT) return scaled(f, x, scale_of(pass.scales, pass.scale));
  if (!INVERSE && LAST) return forward_canonical(f, x);
  return settle(f, x);
}

// Multiplies the 2^r points of a step by powers.
FN void twist(Field f, E* x, const u32 r, GLOBAL const Prepared* powers) {
  UNROLL for (u32 k = 1; k < POINTS; k++) {
    if (k < 1u << r) x[k] = product(f, x[k], powers[k]);
  }
}

// One step: r levels from `level` of the pass on, on every element of the tile. It comes from memory and goes there
// if the flags say so, and from and to local memory otherwise. r and the flags are constants, and so is the level in
// specialized programs.
FN void step(Field f, Pass pass, LOCAL E* tile, const u32 r, const u32 level, const u32 from_memory,
             const u32 to_memory) {
  const u32 sigma = LEVELS + COLUMNS - level - r;
  const u32 row = sigma >= COLUMNS ? sigma - COLUMNS : 0;
  const u32 outer = pass.depth + level;
  for (u32 turn = 0; turn < (1u << (LOG_TILE - r)); turn += GROUP) {
    u32 e = turn + THREAD;
    if ((1u << (LOG_TILE - r)) % GROUP == 0 || e < 1u << (LOG_TILE - r)) {
      u32 high = e >> sigma;
      u32 at = (high << (sigma + r)) | (e & ((1u << sigma) - 1));
      u64 memory_at = address(pass, at), stride = (u64)1 << (row + pass.shift);
      u32 place_at = place(at);
      E x[POINTS];
      UNROLL for (u32 j = 0; j < POINTS; j++) {
        if (j < 1u << r) x[j] = from_memory ? fetch(pass, memory_at + j * stride) : tile[place_at ^ place(j << sigma)];
      }
      const u32 only_block = UNIT && level == 0;
      u32 block = (((pass.block << level) + high) & ((1u << outer) - 1)) | pass.negacyclic << outer;
      GLOBAL const Prepared* powers = pass.powers;
      if (only_block) block = 0;
      if (level >= TWISTED) {
        const u32 near = NEAR - (r - 1);
        powers += (block >> near) << RADIX;
        block &= (1u << near) - 1;
        if (!INVERSE) twist(f, x, r, powers);
      }
      UNROLL for (u32 turned = 0; turned < RADIX; turned++) {
        if (turned < r) {
          const u32 j = INVERSE ? r - 1 - turned : turned;
          const u32 distance = 1u << (r - 1 - j);
          UNROLL for (u32 q = 0; q < POINTS / 2; q++) {
            if (q < 1u << j) {
              const u32 one = only_block && q == 0;
              Prepared w = pass.table[(block << j) + q];
              UNROLL for (u32 i = 0; i < POINTS / 2; i++) {
                if (i < distance) {
                  E* a = x + 2 * q * distance + i;
                  E* b = a + distance;
#if INVERSE
                  if (one) inverse_one(f, a, b);
                  else inverse(f, a, b, w);
#else
                  if (one) forward_one(f, a, b);
                  else forward(f, a, b, w);
#endif
                }
              }
            }
          }
        }
      }
      if (INVERSE && level >= TWISTED) twist(f, x, r, powers);
      const u32 ends = INVERSE ? level == 0 : level + r == LEVELS;
      UNROLL for (u32 j = 0; j < POINTS; j++) {
        if (j < 1u << r) {
          E y = ends ? finished(f, pass, x[j]) : settle(f, x[j]);
          if (to_memory) keep(pass, memory_at + j * stride, y);
          else tile[place_at ^ place(j << sigma)] = y;
        }
      }
    }
  }
}

FN void load_tile(Field f, Pass pass, LOCAL E* tile) {
  UNROLL_4 for (u32 i = THREAD; i < 1u << LOG_TILE; i += GROUP) {
    u32 at = address(pass, i);
    E x = fetch(pass, at);
    // R is left out here, and comes in with the scale at the end.
    if (MULTIPLY && inside(pass, at)) x = residue_mul(f, x, pass.other[(pass.start + at) & pass.mask]);
    tile[place(i)] = x;
  }
  // The pass stores over what other threads have loaded here.
  BARRIER_GLOBAL();
}
FN void store_tile(Pass pass, LOCAL E* tile) {
  BARRIER();
  for (u32 i = THREAD; i < 1u << LOG_TILE; i += GROUP) keep(pass, address(pass, i), tile[place(i)]);
}

// `count` elements from `first` on are the transforms modulo the first prime; those of the next are `stride` further
// on. The group takes tile BLOCK of prime BLOCK_Y. A prime's tables have 2^log_table factors and 2^log_powers powers.
KERNEL ntt_pass(GLOBAL E* RESTRICT data, u64 first, u64 stride, u64 count, u32 shift, u32 depth, u32 levels,
                u32 columns, u32 twisted, u32 near, u32 negacyclic, GLOBAL const Prepared* RESTRICT table,
                GLOBAL const Prepared* RESTRICT powers, u32 log_table, u32 log_powers, u32 multiply,
                GLOBAL const E* RESTRICT other, u64 other_first, u64 other_stride, u64 mask, u32 scale,
                FIELD_PARAMETERS) {
  SHARED_TILE(E, tile, 1 << LOG_TILE);
  u32 prime = BLOCK_Y;
  Field f = FIELD(prime);
  Pass pass;
  pass.depth = depth;
  pass.levels = levels;
  pass.columns = columns;
  pass.twisted = twisted;
  pass.near = near;
  pass.shift = shift;
  u32 column_tiles = shift - COLUMNS;
  u32 column = BLOCK & ((1u << column_tiles) - 1);
  pass.block = (BLOCK >> column_tiles) << WHOLE_BLOCKS;
  u64 start = ((u64)(BLOCK >> column_tiles) << (WHOLE_BLOCKS + LEVELS + shift)) + ((u64)column << COLUMNS);
  pass.data = data + first + prime * stride + start;
  pass.left = count - start;
  pass.negacyclic = negacyclic;
  pass.table = table + ((u64)prime << log_table);
  pass.powers = powers + ((u64)prime << log_powers);
  pass.scales = SCALES(prime);
  pass.scale = scale;
  pass.multiply = multiply;
  pass.other = other + other_first + prime * other_stride;
  pass.start = start;
  pass.mask = mask;
#if SPECIALIZED
  // The first step has the levels that are left over, at most RADIX. Where rows of the tile are long enough, the points
  // of the outer steps come from memory, or go there, without a way through local memory.
  const u32 steps = (LEVELS + RADIX - 1) / RADIX, top = LEVELS - (steps - 1) * RADIX;
  const u32 top_direct = LEVELS + COLUMNS - top >= ROW_BITS, bottom_direct = COLUMNS >= ROW_BITS;
#if INVERSE
  if (!bottom_direct) load_tile(f, pass, tile);
  UNROLL for (u32 s = steps - 1; s > 0; s--) {
    step(f, pass, tile, RADIX, top + (s - 1) * RADIX, bottom_direct && s == steps - 1, 0);
    // As in load_tile.
    if (bottom_direct && s == steps - 1) BARRIER_GLOBAL();
    else BARRIER();
  }
  step(f, pass, tile, top, 0, bottom_direct && steps == 1, top_direct);
  if (!top_direct) store_tile(pass, tile);
#else
  if (!top_direct) load_tile(f, pass, tile);
  step(f, pass, tile, top, 0, top_direct, bottom_direct && steps == 1);
  UNROLL for (u32 s = 1; s < steps; s++) {
    // As in load_tile.
    if (top_direct && s == 1) BARRIER_GLOBAL();
    else BARRIER();
    step(f, pass, tile, RADIX, top + (s - 1) * RADIX, 0, bottom_direct && s == steps - 1);
  }
  if (!bottom_direct) store_tile(pass, tile);
#endif
#else
  // The levels that are left over are steps of their own.
  const u32 top = LEVELS % RADIX;
  load_tile(f, pass, tile);
#if INVERSE
  for (u32 level = LEVELS; level > top; level -= RADIX) {
    step(f, pass, tile, RADIX, level - RADIX, 0, 0);
    BARRIER();
  }
  for (u32 level = top; level > 0; level--) {
    step(f, pass, tile, 1, level - 1, 0, 0);
    BARRIER();
  }
#else
  for (u32 level = 0; level < top; level++) {
    step(f, pass, tile, 1, level, 0, 0);
    BARRIER();
  }
  for (u32 level = top; level < LEVELS; level += RADIX) {
    step(f, pass, tile, RADIX, level, 0, 0);
    BARRIER();
  }
#endif
  store_tile(pass, tile);
#endif
}
