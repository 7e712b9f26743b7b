#include "order.h"
#include "memory.h"

Clock host;
static Clock last;
static int taken[SLOTS];
static int next;

void join(Clock *into, const Clock *from) {
  for (int i = 0; i < SLOTS; i++)
    if (into->at[i] < from->at[i]) into->at[i] = from->at[i];
}

// In turn, so that work of a stream that is gone is not soon taken for that of another.
int take_slot(void) {
  for (int tried = 0; tried < SLOTS; tried++) {
    int slot = next++ % SLOTS;
    if (!taken[slot]) {
      taken[slot] = 1;
      return slot;
    }
  }
  return -1;
}

void return_slot(int slot) { taken[slot] = 0; }

Moment step(int slot, Clock *stream) {
  join(stream, &host);
  stream->at[slot] = ++last.at[slot];
  return (Moment){slot, last.at[slot]};
}

unsigned host_learns(const Clock *clock) {
  join(&host, clock);
  return deliver();
}

unsigned host_learns_all(void) { return host_learns(&last); }
