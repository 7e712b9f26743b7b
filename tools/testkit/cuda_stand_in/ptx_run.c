// Runs a launch of PTX, group by group: each thread of a group goes to the next barrier, in an order that is chosen, and
// then all go on. What a GPU would not forgive ends the launch and is told, with line and thread: an access that is not on
// a boundary of its size, or outside of memory; a byte of shared memory that two threads use, one of them writing something
// new, with no barrier between; a barrier that not all threads come to.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ptx.h"
#include "turns.h"

typedef uint8_t pred;
typedef uint16_t u16, b16;
typedef int16_t s16;
typedef uint32_t u32, b32;
typedef int32_t s32;
typedef uint64_t u64, b64;
typedef int64_t s64;
typedef double f64;
typedef unsigned __int128 u128;
typedef __int128 s128;

// What registers, shared and local memory hold before they are written, and the carry flag.
#define POISON 0xA5
#define POISONED_FLAG 1
// How often a thread may branch back: a kernel that goes on beyond that has no end.
#define MOST_BRANCHES_BACK (1u << 28)
// Bytes of the longest load or store.
#define MOST_BYTES 32

typedef enum { READY, WAITING, ENDED, FAILED } State;

typedef struct {
  u64 *slots;
  uint8_t *local;
  size_t next;
  // The carry flag, and how often it branched back.
  unsigned flag, branches_back, number;
  State state;
} Thread;

// Who used a byte of shared memory last, and when: a number of intervals between barriers, and a thread.
#define THREAD_BITS 11
#define SEVERAL ((1u << THREAD_BITS) - 1)
#define LAST_INTERVAL ((1u << (32 - THREAD_BITS)) - 1)
typedef struct {
  u32 written, read;
} Uses;

typedef struct {
  const Launch *launch;
  const PtxKernel *kernel;
  Thread *threads;
  // What a thread's slots hold before it begins.
  u64 *fresh;
  unsigned thread_count, group[3];
  uint8_t *shared;
  Uses *uses;
  size_t shared_bytes;
  u32 interval;
  // How often each step was come to, by all threads.
  u64 *runs;
  size_t last_buffer;
  Code code;
  char *problem;
  size_t room;
} Machine;

__attribute__((format(printf, 5, 6))) static void tell(Machine *machine, const Thread *thread, int line, Code code,
                                                       const char *words, ...) {
  machine->code = code;
  int used = snprintf(machine->problem, machine->room, "%s: PTX, line %d, thread %u of group %u,%u,%u: ", machine->kernel->name, line,
                      thread->number, machine->group[0], machine->group[1], machine->group[2]);
  va_list values;
  va_start(values, words);
  if (used > 0 && (size_t)used < machine->room) vsnprintf(machine->problem + used, machine->room - (size_t)used, words, values);
  va_end(values);
}

// The address of a load or a store in a space of so many bytes; not 0 if it is none.
static int check(Machine *machine, const Thread *thread, const Step *step, const char *space, u64 at, u64 bytes) {
  unsigned size = step->count * step->bytes;
  unsigned long begin = at, end = bytes;
  if (at % size == 0 && at <= bytes && bytes - at >= size) return 0;
  if (at % size)
    tell(machine, thread, step->line, ILLEGAL_ADDRESS, "%u bytes at %#lx of %s memory are not on a boundary of their size", size, begin, space);
  else tell(machine, thread, step->line, ILLEGAL_ADDRESS, "%u bytes at %#lx of %s memory, which has %#lx", size, begin, space, end);
  return 1;
}

static u64 address_of(const Thread *thread, const Step *step) { return thread->slots[step->address] + (u64)step->offset; }

// Where a load or a store goes, in each space; NULL where it must not. `fresh` is what is stored.
static uint8_t *values_at(Machine *machine, Thread *thread, const Step *step, const uint8_t *fresh) {
  // Nothing writes there.
  (void)fresh;
  u64 at = address_of(thread, step);
  if (check(machine, thread, step, "parameters'", at, machine->kernel->parameter_bytes)) return NULL;
  return (uint8_t *)machine->launch->values + at;
}

