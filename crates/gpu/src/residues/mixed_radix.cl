// Values from their residues modulo PRIMES ascending primes, by mixed-radix digits.
//
// x = v_0 + p_0·(v_1 + p_1·(v_2 + …)) with v_j < p_j; v_j = (…((r_j - v_0)/p_0 - v_1)/p_1 - …)/p_(j-1) mod p_j. As the
// primes ascend, v_i is a residue modulo every later prime as it stands.
//
// constants: for every prime p, p^-1 mod 2^32, then 2^32/p_i mod p for i < PRIMES (those with i ≥ j are not read).

#if PRIMES <= SHORT
  #define UNROLL_SHORT UNROLL
#else
  #define UNROLL_SHORT
#endif
#define CONSTANTS (PRIMES + 2)

// The mixed-radix digits of the value at a position.
#define MIXED_RADIX_DIGITS(digits)                                                              \
  u32 digits[PRIMES];                                                                           \
  UNROLL_SHORT for (u32 j = 0; j < PRIMES; j++) {                                               \
    GLOBAL const u32* row = constants + j * CONSTANTS;                                     \
    u32 digit = residues[j * stride + position];                                                \
    UNROLL_SHORT for (u32 i = 0; i < j; i++)                                                    \
      digit = montgomery32(sub32(digit, digits[i], row[0]), row[2 + i], row[0], row[1]); \
    digits[j] = digit;                                                                          \
  }
