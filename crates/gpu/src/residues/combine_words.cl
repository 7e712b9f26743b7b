// Writes OUT_WORDS words of every value: signed values are those of least magnitude, in two's complement.
// The words of a value lie together, or (PLANAR) those of 2^log_plane values at a time in planes, one for each word.
// STAGED: the words of a group's values are gathered in local memory first, so that neighbouring threads write
// neighbouring words.
#define PITCH (OUT_WORDS | 1)
KERNEL combine_words(GLOBAL u32* RESTRICT words, GLOBAL const u32* RESTRICT residues,
                     GLOBAL const u32* RESTRICT constants, u64 positions, u64 stride, u32 log_plane) {
  u64 position = (u64)BLOCK * GROUP + THREAD;
#if STAGED
  SHARED_TILE(u32, tile, GROUP * PITCH);
  u64 first = position - THREAD;
  u32 count = positions - first < GROUP ? (u32)(positions - first) : GROUP;
  // Threads without a value of their own compute another's, for all must come to the barrier.
  position = position < positions ? position : positions - 1;
#else
  if (position >= positions) return;
#endif
  MIXED_RADIX_DIGITS(digits)
  u32 value[OUT_WORDS];
  UNROLL_SHORT for (u32 w = 0; w < OUT_WORDS; w++) value[w] = 0;
#if SIGNED
  // Half the product of all primes, rounded down, has the digits (p_j - 1)/2: the first digit from the top that
  // differs decides. What lies above is taken down by the product, whose digits end in p of the topmost prime; carried
  // out word by word modulo 2^(32·OUT_WORDS).
  u32 above = 0, decided = 0;
  UNROLL_SHORT for (u32 j = PRIMES; j-- > 0;) {
    u32 middle = constants[j * CONSTANTS] >> 1;
    above = decided ? above : (u32)(digits[j] > middle);
    decided |= (u32)(digits[j] != middle);
  }
  if (above) digits[PRIMES - 1] -= constants[(PRIMES - 1) * CONSTANTS];
  // That digit is negative now: its sign goes through all words.
  UNROLL_SHORT for (u32 w = 0; w < OUT_WORDS; w++) value[w] = above ? 0xffffffffu : 0u;
#endif
  value[0] = digits[PRIMES - 1];
  UNROLL_SHORT for (u32 j = PRIMES - 1; j-- > 0;) {
    u32 p = constants[j * CONSTANTS];
    u64 carry = digits[j];
    UNROLL_SHORT for (u32 w = 0; w < OUT_WORDS; w++) {
      carry += mulwide32(value[w], p);
      value[w] = (u32)carry;
      carry >>= 32;
    }
  }
#if STAGED
  UNROLL_SHORT for (u32 w = 0; w < OUT_WORDS; w++) tile[THREAD * PITCH + w] = value[w];
  BARRIER();
  for (u32 i = THREAD; i < count * OUT_WORDS; i += GROUP)
    words[first * OUT_WORDS + i] = tile[i / OUT_WORDS * PITCH + i % OUT_WORDS];
#else
  UNROLL_SHORT for (u32 w = 0; w < OUT_WORDS; w++)
#if PLANAR
    words[((((position >> log_plane) * OUT_WORDS) + w) << log_plane) + (position & (((u64)1 << log_plane) - 1))] = value[w];
#else
    words[position * OUT_WORDS + w] = value[w];
#endif
#endif
}