static uint8_t *local_at(Machine *machine, Thread *thread, const Step *step, const uint8_t *fresh) {
  (void)fresh;
  u64 at = address_of(thread, step);
  return check(machine, thread, step, "local", at, machine->kernel->local_bytes) ? NULL : thread->local + at;
}

static Touched *buffer_at(Machine *machine, u64 at) {
  Touched *buffers = machine->launch->buffers, *last = &buffers[machine->last_buffer];
  size_t first = 0, end = machine->launch->buffer_count;
  if (end && at - last->from < last->to - last->from) return last;
  while (first < end) {
    size_t middle = (first + end) / 2;
    if (at < buffers[middle].from) {
      end = middle;
    } else if (at >= buffers[middle].to) {
      first = middle + 1;
    } else {
      machine->last_buffer = middle;
      return &buffers[middle];
    }
  }
  return NULL;
}

static uint8_t *global_at(Machine *machine, Thread *thread, const Step *step, const uint8_t *fresh) {
  u64 at = address_of(thread, step), size = step->count * step->bytes;
  Touched *buffer = buffer_at(machine, at);
  if (!buffer) {
    tell(machine, thread, step->line, ILLEGAL_ADDRESS, "%#lx is in no buffer, or in one that was freed", (unsigned long)at);
    return NULL;
  }
  // Buffers lie on boundaries larger than any access.
  if (check(machine, thread, step, "a buffer's", at - buffer->from, buffer->to - buffer->from)) return NULL;
  u64 *from = fresh ? &buffer->written_from : &buffer->read_from, *to = fresh ? &buffer->written_to : &buffer->read_to;
  if (at < *from) *from = at;
  if (at + size > *to) *to = at + size;
  return (uint8_t *)at;
}

// Whether another thread has been there since the last barrier.
static int is_others(u32 stamp, u32 interval, unsigned thread) {
  return stamp >> THREAD_BITS == interval && (stamp & SEVERAL) != thread;
}

static uint8_t *shared_at(Machine *machine, Thread *thread, const Step *step, const uint8_t *fresh) {
  u64 at = address_of(thread, step), size = step->count * step->bytes;
  if (check(machine, thread, step, "shared", at, machine->shared_bytes)) return NULL;
  u32 now = machine->interval, stamp = now << THREAD_BITS | thread->number;
  for (u64 i = at; i < at + size; i++) {
    Uses *uses = &machine->uses[i];
    const char *what = is_others(uses->written, now, thread->number) ? "another writes" : NULL;
    if (fresh) {
      // What writes the same again changes nothing.
      if (fresh[i - at] == machine->shared[i]) continue;
      if (!what && is_others(uses->read, now, thread->number)) what = "another reads";
      uses->written = stamp;
    } else {
      uses->read = is_others(uses->read, now, thread->number) ? now << THREAD_BITS | SEVERAL : stamp;
    }
    if (!what) continue;
    tell(machine, thread, step->line, LAUNCH_FAILED, "it %s byte %#lx of shared memory, which %s with no barrier between",
         fresh ? "writes" : "reads", (unsigned long)i, what);
    return NULL;
  }
  return machine->shared + at;
}

// A new interval between barriers.
static void next_interval(Machine *machine) {
  if (machine->interval == LAST_INTERVAL) {
    memset(machine->uses, 0, machine->shared_bytes * sizeof *machine->uses);
    machine->interval = 0;
  }
  machine->interval++;
}

static void load(u64 *slots, const Step *step, const uint8_t *from) {
  unsigned unused = 64 - 8 * step->bytes;
  for (unsigned i = 0; i < step->count; i++, from += step->bytes) {
    u64 value = 0;
    memcpy(&value, from, step->bytes);
    if (step->is_signed) value = (u64)((s64)(value << unused) >> unused);
    slots[step->operands[i]] = value;
  }
}

static void gather(const u64 *slots, const Step *step, uint8_t *bytes) {
  for (unsigned i = 0; i < step->count; i++, bytes += step->bytes) memcpy(bytes, &slots[step->operands[i]], step->bytes);
}

#define LOAD(place)                                            \
  do {                                                         \
    const uint8_t *from = place(machine, thread, step, NULL);  \
    if (!from) STOP(FAILED);                                   \
    load(slots, step, from);                                   \
  } while (0)
