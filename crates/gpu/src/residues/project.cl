// Residues of coefficients modulo several primes, laid out for transforms.
//
// A coefficient is `words` words, the lowest first, unsigned or in two's complement. The residues of polynomial b modulo
// prime j go to residues[first_residue + j·residue_stride + b·points + i].
//
// One thread finds the residues of one coefficient modulo CHUNK primes: the sum of word_i·(2^(32i) mod p), a product for
// each word and prime.
//
// constants: for every prime p, p^-1 mod 2^32, then 2^(32i)·2^32 mod p for i = 0 … words.

KERNEL project(GLOBAL u32* RESTRICT residues, u64 first_residue, u64 residue_stride,
               GLOBAL const u32* RESTRICT coefficients, GLOBAL const u32* RESTRICT spans,
               GLOBAL const u32* RESTRICT constants, u32 words, u32 is_signed, u32 primes, u32 log_points,
               u64 positions, u64 total) {
  u32 chunk = BLOCK_Y;
  u64 position = (u64)BLOCK * GROUP + THREAD;
  if (position >= positions) return;
  u64 number = coefficient_at(position, spans, log_points, total);
  u32 stride = words + 3;
  u32 first = chunk * CHUNK;

  u32 sums[CHUNK];
  UNROLL for (u32 j = 0; j < CHUNK; j++) sums[j] = 0;
  if (number != NO_COEFFICIENT) {
    GLOBAL const u32* from = coefficients + number * words;
    u32 word = 0;
    for (u32 i = 0; i < words; i++) {
      word = from[i];
      UNROLL for (u32 j = 0; j < CHUNK; j++) {
        GLOBAL const u32* row = constants + (first + j) * stride;
        u32 p = row[0];
        sums[j] = add32(sums[j], montgomery32(word, row[2 + i], p, row[1]), p);
      }
    }
    // The top word of a negative number is 2^32 too large.
    if (is_signed && (word >> 31)) {
      UNROLL for (u32 j = 0; j < CHUNK; j++) {
        GLOBAL const u32* row = constants + (first + j) * stride;
        u32 p = row[0];
        sums[j] = sub32(sums[j], montgomery32(1, row[2 + words], p, row[1]), p);
      }
    }
  }
  UNROLL for (u32 j = 0; j < CHUNK; j++)
    if (first + j < primes) residues[first_residue + (first + j) * residue_stride + position] = sums[j];
}
