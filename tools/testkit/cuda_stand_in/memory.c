// Memory of the device, which is the host's here: new memory is poisoned, margins around it are watched, and every piece
// of work is checked against those that may still use the same bytes.
#include "memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "copies.h"
#include "lock.h"

// What new memory holds, and what lies around it.
#define POISON 0xA5
#define MARGIN_BYTE 0xC3
// Bytes before and behind each piece of memory; those next to it are looked at after every kernel, all when it is freed.
#define MARGIN 4096
#define WATCHED 256

// Host memory that all of it may take, unless SUNZI_STAND_IN_MEMORY says otherwise. The device says that it has more.
#define MOST_BYTES (2ull << 30)
#define NOMINAL_BYTES (80ull << 30)

// A piece of work that used some bytes.
typedef struct Access {
  struct Access *next;
  Moment moment;
  uint64_t from, to;
  int writes;
  char call[64];
} Access;

struct Allocation {
  struct Allocation *next;
  uint8_t *bytes;
  size_t size;
  int number;
  // Of the pool, whose memory is freed in a stream's order.
  int pooled;
  Kind kind;
  Context *context;
  Access *accesses;
};

static Allocation *all;
static int numbers;
static uint64_t total;

static uint64_t most_bytes(void) {
  const char *text = getenv("SUNZI_STAND_IN_MEMORY");
  return text ? strtoull(text, NULL, 0) : MOST_BYTES;
}

static const char *what(const Allocation *memory) { return memory->kind == PINNED ? "pinned buffer" : "buffer"; }

static Allocation *find(uint64_t address, Kind kind) {
  for (Allocation *memory = all; memory; memory = memory->next)
    if (memory->kind == kind && address - (uint64_t)memory->bytes < memory->size) return memory;
  return NULL;
}

Allocation *memory_at(DevicePointer address) { return find(address, BUFFER); }
Allocation *pinned_at(const void *address) { return find((uint64_t)address, PINNED); }
size_t memory_left(const Allocation *memory, DevicePointer address) {
  return memory->size - (size_t)(address - (uint64_t)memory->bytes);
}
int memory_number(const Allocation *memory) { return memory->number; }
int is_pooled(const Allocation *memory) { return memory->pooled; }
void put_into_pool(Allocation *memory) { memory->pooled = 1; }
Allocation *buffer_of(const char *call, DevicePointer address) {
  Allocation *memory = memory_at(address);
  if (memory && (DevicePointer)memory->bytes == address) return memory;
  violation(INVALID_VALUE, "%s: %#lx is no buffer, or was freed", call, (unsigned long)address);
  return NULL;
}

static int compare(const void *a, const void *b) {
  uint64_t left = ((const Touched *)a)->from, right = ((const Touched *)b)->from;
  return (left > right) - (left < right);
}

Touched *all_buffers(size_t *count) {
  *count = 0;
  for (const Allocation *memory = all; memory; memory = memory->next) *count += memory->kind == BUFFER;
  Touched *buffers = calloc(*count + 1, sizeof *buffers), *one = buffers;
  if (!buffers) abort();
  for (const Allocation *memory = all; memory; memory = memory->next) {
    uint64_t from = (uint64_t)memory->bytes;
    if (memory->kind == BUFFER) *one++ = (Touched){from, from + memory->size, UINT64_MAX, 0, UINT64_MAX, 0};
  }
  qsort(buffers, *count, sizeof *buffers, compare);
  return buffers;
}

Allocation *allocate(Context *context, Kind kind, size_t size, uint64_t *address) {
  if (size > most_bytes() || total > most_bytes() - size) return NULL;
  Allocation *made = calloc(1, sizeof *made);
  void *room = NULL;
  if (!made || posix_memalign(&room, MARGIN, size + 2 * MARGIN)) {
    free(made);
    return NULL;
  }
  *made = (Allocation){all, (uint8_t *)room + MARGIN, size, ++numbers, 0, kind, context, NULL};
  memset(room, MARGIN_BYTE, MARGIN);
  memset(made->bytes, POISON, size);
  memset(made->bytes + size, MARGIN_BYTE, MARGIN);
  total += size;
  context_has(context, kind, 1);
  *address = (uint64_t)made->bytes;
  return all = made;
}

static void discard(Allocation *memory) {
  for (Access *access = memory->accesses, *next; access; access = next) {
    next = access->next;
    free(access);
  }
  Allocation **place = &all;
  while (*place != memory) place = &(*place)->next;
  *place = memory->next;
  total -= memory->size;
  free(memory->bytes - MARGIN);
  free(memory);
}