#define STORE(place)                                     \
  do {                                                   \
    uint8_t fresh[MOST_BYTES];                           \
    gather(slots, step, fresh);                          \
    uint8_t *to = place(machine, thread, step, fresh);   \
    if (!to) STOP(FAILED);                               \
    memcpy(to, fresh, step->count *step->bytes);         \
  } while (0)
#define STOP(state)       \
  do {                    \
    thread->next = next;  \
    thread->flag = flag;  \
    return state;         \
  } while (0)

#define BRANCH                                                                                          \
  do {                                                                                                  \
    if (step->target < next && thread->branches_back++ == MOST_BRANCHES_BACK) {                                         \
      tell(machine, thread, step->line, LAUNCH_FAILED, "it has branched back %u times, and goes on", MOST_BRANCHES_BACK);        \
      STOP(FAILED);                                                                                     \
    }                                                                                                   \
    next = step->target;                                                                                \
  } while (0)

// Values of slots by their types.
#define GET(type, n) get_##type(slots[step->operands[n]])
#define SET(type, n, value) (slots[step->operands[n]] = from_##type((type)(value)))
#define PUT(type, value) SET(type, 0, value)
#define EACH(type, issued)                                    \
  static inline type get_##type(u64 slot) { return (type)slot; } \
  static inline u64 from_##type(type value) { return (u64)value; }
OF_NUMBERS(EACH)
OF_BITS(EACH)
#undef EACH
static inline pred get_pred(u64 slot) { return slot & 1; }
static inline u64 from_pred(pred value) { return value; }
static inline f64 get_f64(u64 slot) {
  f64 value;
  memcpy(&value, &slot, sizeof value);
  return value;
}
static inline u64 from_f64(f64 value) {
  u64 slot;
  memcpy(&slot, &value, sizeof slot);
  return slot;
}

// Four bytes of eight: each of the four digits of the selector names one, or with its highest bit set the sign of one.
static u32 permuted(u64 bytes, u32 selector) {
  u32 result = 0;
  for (int i = 0; i < 4; i++) {
    u32 digit = selector >> 4 * i & 15, byte = (u32)(bytes >> 8 * (digit & 7)) & 255;
    result |= (digit & 8 ? byte >> 7 ? 255 : 0 : byte) << 8 * i;
  }
  return result;
}

// Runs a thread to the next barrier, or to its end.
static State run(Machine *machine, Thread *thread) {
  const Step *steps = machine->kernel->steps;
  u64 *slots = thread->slots;
  size_t next = thread->next;
  unsigned flag = thread->flag;
  for (;;) {
    const Step *step = &steps[next];
    machine->runs[next++]++;
    if ((slots[step->guard] & 1) != step->guard_is) continue;
    switch (step->row) {
#define ROW(name, operands, issued, products, ...) \
  case ROW_##name:                                 \
    __VA_ARGS__;                                   \
    break;
      INSTRUCTIONS
#undef ROW
    }
  }
}

// Whether all threads wait at one barrier or all have ended.
static int agree(Machine *machine) {
  const Thread *first = &machine->threads[0];
  for (unsigned i = 1; i < machine->thread_count; i++) {
    const Thread *other = &machine->threads[i];
    if (other->state == first->state && (first->state == ENDED || other->next == first->next)) continue;
    const Thread *waiting = first->state == WAITING ? first : other, *gone = waiting == first ? other : first;
    int line = machine->kernel->steps[waiting->next - 1].line;
    if (gone->state == ENDED) tell(machine, waiting, line, LAUNCH_FAILED, "it waits at a barrier, and thread %u has ended", gone->number);
    else
      tell(machine, waiting, line, LAUNCH_FAILED, "it waits at this barrier, and thread %u at that of line %d", gone->number,
           machine->kernel->steps[gone->next - 1].line);
    return 0;
  }
  return 1;
}

