// The primary context, which is shared and counted, contexts of other libraries, and the current one of each thread.
#include "context.h"
#include <stddef.h>
#include <stdlib.h>
#include "copies.h"
#include "lock.h"
#include "memory.h"
#include "module.h"
#include "stream.h"

struct Context {
  // How often it is retained; one that other libraries create counts once.
  int retained;
  long objects[KINDS];
};

static const char *const names[KINDS] = {"buffers", "pinned buffers", "streams", "events", "modules", "pools"};

// The driver gives the primary context one address for good.
static Context primary;

// As deep as any program's.
#define DEPTH 64
static __thread Context *stack[DEPTH];
static __thread int depth;

Context *current(const char *call) {
  Context *context = depth ? stack[depth - 1] : NULL;
  if (context && context->retained > 0) return context;
  violation(INVALID_CONTEXT, "%s: %s", call,
            context ? "the current context of this thread was released" : "no context is current on this thread");
  return NULL;
}

void context_has(Context *context, Kind kind, int more) { context->objects[kind] += more; }

EXPORT Code cuDevicePrimaryCtxRetain(Context **context, int device) {
  ENTER;
  if (device != 0) return INVALID_DEVICE;
  primary.retained++;
  *context = &primary;
  return OK;
}

EXPORT Code cuDevicePrimaryCtxRelease_v2(int device) {
  ENTER_ALWAYS;
  if (device != 0) return INVALID_DEVICE;
  if (primary.retained == 0)
    return violation(INVALID_CONTEXT, "cuDevicePrimaryCtxRelease: released more often than retained");
  if (--primary.retained > 0) return OK;
  Code result = OK;
  for (int kind = 0; kind < KINDS; kind++) {
    long left = primary.objects[kind];
    primary.objects[kind] = 0;
    // What a lost device had cannot be freed.
    if (left && !device_is_lost())
      result = violation(ILLEGAL_STATE, "the primary context is released, and %ld %s of it were not freed", left, names[kind]);
  }
  forget_copies();
  forget_streams();
  forget_modules();
  forget_pools();
  forget_memory();
  return result;
}

EXPORT Code cuCtxCreate_v2(Context **context, unsigned flags, int device) {
  ENTER;
  (void)flags;
  if (device != 0) return INVALID_DEVICE;
  if (depth == DEPTH) return OUT_OF_MEMORY;
  Context *made = calloc(1, sizeof *made);
  if (!made) return OUT_OF_MEMORY;
  made->retained = 1;
  *context = stack[depth++] = made;
  return OK;
}

EXPORT Code cuCtxPushCurrent_v2(Context *context) {
  ENTER_ALWAYS;
  if (!context || context->retained <= 0) return violation(INVALID_CONTEXT, "cuCtxPushCurrent: no context, or one that was released");
  if (depth == DEPTH) return violation(OUT_OF_MEMORY, "cuCtxPushCurrent: %d contexts are pushed and never popped", DEPTH);
  stack[depth++] = context;
  return OK;
}

EXPORT Code cuCtxPopCurrent_v2(Context **context) {
  ENTER_ALWAYS;
  if (!depth) return violation(INVALID_CONTEXT, "cuCtxPopCurrent: no context is current on this thread");
  depth--;
  if (context) *context = stack[depth];
  return OK;
}

EXPORT Code cuCtxGetCurrent(Context **context) {
  ENTER_ALWAYS;
  *context = depth ? stack[depth - 1] : NULL;
  return OK;
}

EXPORT Code cuCtxGetDevice(int *device) {
  ENTER;
  if (!depth) return violation(INVALID_CONTEXT, "cuCtxGetDevice: no context is current on this thread");
  *device = 0;
  return OK;
}

// Replaces the top of the stack; no context takes it away.
EXPORT Code cuCtxSetCurrent(Context *context) {
  ENTER_ALWAYS;
  if (context && context->retained <= 0) return violation(INVALID_CONTEXT, "cuCtxSetCurrent: the context was released");
  if (depth) depth--;
  if (context) stack[depth++] = context;
  return OK;
}
