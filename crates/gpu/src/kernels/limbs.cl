// Rows of products of words, added to sums of words in registers.
//
// A sum is even + odd, two numbers of words each. A row adds a * w at the columns from <= c < to, where w is a window:
// column c meets word (c - shift) mod modulus of it. Columns from `to` on have not been reached before.
//
// On NVIDIA's chips the products of even columns are one chain of multiply-adds with carry, since neighbours two columns
// apart fit end to end, and those of odd columns another: one wide multiply-add a product, and one addition a chain.
// That addition counts carries behind the chain's last product, at `to` or `to + 1`. The instructions are volatile, so
// that no compiler puts some with carry of its own between them; sums are marked `&`, since they are written before
// factors are read for the last time.
//
// The portable twin is one chain, all of it in `even`; what leaves the word at `to` is counted in odd[to + 1].
#ifdef ASM
FN void mad_first(u32* low, u32* high, u32 a, u32 b) {
  ASM volatile("mad.lo.cc.u32 %0, %2, %3, %0;\n\tmadc.hi.cc.u32 %1, %2, %3, %1;"
               : "+&r"(*low), "+&r"(*high) : "r"(a), "r"(b));
}
FN void mad_next(u32* low, u32* high, u32 a, u32 b) {
  ASM volatile("madc.lo.cc.u32 %0, %2, %3, %0;\n\tmadc.hi.cc.u32 %1, %2, %3, %1;"
               : "+&r"(*low), "+&r"(*high) : "r"(a), "r"(b));
}
FN void mad_last(u32* carries) { ASM volatile("addc.u32 %0, %0, 0;" : "+r"(*carries)); }
FN void multiply_chain(u32* sums, u32 a, const u32* w, int modulus, int shift, int first, int to) {
  if (first >= to) return;
  UNROLL
  for (int c = first; c < to; c += 2) {
    u32 b = w[(c + modulus - shift) % modulus];
    if (c == first) mad_first(&sums[c], &sums[c + 1], a, b);
    else mad_next(&sums[c], &sums[c + 1], a, b);
  }
  mad_last(&sums[to + 1 - ((to - 1 - first) & 1)]);
}
FN void multiply_row(u32* even, u32* odd, u32 a, const u32* w, int modulus, int shift, int from, int to) {
  multiply_chain(even, a, w, modulus, shift, from + (from & 1), to);
  multiply_chain(odd, a, w, modulus, shift, from + 1 - (from & 1), to);
}
#else
FN void multiply_row(u32* even, u32* odd, u32 a, const u32* w, int modulus, int shift, int from, int to) {
  u32 carry = 0;
  UNROLL
  for (int c = from; c < to; c++) {
    u64 sum = mulwide32(a, w[(c + modulus - shift) % modulus]) + even[c] + carry;
    even[c] = (u32)sum;
    carry = (u32)(sum >> 32);
  }
  u64 sum = (u64)even[to] + carry;
  even[to] = (u32)sum;
  odd[to + 1] += (u32)(sum >> 32);
}
#endif

// words = even + odd, `count` words of it.
FN void combine(u32* words, const u32* even, const u32* odd, int count) {
  u32 carry = 0;
  UNROLL
  for (int c = 0; c < count; c++) {
    u64 sum = (u64)even[c] + odd[c] + carry;
    words[c] = (u32)sum;
    carry = (u32)(sum >> 32);
  }
}

// What a run of words does with a carry that comes in.
#define STOPS 0u
#define GENERATES 1u
#define PROPAGATES 2u

// The first of the states before `index` that does not pass carries on, or PROPAGATES if all do.
FN u32 look_back(LOCAL const u32* states, u32 index, u32 first, u32 pitch) {
  while (index > first) {
    index--;
    u32 state = states[index * pitch];
    if (state != PROPAGATES) return state;
  }
  return PROPAGATES;
}

// Adds a carry to words; returns what is carried out.
FN u32 add_carry(u32* words, u32 carry, int count) {
  UNROLL
  for (int c = 0; c < count; c++) {
    words[c] += carry;
    carry = words[c] < carry ? 1u : 0u;
  }
  return carry;
}

// What words do, given what was carried out of them.
FN u32 state_of(const u32* words, u32 carry, int count) {
  u32 ones = 0xffffffffu;
  UNROLL
  for (int c = 0; c < count; c++) ones &= words[c];
  return carry ? GENERATES : ones == 0xffffffffu ? PROPAGATES : STOPS;
}
