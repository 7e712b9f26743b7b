// Memory of the device, and memory of the host that it copies from and to.
#pragma once
#include <stddef.h>
#include "context.h"
#include "order.h"
#include "stream.h"

typedef uint64_t DevicePointer;
typedef struct Allocation Allocation;

// What device memory lies at an address; NULL if there is none that was not freed.
Allocation *memory_at(DevicePointer address);

// The buffer that begins there; NULL, and a violation, if none does.
Allocation *buffer_of(const char *call, DevicePointer address);

// Poisoned memory of this many bytes; NULL where there is too little.
Allocation *allocate(Context *context, Kind kind, size_t size, uint64_t *address);

// Frees memory that nothing uses; a violation, and not 0, if bytes beside it were written.
Code release(const char *call, Allocation *memory);

// Whether the memory is freed in a stream's order.
int is_pooled(const Allocation *memory);
void put_into_pool(Allocation *memory);

// The bytes from an address to the end of its memory.
size_t memory_left(const Allocation *memory, DevicePointer address);

// Notes that work uses bytes of memory; a violation, and not 0, if work that it does not know of may still use them, and
// one of the two writes.
Code use(const char *call, Allocation *memory, DevicePointer from, size_t bytes, int writes, Moment now, const Clock *knowing);

// A violation, and not 0, if bytes beside the memory were written.
Code check_margins(const char *call, const Allocation *memory);

// Copies to the host whose end the host has waited for reach it; a violation, and not 0, if it touched their bytes before.
Code deliver(void);

// All buffers that there are, in the order of their addresses, and how many; freed by its owner. What a launch touches of them
// is noted there.
typedef struct {
  uint64_t from, to, read_from, read_to, written_from, written_to;
} Touched;
Touched *all_buffers(size_t *count);

// The number that messages call it by.
int memory_number(const Allocation *memory);

// Forgets that of a context that was released.
void forget_memory(void);
void forget_pools(void);