Code release(const char *call, Allocation *memory) {
  Code result = OK;
  for (size_t i = 0; i < MARGIN && !result; i++)
    if (memory->bytes[-1 - (long)i] != MARGIN_BYTE || memory->bytes[memory->size + i] != MARGIN_BYTE)
      result = violation(ILLEGAL_ADDRESS, "%s: bytes beside %s %d of %zu bytes were written", call, what(memory),
                         memory->number, memory->size);
  context_has(memory->context, memory->kind, -1);
  discard(memory);
  return result;
}

Code check_margins(const char *call, const Allocation *memory) {
  for (size_t i = 0; i < WATCHED; i++)
    if (memory->bytes[-1 - (long)i] != MARGIN_BYTE || memory->bytes[memory->size + i] != MARGIN_BYTE)
      return violation(ILLEGAL_ADDRESS, "%s: it wrote bytes beside buffer %d of %zu bytes", call, memory->number, memory->size);
  return OK;
}

// Forgets work that the host has waited for: all that follows knows of it.
static void forget(Allocation *memory) {
  for (Access **place = &memory->accesses; *place;) {
    Access *access = *place;
    if (knows(&host, access->moment)) {
      *place = access->next;
      free(access);
    } else {
      place = &access->next;
    }
  }
}

Code use(const char *call, Allocation *memory, DevicePointer from, size_t bytes, int writes, Moment now, const Clock *knowing) {
  forget(memory);
  uint64_t to = from + bytes;
  Access *same = NULL;
  for (Access *access = memory->accesses; access; access = access->next) {
    if (access->from < to && from < access->to && (writes || access->writes) && !knows(knowing, access->moment))
      return violation(ILLEGAL_STATE,
                       "%s on stream %d %s %s %d, which %s on stream %d may still %s: no event and no wait is between", call,
                       stream_number(now.slot), writes ? "writes" : "reads", what(memory), memory->number, access->call,
                       stream_number(access->moment.slot), access->writes ? "write" : "read");
    if (access->moment.slot == now.slot && access->writes == writes && access->from == from && access->to == to) same = access;
  }
  if (!same) {
    same = calloc(1, sizeof *same);
    if (!same) abort();
    same->next = memory->accesses;
    memory->accesses = same;
  }
  *same = (Access){same->next, now, from, to, writes, ""};
  snprintf(same->call, sizeof same->call, "%s", call);
  return OK;
}

// A violation, and not 0, if work that the host has not waited for uses the memory.
static Code idle(const char *call, Allocation *memory) {
  forget(memory);
  if (!memory->accesses) return OK;
  return violation(ILLEGAL_STATE, "%s: %s %d is freed while %s on stream %d may still use it", call, what(memory),
                   memory->number, memory->accesses->call, stream_number(memory->accesses->moment.slot));
}

void forget_memory(void) {
  while (all) discard(all);
}

EXPORT Code cuMemAlloc_v2(DevicePointer *address, size_t size) {
  ENTER;
  IN_CONTEXT(context);
  if (!size) return violation(INVALID_VALUE, "cuMemAlloc: no bytes");
  return allocate(context, BUFFER, size, address) ? OK : OUT_OF_MEMORY;
}

// Waits for everything under way, as drivers do.
EXPORT Code cuMemFree_v2(DevicePointer address) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  Allocation *memory = buffer_of("cuMemFree", address);
  if (!memory) return INVALID_VALUE;
  Code busy = memory->pooled ? OK : host_learns_all();
  if (!busy) busy = idle("cuMemFree", memory);
  return busy ? busy : release("cuMemFree", memory);
}

EXPORT Code cuMemHostAlloc(void **address, size_t size, unsigned flags) {
  ENTER;
  IN_CONTEXT(context);
  (void)flags;
  if (!size) return violation(INVALID_VALUE, "cuMemHostAlloc: no bytes");
  return allocate(context, PINNED, size, (uint64_t *)address) ? OK : OUT_OF_MEMORY;
}

EXPORT Code cuMemFreeHost(void *address) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  Allocation *memory = pinned_at(address);
  if (!memory || memory->bytes != address) return violation(INVALID_VALUE, "cuMemFreeHost: %p is no pinned buffer, or was freed", address);
  Code busy = idle("cuMemFreeHost", memory);
  return busy ? busy : release("cuMemFreeHost", memory);
}

EXPORT Code cuDeviceTotalMem_v2(size_t *bytes, int device) {
  ENTER;
  if (device != 0) return INVALID_DEVICE;
  *bytes = NOMINAL_BYTES;
  return OK;
}

EXPORT Code cuMemGetInfo_v2(size_t *left, size_t *bytes) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  *bytes = NOMINAL_BYTES;
  *left = (getenv("SUNZI_STAND_IN_MEMORY") ? most_bytes() : NOMINAL_BYTES) - total;
  return OK;
}
