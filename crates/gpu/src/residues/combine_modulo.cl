// Writes the residues of the values, which are not negative, modulo an odd modulus below 2^63, of the type VALUE.
// modulus_constants: the modulus m, m^-1 mod 2^64, then p_j·2^64 mod m for every prime.
KERNEL combine_modulo(GLOBAL VALUE* RESTRICT values, GLOBAL const u32* RESTRICT residues,
                      GLOBAL const u32* RESTRICT constants, u64 positions, u64 stride,
                      GLOBAL const u64* RESTRICT modulus_constants) {
  u64 position = (u64)BLOCK * GROUP + THREAD;
  if (position >= positions) return;
  MIXED_RADIX_DIGITS(digits)
  u64 m = modulus_constants[0], inverse = modulus_constants[1];
  u64 value = 0;
  // value·p + digit stays below 2^63 + 2^31 before it is reduced.
  UNROLL_SHORT for (u32 j = PRIMES; j-- > 0;) {
    u64 factor = modulus_constants[2 + j];
    u64 low = value * factor, high = mulhi64(value, factor);
    u64 difference = high - mulhi64(low * inverse, m);
    value = min64(difference, difference + m);
    // A digit may be larger than a small modulus.
    u64 sum = value + digits[j];
    value = sum < m ? sum : (m >> 31) ? sum - m : sum % m;
  }
  values[position] = (VALUE)value;
}
