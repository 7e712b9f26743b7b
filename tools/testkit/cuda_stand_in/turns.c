// The order of turns: what is told of it, and shuffles.
#include "turns.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lock.h"

typedef enum { SHUFFLED, REVERSE, FORWARD, IN_TURN } Order;

struct Turns {
  Order order;
  uint64_t seed;
  size_t count;
  unsigned numbers[];
};

static Order order = IN_TURN;
static uint64_t seed = 1;
static int is_chosen;

int wants_ptx(void) { return getenv("SUNZI_STAND_IN_PTX") != NULL; }

static int read_order(const char *text) {
  unsigned long number;
  int length = 0;
  is_chosen = 1;
  if (!strcmp(text, "forward")) order = FORWARD;
  else if (!strcmp(text, "reverse")) order = REVERSE;
  else if (!strcmp(text, "in-turn")) order = IN_TURN;
  else if (sscanf(text, "shuffled:%lu%n", &number, &length) == 1 && !text[length]) order = SHUFFLED, seed = number;
  else return 0;
  return 1;
}

int standInTurns(const char *text) {
  pthread_mutex_lock(&lock);
  int understood = read_order(text);
  pthread_mutex_unlock(&lock);
  return understood;
}

Turns *new_turns(size_t count, unsigned launch) {
  pthread_mutex_lock(&lock);
  const char *told = getenv("SUNZI_STAND_IN_PTX");
  if (!is_chosen && told && !read_order(told)) violation(0, "SUNZI_STAND_IN_PTX is `%s`, not `forward`, `reverse`, `shuffled:SEED` or `in-turn`", told);
  Turns *made = malloc(sizeof *made + count * sizeof *made->numbers);
  if (!made) abort();
  made->order = order == IN_TURN ? (Order)(launch % IN_TURN) : order;
  made->seed = order == IN_TURN ? launch + 1 : seed;
  pthread_mutex_unlock(&lock);
  made->count = count;
  for (size_t i = 0; i < count; i++) made->numbers[i] = (unsigned)(made->order == REVERSE ? count - 1 - i : i);
  return made;
}

// Xorshift64* (Vigna, 2016), and the shuffle of Fisher and Yates.
static uint64_t next(Turns *turns) {
  uint64_t state = turns->seed ? turns->seed : 1;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  turns->seed = state;
  return state * 0x2545F4914F6CDD1D;
}

const unsigned *shuffle(Turns *turns) {
  for (size_t i = turns->order == SHUFFLED ? turns->count : 0; i > 1; i--) {
    size_t other = (next(turns) >> 32) % i;
    unsigned number = turns->numbers[other];
    turns->numbers[other] = turns->numbers[i - 1];
    turns->numbers[i - 1] = number;
  }
  return turns->numbers;
}
