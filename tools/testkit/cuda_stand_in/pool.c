// Memory that is taken and freed in the order of a stream, from pools. Drivers before CUDA 11.2 have none.
#include <stdlib.h>
#include <string.h>
#include "lock.h"
#include "memory.h"

#ifndef WITHOUT_POOLS
// What a pool is to be, as cuda.h lays it out.
typedef struct {
  int allocation, handles, location, device;
  void *security;
  size_t most;
  unsigned short usage;
  unsigned char reserved[54];
} Properties;

typedef struct Pool {
  struct Pool *next;
  Context *context;
} Pool;

enum { PINNED_MEMORY = 1, ON_DEVICE = 1, MOST_ATTRIBUTE = 8 };

static Pool *pools;
// The one that is there from the start.
static Pool by_default;

static int has_pool(const Pool *pool) {
  for (Pool *one = pools; one; one = one->next)
    if (one == pool) return 1;
  return pool == &by_default;
}

EXPORT Code cuDeviceGetDefaultMemPool(Pool **pool, int device) {
  ENTER;
  if (device != 0) return INVALID_DEVICE;
  *pool = &by_default;
  return OK;
}

EXPORT Code cuMemPoolCreate(Pool **pool, const Properties *properties) {
  ENTER;
  IN_CONTEXT(context);
  if (properties->allocation != PINNED_MEMORY || properties->location != ON_DEVICE || properties->device != 0)
    return violation(INVALID_VALUE, "cuMemPoolCreate: not memory of the device");
  for (size_t i = 0; i < sizeof properties->reserved; i++)
    if (properties->reserved[i]) return violation(INVALID_VALUE, "cuMemPoolCreate: reserved bytes are not zero");
  Pool *made = malloc(sizeof *made);
  if (!made) return OUT_OF_MEMORY;
  *made = (Pool){pools, context};
  context_has(context, POOL, 1);
  *pool = pools = made;
  return OK;
}

// What was taken from it stays until it is freed.
EXPORT Code cuMemPoolDestroy(Pool *pool) {
  ENTER;
  if (pool == &by_default || !has_pool(pool)) return violation(INVALID_VALUE, "cuMemPoolDestroy: no such pool, or it was destroyed");
  Pool **place = &pools;
  while (*place != pool) place = &(*place)->next;
  *place = pool->next;
  context_has(pool->context, POOL, -1);
  free(pool);
  return OK;
}

EXPORT Code cuMemPoolSetAttribute(Pool *pool, int attribute, void *value) {
  ENTER;
  int known = has_pool(pool) && attribute >= 1 && attribute <= MOST_ATTRIBUTE && value;
  return known ? OK : violation(INVALID_VALUE, "cuMemPoolSetAttribute: no such pool, or no such attribute");
}

EXPORT Code cuMemPoolTrimTo(Pool *pool, size_t keep) {
  ENTER;
  (void)keep;
  return has_pool(pool) ? OK : violation(INVALID_VALUE, "cuMemPoolTrimTo: no such pool, or it was destroyed");
}

// The memory is there from a moment of the stream on: work of others must know of it.
static Code take(const char *call, DevicePointer *address, size_t size, Pool *pool, Stream *stream) {
  Context *context = current(call);
  if (!context) return INVALID_CONTEXT;
  if (!size) return violation(INVALID_VALUE, "%s: no bytes", call);
  if (!has_pool(pool)) return violation(INVALID_VALUE, "%s: no such pool, or it was destroyed", call);
  Moment now;
  const Clock *knowing;
  Code code = submit(call, stream, &now, &knowing);
  if (code) return code;
  Allocation *memory = allocate(context, BUFFER, size, address);
  if (!memory) return OUT_OF_MEMORY;
  put_into_pool(memory);
  return use(call, memory, *address, size, 1, now, knowing);
}

EXPORT Code cuMemAllocFromPoolAsync(DevicePointer *address, size_t size, Pool *pool, Stream *stream) {
  ENTER;
  return take(__func__, address, size, pool, stream);
}

EXPORT Code cuMemAllocAsync(DevicePointer *address, size_t size, Stream *stream) {
  ENTER;
  return take(__func__, address, size, &by_default, stream);
}

EXPORT Code cuMemFreeAsync(DevicePointer address, Stream *stream) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  Allocation *memory = buffer_of(__func__, address);
  if (!memory) return INVALID_VALUE;
  if (!is_pooled(memory)) return violation(INVALID_VALUE, "cuMemFreeAsync: buffer %d is of no pool", memory_number(memory));
  Moment now;
  const Clock *knowing;
  Code code = submit(__func__, stream, &now, &knowing);
  if (!code) code = use(__func__, memory, address, memory_left(memory, address), 1, now, knowing);
  return code ? code : release(__func__, memory);
}

void forget_pools(void) {
  while (pools) {
    Pool *gone = pools;
    pools = gone->next;
    free(gone);
  }
}
#else
void forget_pools(void) {}
#endif