static void run_group(Machine *machine, Turns *turns) {
  const PtxKernel *kernel = machine->kernel;
  memset(machine->shared, POISON, machine->shared_bytes);
  next_interval(machine);
  for (unsigned i = 0; i < machine->thread_count; i++) {
    Thread *thread = &machine->threads[i];
    const unsigned *size = machine->launch->threads;
    const unsigned place[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
    const unsigned *const known[SPECIALS] = {place, size, machine->group, machine->launch->groups};
    thread->next = 0;
    thread->flag = POISONED_FLAG;
    thread->branches_back = 0;
    thread->state = READY;
    memcpy(thread->slots, machine->fresh, kernel->slots * sizeof *machine->fresh);
    memset(thread->local, POISON, kernel->local_bytes);
    for (size_t j = 0; j < kernel->special_count; j++) {
      const Special *special = &kernel->specials[j];
      thread->slots[special->slot] = known[special->which][special->axis];
    }
  }
  do {
    const unsigned *order = shuffle(turns);
    for (unsigned i = 0; i < machine->thread_count && !machine->code; i++) {
      Thread *thread = &machine->threads[order[i]];
      thread->state = run(machine, thread);
    }
    if (machine->code || !agree(machine)) return;
    next_interval(machine);
  } while (machine->threads[0].state == WAITING);
}

static void *zeros(size_t count, size_t size) {
  void *made = calloc(count ? count : 1, size);
  if (!made) abort();
  return made;
}

static Work work_of(const Machine *machine, double groups) {
  Work work = {0};
  for (size_t i = 0; i < machine->kernel->step_count; i++) {
    const Step *step = &machine->kernel->steps[i];
    const Row *row = &rows_of_ptx[step->row];
    double runs = (double)machine->runs[i];
    work.instructions += runs;
    work.issued += runs * row->issued;
    work.products += runs * row->products;
    if (step->row == ROW_ld_global || step->row == ROW_st_global) {
      work.global += runs;
      work.bytes += runs * step->count * step->bytes;
    }
    if (step->row == ROW_ld_shared || step->row == ROW_st_shared) work.shared += runs;
    if (step->row == ROW_bar_sync) work.barriers += runs / groups / machine->thread_count;
  }
  return work;
}

Code run_ptx(const Launch *launch, Work *work, char *problem, size_t room) {
  const PtxKernel *kernel = launch->kernel;
  const unsigned *size = launch->threads, *groups = launch->groups;
  unsigned count = size[0] * size[1] * size[2];
  size_t shared = kernel->fixed_shared + launch->dynamic_shared;
  Machine machine = {.launch = launch, .kernel = kernel, .thread_count = count, .shared_bytes = shared};
  machine.problem = problem;
  machine.room = room;
  machine.threads = zeros(count, sizeof *machine.threads);
  machine.shared = zeros(shared, 1);
  machine.uses = zeros(shared, sizeof *machine.uses);
  machine.runs = zeros(kernel->step_count, sizeof *machine.runs);
  machine.fresh = zeros(kernel->slots, sizeof *machine.fresh);
  memset(machine.fresh, POISON, kernel->slots * sizeof *machine.fresh);
  for (size_t i = 0; i < kernel->constant_count; i++) machine.fresh[kernel->constants[i].slot] = kernel->constants[i].value;
  u64 *slots = zeros((size_t)count * kernel->slots, sizeof *slots);
  uint8_t *local = zeros((size_t)count * kernel->local_bytes, 1);
  for (unsigned i = 0; i < count; i++) {
    Thread *thread = &machine.threads[i];
    thread->slots = slots + (size_t)i * kernel->slots;
    thread->local = local + (size_t)i * kernel->local_bytes;
    thread->number = i;
  }
  size_t all = (size_t)groups[0] * groups[1] * groups[2];
  Turns *of_groups = new_turns(all, launch->number), *of_threads = new_turns(count, launch->number);
  const unsigned *order = shuffle(of_groups);
  for (size_t i = 0; i < all && !machine.code; i++) {
    unsigned number = order[i];
    machine.group[0] = number % groups[0];
    machine.group[1] = number / groups[0] % groups[1];
    machine.group[2] = number / groups[0] / groups[1];
    run_group(&machine, of_threads);
  }
  *work = work_of(&machine, (double)all);
  free(of_groups);
  free(of_threads);
  free(machine.threads);
  free(machine.fresh);
  free(machine.shared);
  free(machine.uses);
  free(machine.runs);
  free(slots);
  free(local);
  return machine.code;
}
