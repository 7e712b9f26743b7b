// What happens before what: a clock for each stream, as vector clocks have it (Fidge and Mattern, 1988).
//
// Work is done when it is submitted, so nothing ever races here. What could have on a device is found by comparing
// clocks: a piece of work knows of another if a chain of stream order, events and waits of the host leads from that one to
// it. The host is one actor, since threads tell each other things that no driver sees.
#pragma once
#include <stdint.h>

// Streams that are followed at once.
#define SLOTS 128

typedef struct {
  uint64_t at[SLOTS];
} Clock;

// A moment of one stream.
typedef struct {
  int slot;
  uint64_t time;
} Moment;

// What the host has waited for.
extern Clock host;

void join(Clock *into, const Clock *from);
static inline int knows(const Clock *clock, Moment moment) { return clock->at[moment.slot] >= moment.time; }

// A slot for a stream, its clock running on where the last one's stopped; -1 if none is free.
int take_slot(void);
void return_slot(int slot);

// The next moment of a stream, which from then on knows of it and of all that the host knows.
Moment step(int slot, Clock *stream);

// The host has waited for this, or for everything; not 0 if it touched what was in use until then.
unsigned host_learns(const Clock *clock);
unsigned host_learns_all(void);
