// Streams and events: what orders work.
#pragma once
#include "context.h"
#include "order.h"

typedef struct Stream Stream;
typedef struct Event Event;

// Begins a piece of work on a stream: its moment, and what it knows. Not 0 if there is no such stream.
Code submit(const char *call, Stream *stream, Moment *now, const Clock **knowing);

// Lets other threads go on while a stream's kernel runs, but for those that use the stream; and goes on after it.
void begin_run(Stream *stream);
void end_run(Stream *stream);

// Those of a context that was released.
void forget_streams(void);

// What messages call a stream by.
int stream_number(int slot);
