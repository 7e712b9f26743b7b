// Streams and events: what orders work.
#pragma once
#include "context.h"
#include "order.h"

typedef struct Stream Stream;
typedef struct Event Event;

// Begins a piece of work on a stream: its moment, and what it knows. Not 0 if there is no such stream.
Code submit(const char *call, Stream *stream, Moment *now, const Clock **knowing);

// Those of a context that was released.
void forget_streams(void);

// What messages call a stream by.
int stream_number(int slot);
