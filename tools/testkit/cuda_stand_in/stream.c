// Streams, which keep their own order, and events, which order them with each other and with the host.
#include "stream.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "lock.h"
#include "memory.h"

#define NON_BLOCKING 1
#define DISABLE_TIMING 2

struct Stream {
  struct Stream *next;
  Context *context;
  int slot, number, running;
  Clock clock;
};

struct Event {
  struct Event *next;
  Context *context;
  unsigned flags;
  int recorded, asked;
  // What is done when it is reached, and the time of day.
  Clock clock;
  double milliseconds;
};

static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static Stream *streams;
static Event *events;
static int numbers, number_of_slot[SLOTS];

int stream_number(int slot) { return number_of_slot[slot]; }

static int has_stream(const Stream *stream) {
  for (Stream *one = streams; one; one = one->next)
    if (one == stream) return 1;
  return 0;
}

static int has_event(const Event *event) {
  for (Event *one = events; one; one = one->next)
    if (one == event) return 1;
  return 0;
}

void forget_streams(void) {
  while (streams) {
    Stream *gone = streams;
    streams = gone->next;
    return_slot(gone->slot);
    free(gone);
  }
  while (events) {
    Event *gone = events;
    events = gone->next;
    free(gone);
  }
}

// A stream of the current context, or why it is none.
static Code check_stream(const char *call, Stream *stream) {
  Context *context = current(call);
  if (!context) return INVALID_CONTEXT;
  if (!stream) return violation(INVALID_HANDLE, "%s: the null stream waits for other libraries' streams", call);
  if (!has_stream(stream)) return violation(INVALID_HANDLE, "%s: no such stream, or it was destroyed", call);
  if (stream->context != context) return violation(INVALID_CONTEXT, "%s: the stream is of another context than the current one", call);
  while (stream->running) pthread_cond_wait(&ended, &lock);
  return OK;
}

static Code check_event(const char *call, Event *event) {
  Context *context = current(call);
  if (!context) return INVALID_CONTEXT;
  if (!has_event(event)) return violation(INVALID_HANDLE, "%s: no such event, or it was destroyed", call);
  if (event->context != context) return violation(INVALID_CONTEXT, "%s: the event is of another context than the current one", call);
  return OK;
}

Code submit(const char *call, Stream *stream, Moment *now, const Clock **knowing) {
  Code code = check_stream(call, stream);
  if (code) return code;
  *now = step(stream->slot, &stream->clock);
  *knowing = &stream->clock;
  return OK;
}

void begin_run(Stream *stream) {
  stream->running = 1;
  pthread_mutex_unlock(&lock);
}

void end_run(Stream *stream) {
  pthread_mutex_lock(&lock);
  stream->running = 0;
  pthread_cond_broadcast(&ended);
}

EXPORT Code cuStreamCreate(Stream **stream, unsigned flags) {
  ENTER;
  IN_CONTEXT(context);
  if (!(flags & NON_BLOCKING)) return violation(INVALID_VALUE, "cuStreamCreate: a stream that waits for the null stream");
  int slot = take_slot();
  Stream *made = slot < 0 ? NULL : calloc(1, sizeof *made);
  if (!made) return violation(OUT_OF_MEMORY, "cuStreamCreate: more than %d streams", SLOTS);
  *made = (Stream){streams, context, slot, ++numbers, 0, {{0}}};
  number_of_slot[slot] = made->number;
  context_has(context, STREAM, 1);
  *stream = streams = made;
  return OK;
}

// What was submitted still runs to its end.
EXPORT Code cuStreamDestroy_v2(Stream *stream) {
  ENTER;
  Code code = check_stream(__func__, stream);
  if (code) return code;
  Stream **place = &streams;
  while (*place != stream) place = &(*place)->next;
  *place = stream->next;
  return_slot(stream->slot);
  context_has(stream->context, STREAM, -1);
  free(stream);
  return OK;
}

EXPORT Code cuStreamSynchronize(Stream *stream) {
  ENTER;
  Code code = check_stream(__func__, stream);
  return code ? code : host_learns(&stream->clock);
}

EXPORT Code cuStreamWaitEvent(Stream *stream, Event *event, unsigned flags) {
  ENTER;
  Code code = check_stream(__func__, stream);
  if (!code) code = check_event(__func__, event);
  if (!code && flags) code = violation(INVALID_VALUE, "cuStreamWaitEvent: flags %u", flags);
  if (!code && event->recorded) join(&stream->clock, &event->clock);
  return code;
}

EXPORT Code cuCtxSynchronize(void) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  return host_learns_all();
}

EXPORT Code cuEventCreate(Event **event, unsigned flags) {
  ENTER;
  IN_CONTEXT(context);
  Event *made = calloc(1, sizeof *made);
  if (!made) return OUT_OF_MEMORY;
  made->next = events;
  made->context = context;
  made->flags = flags;
  context_has(context, EVENT, 1);
  *event = events = made;
  return OK;
}

EXPORT Code cuEventRecord(Event *event, Stream *stream) {
  ENTER;
  Moment now;
  const Clock *knowing;
  Code code = check_event(__func__, event);
  if (!code) code = submit(__func__, stream, &now, &knowing);
  if (code) return code;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  event->recorded = 1;
  event->asked = 0;
  event->clock = *knowing;
  event->milliseconds = 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
  return OK;
}

EXPORT Code cuEventSynchronize(Event *event) {
  ENTER;
  Code code = check_event(__func__, event);
  return code || !event->recorded ? code : host_learns(&event->clock);
}

static int reached(const Event *event) {
  for (int slot = 0; slot < SLOTS; slot++)
    if (event->clock.at[slot] > host.at[slot]) return 0;
  return 1;
}

EXPORT Code cuEventQuery(Event *event) {
  ENTER;
  Code code = check_event(__func__, event);
  // A device needs time: who asks again gets another answer.
  if (code || (!reached(event) && !event->asked++)) return code ? code : NOT_READY;
  return host_learns(&event->clock);
}

EXPORT Code cuEventElapsedTime(float *milliseconds, Event *from, Event *to) {
  ENTER;
  Code code = check_event(__func__, from);
  if (!code) code = check_event(__func__, to);
  if (code) return code;
  if ((from->flags | to->flags) & DISABLE_TIMING) return violation(INVALID_HANDLE, "cuEventElapsedTime: an event was created without timing");
  if (!from->recorded || !to->recorded) return violation(INVALID_HANDLE, "cuEventElapsedTime: an event was not recorded");
  if (!reached(from) || !reached(to)) return violation(NOT_READY, "cuEventElapsedTime: the host has not waited for the events");
  *milliseconds = (float)(to->milliseconds - from->milliseconds);
  return OK;
}

EXPORT Code cuEventDestroy_v2(Event *event) {
  ENTER;
  Code code = check_event(__func__, event);
  if (code) return code;
  Event **place = &events;
  while (*place != event) place = &(*place)->next;
  *place = event->next;
  context_has(event->context, EVENT, -1);
  free(event);
  return OK;
}
