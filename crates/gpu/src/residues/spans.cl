// Where coefficients lie that are laid out for transforms of 2^log_points points: polynomial b has the spans[2b + 1]
// coefficients from number spans[2b] on, of `total` that there are, followed by zeros.

#define NO_COEFFICIENT (~(u64)0)

// The number of the coefficient at a position of the transforms.
FN u64 coefficient_at(u64 position, GLOBAL const u32* spans, u32 log_points, u64 total) {
  u32 polynomial = (u32)(position >> log_points);
  u32 index = (u32)position & ((1u << log_points) - 1);
  u64 number = (u64)spans[2 * polynomial] + index;
  return index < spans[2 * polynomial + 1] && number < total ? number : NO_COEFFICIENT;
}
