// Copies between host and device, and within it.
//
// The host must not touch pinned memory until it has waited for the copy. A copy to it is kept aside until then, poison in
// its place: who reads too early reads poison, and who writes too early is found out, as is who overwrites what a copy
// still reads. Memory that is not pinned is done with when the call returns, as the driver's documentation has it.
#include "copies.h"
#include <stdlib.h>
#include <string.h>
#include "lock.h"

#define POISON 0x5A

// A copy from or to pinned memory that the host has not waited for.
typedef struct Pending {
  struct Pending *next;
  Moment moment;
  uint8_t *bytes;
  size_t size;
  int number;
  // What is to come there; NULL for a copy from there, which must find this sum unchanged.
  uint8_t *aside;
  uint64_t sum;
} Pending;

// In the order in which they were submitted.
static Pending *first, **end = &first;

static uint64_t sum_of(const uint8_t *bytes, size_t size) {
  uint64_t sum = 0xcbf29ce484222325;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    sum = (sum ^ word) * 0x100000001b3;
    sum ^= sum >> 29;
  }
  while (size--) sum = (sum ^ *bytes++) * 0x100000001b3;
  return sum;
}

static Code settle(Pending *copy) {
  Code code = OK;
  if (copy->aside) {
    size_t i = 0;
    while (i < copy->size && copy->bytes[i] == POISON) i++;
    if (i < copy->size)
      code = violation(ILLEGAL_STATE, "pinned buffer %d was written by the host before it waited for a copy to it", copy->number);
    memcpy(copy->bytes, copy->aside, copy->size);
  } else if (sum_of(copy->bytes, copy->size) != copy->sum) {
    code = violation(ILLEGAL_STATE, "pinned buffer %d was written by the host before it waited for a copy from it", copy->number);
  }
  return code;
}

// Ends those copies that a clock knows of and that use these bytes.
static Code end_copies(const Clock *known, const uint8_t *bytes, size_t size) {
  Code code = OK;
  for (Pending **place = &first; *place;) {
    Pending *copy = *place;
    int inside = !bytes || (copy->bytes < bytes + size && bytes < copy->bytes + copy->size);
    if (inside && knows(known, copy->moment)) {
      Code settled = settle(copy);
      if (settled) code = settled;
      *place = copy->next;
      free(copy->aside);
      free(copy);
    } else {
      place = &copy->next;
    }
  }
  for (end = &first; *end;) end = &(*end)->next;
  return code;
}

Code deliver(void) { return end_copies(&host, NULL, 0); }

void forget_copies(void) {
  while (first) {
    Pending *copy = first;
    first = copy->next;
    free(copy->aside);
    free(copy);
  }
  end = &first;
}

static Pending *pend(Moment now, const Allocation *pinned, uint8_t *bytes, size_t size) {
  Pending *copy = calloc(1, sizeof *copy);
  if (!copy) abort();
  *copy = (Pending){NULL, now, bytes, size, memory_number(pinned), NULL, 0};
  *end = copy;
  end = &copy->next;
  return copy;
}

// The buffer that bytes of the device are in; NULL, and a violation, if they are not all in one.
static Allocation *inside(const char *call, DevicePointer address, size_t size) {
  Allocation *memory = memory_at(address);
  if (!memory) {
    violation(INVALID_VALUE, "%s: %#lx is in no buffer, or in one that was freed", call, (unsigned long)address);
  } else if (size > memory_left(memory, address)) {
    violation(INVALID_VALUE, "%s: %zu bytes from there on are more than the %zu left of buffer %d", call, size,
              memory_left(memory, address), memory_number(memory));
    memory = NULL;
  }
  return memory;
}

// Begins a command of a stream that uses bytes of the device.
#define COMMAND(memory, address, size, writes)                                             \
  IN_CONTEXT(context);                                                                     \
  (void)context;                                                                           \
  Moment now;                                                                              \
  const Clock *knowing;                                                                    \
  Allocation *memory = inside(__func__, address, size);                                    \
  Code code = memory ? submit(__func__, stream, &now, &knowing) : INVALID_VALUE;           \
  if (!code) code = use(__func__, memory, address, size, writes, now, knowing);            \
  if (code) return code

// Notes that a copy uses pinned memory of the host.
static Code use_pinned(const char *call, Allocation *pinned, const void *bytes, size_t size, int writes, Moment now, const Clock *knowing) {
  if (size > memory_left(pinned, (uint64_t)bytes))
    return violation(INVALID_VALUE, "%s: %zu bytes are more than are left of pinned buffer %d", call, size, memory_number(pinned));
  Code code = end_copies(knowing, bytes, size);
  return code ? code : use(call, pinned, (uint64_t)bytes, size, writes, now, knowing);
}

EXPORT Code cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t size, Stream *stream) {
  ENTER;
  COMMAND(memory, to, size, 1);
  Allocation *pinned = pinned_at(from);
  if (pinned) {
    code = use_pinned(__func__, pinned, from, size, 0, now, knowing);
    if (code) return code;
    pend(now, pinned, (uint8_t *)from, size)->sum = sum_of(from, size);
  }
  memcpy((void *)to, from, size);
  return OK;
}

EXPORT Code cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t size, Stream *stream) {
  ENTER;
  COMMAND(memory, from, size, 0);
  Allocation *pinned = pinned_at(to);
  if (!pinned) {
    memcpy(to, (void *)from, size);
    return host_learns(knowing);
  }
  code = use_pinned(__func__, pinned, to, size, 1, now, knowing);
  if (code) return code;
  Pending *copy = pend(now, pinned, to, size);
  copy->aside = malloc(size ? size : 1);
  if (!copy->aside) abort();
  memcpy(copy->aside, (void *)from, size);
  memset(to, POISON, size);
  return OK;
}

EXPORT Code cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t size, Stream *stream) {
  ENTER;
  if (to < from + size && from < to + size && size)
    return violation(INVALID_VALUE, "cuMemcpyDtoDAsync: the %zu bytes overlap with those that they are copied to", size);
  COMMAND(target, to, size, 1);
  Allocation *source = inside(__func__, from, size);
  code = source ? use(__func__, source, from, size, 0, now, knowing) : INVALID_VALUE;
  if (code) return code;
  memcpy((void *)to, (void *)from, size);
  return OK;
}

EXPORT Code cuMemsetD8Async(DevicePointer to, unsigned char value, size_t size, Stream *stream) {
  ENTER;
  COMMAND(memory, to, size, 1);
  memset((void *)to, value, size);
  return OK;
}
