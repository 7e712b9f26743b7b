// Sums of columns of three words each, and their normalization by a group.
//
// Words that are low, high and carries (l, h, c) of column i weigh 2^(32 i), 2^(32 (i + 1)) and 2^(32 (i + 2)).

// A column's three words, `pitch` words apart, plus low + carries 2^64.
FN void add_to_column(LOCAL u32* column, u32 pitch, u64 low, u32 carries) {
  u64 sum = column[0] | (u64)column[pitch] << 32;
  sum += low;
  column[0] = (u32)sum;
  column[pitch] = (u32)(sum >> 32);
  column[2 * pitch] += carries + (sum < low ? 1u : 0u);
}

// The low words become those of the number; `count` words in each of `planes` planes, `states` for one a thread.
// Threads take runs of columns. What a run carries out is 0, 1 or 2 at first; once the next run has taken that, it is 0
// or 1, by look-back.
FN void normalize(LOCAL u32* column, u32 planes, u32 count, LOCAL u32* states) {
  u32 each = (count + GROUP - 1) / GROUP;
  u32 first = min32(THREAD * each, count), end = min32(first + each, count);
  u64 sum = 0;
  for (u32 i = first; i < end; i++) {
    sum += column[i];
    if (planes > 1 && i >= 1) sum += column[count + i - 1];
    if (planes > 2 && i >= 2) sum += column[2 * count + i - 2];
    column[i] = (u32)sum;
    sum >>= 32;
  }
  states[THREAD] = (u32)sum;
  BARRIER();
  u32 carry = THREAD > 0 ? states[THREAD - 1] : 0u, ones = 0xffffffffu;
  for (u32 i = first; i < end; i++) {
    u32 word = column[i] + carry;
    carry = word < carry ? 1u : 0u;
    column[i] = word;
    ones &= word;
  }
  BARRIER();
  states[THREAD] = carry ? GENERATES : ones == 0xffffffffu ? PROPAGATES : STOPS;
  BARRIER();
  carry = look_back(states, THREAD, 0, 1) == GENERATES;
  for (u32 i = first; i < end && carry; i++) carry = ++column[i] == 0u;
  BARRIER();
}
