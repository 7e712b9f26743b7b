// When commands run: a queue is held back until somebody waits for it. Then commands run one at a time, of all queues
// the one that is drawn at random from those that are first in their queue and whose events are there, until what is
// waited for is done. The variable SUNZI_OPENCL_LATE is the seed; with 0 nothing runs but what somebody waits for.
#include "queues.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SEED_VARIABLE "SUNZI_OPENCL_LATE"
// Set, it has no memory released: Oclgrind mistakes memory that has an address for what had it before.
#define KEEP_VARIABLE "SUNZI_LATE_KEEP"
// Commands that wait at most; then some run, since a device has an end as well.
#define MOST_WAITING 4096
// Done commands whose time is known.
#define TIMES 4096

struct Queue {
  Queue *next;
  cl_command_queue handle;
  Command *first, *last;
  // What the first command that failed said.
  cl_int failed;
  int released, keeps_time;
};

// Memory that the application has released, and a command may use.
typedef struct Released {
  struct Released *next;
  cl_mem memory;
} Released;

static Queue *queues;
static Released *released;
static size_t waiting;
static struct {
  cl_event event;
  cl_ulong time;
} times[TIMES];
static size_t timed;

static uint64_t seed(void) {
  static int known;
  static uint64_t value;
  if (!known) {
    const char *text = getenv(SEED_VARIABLE);
    value = text ? strtoull(text, NULL, 10) : 0;
    known = 1;
  }
  return value;
}

// A number below `end` (SplitMix64).
static size_t draw(size_t end) {
  static uint64_t state;
  if (!state) state = seed();
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (size_t)((z ^ (z >> 31)) % end);
}

cl_command_queue handle_of(const Queue *queue) { return queue->handle; }

static Queue *find(cl_command_queue handle) {
  for (Queue *one = queues; one; one = one->next)
    if (one->handle == handle && !one->released) return one;
  fprintf(stderr, "opencl-late: a queue that was not made by clCreateCommandQueue\n");
  abort();
}

static Command *waiting_for(cl_event event) {
  for (Queue *queue = queues; queue; queue = queue->next)
    for (Command *one = queue->first; one; one = one->next)
      if (one->event == event) return one;
  return NULL;
}

static int uses(const Command *command, cl_mem memory) {
  if (command->memory[0] == memory || command->memory[1] == memory) return 1;
  for (cl_uint i = 0; i < command->argument_count; i++)
    if (command->arguments[i].size == sizeof memory && !memcmp(command->arguments[i].bytes, &memory, sizeof memory)) return 1;
  return 0;
}

static int is_used(cl_mem memory) {
  for (Queue *queue = queues; queue; queue = queue->next)
    for (Command *one = queue->first; one; one = one->next)
      if (uses(one, memory)) return 1;
  return 0;
}

static void release_unused(void) {
  for (Released **place = &released; *place;) {
    Released *one = *place;
    if (is_used(one->memory)) {
      place = &one->next;
    } else {
      *place = one->next;
      CALL(RELEASE_MEM_OBJECT, cl_int, (cl_mem), one->memory);
      free(one);
    }
  }
}

void release_memory(cl_mem memory) {
  if (getenv(KEEP_VARIABLE)) return;
  Released *one = is_used(memory) ? malloc(sizeof *one) : NULL;
  if (one) {
    *one = (Released){released, memory};
    released = one;
  } else {
    CALL(RELEASE_MEM_OBJECT, cl_int, (cl_mem), memory);
  }
}

static void forget(Queue *gone) {
  Queue **place = &queues;
  while (*place != gone) place = &(*place)->next;
  *place = gone->next;
  CALL(RELEASE_COMMAND_QUEUE, cl_int, (cl_command_queue), gone->handle);
  free(gone);
}

static cl_ulong now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (cl_ulong)time.tv_sec * 1000000000u + (cl_ulong)time.tv_nsec;
}

cl_ulong time_of(cl_event event) {
  for (size_t back = 1; back <= TIMES && back <= timed; back++)
    if (times[(timed - back) % TIMES].event == event) return times[(timed - back) % TIMES].time;
  return 0;
}

// Runs a command that nothing holds back, to its end, and forgets it.
static void run(Command *command) {
  Queue *queue = command->queue;
  queue->first = command->next;
  if (!queue->first) queue->last = NULL;
  waiting--;
  cl_int code = command->submit ? command->submit(command) : CL_SUCCESS;
  if (!code && command->submit) code = CALL(FINISH, cl_int, (cl_command_queue), queue->handle);
  if (code && !queue->failed) queue->failed = code;
  if (command->event) {
    if (queue->keeps_time) {
      times[timed % TIMES].event = command->event;
      times[timed++ % TIMES].time = now();
    }
    CALL(SET_USER_EVENT_STATUS, cl_int, (cl_event, cl_int), command->event, code ? code : CL_COMPLETE);
    CALL(RELEASE_EVENT, cl_int, (cl_event), command->event);
  }
  for (cl_uint i = 0; i < command->wait_count; i++) CALL(RELEASE_EVENT, cl_int, (cl_event), command->waits[i]);
  if (command->kernel) CALL(RELEASE_KERNEL, cl_int, (cl_kernel), command->kernel);
  free(command->waits);
  free(command->copy);
  free(command->arguments);
  free(command);
  if (released) release_unused();
  if (queue->released && !queue->first) forget(queue);
}

// A command that can run and that this one's queue must have behind it first: the queue's first, or what that waits for.
static Command *needed_first(const Command *command) {
  for (Command *first = command->queue->first;;) {
    Command *held_by = NULL;
    size_t start = first->wait_count ? draw(first->wait_count) : 0;
    for (cl_uint i = 0; i < first->wait_count && !held_by; i++) held_by = waiting_for(first->waits[(start + i) % first->wait_count]);
    if (!held_by) return first;
    first = held_by->queue->first;
  }
}

static int can_run(const Command *command) {
  for (cl_uint i = 0; i < command->wait_count; i++)
    if (waiting_for(command->waits[i])) return 0;
  return 1;
}

// Any command that can run.
static Command *any(void) {
  Command *drawn = NULL;
  size_t count = 0;
  for (Queue *queue = queues; queue; queue = queue->next)
    if (queue->first && can_run(queue->first) && !draw(++count)) drawn = queue->first;
  return drawn;
}

// Runs one command on the way to what is waited for, or another one meanwhile.
static void step(const Command *wanted) { run(seed() && !draw(2) ? any() : needed_first(wanted)); }

void reach(cl_event event) {
  for (Command *wanted; (wanted = waiting_for(event));) step(wanted);
}

cl_int drain(cl_command_queue handle) {
  Queue *queue = find(handle);
  // Others may not add to it meanwhile: the layer is locked.
  while (queue->last) step(queue->last);
  cl_int code = queue->failed;
  queue->failed = CL_SUCCESS;
  return code;
}

void flush_queue(cl_command_queue handle) {
  for (Command *one = find(handle)->first; one; one = one->next) one->is_flushed = 1;
}

// Commands of other queues begin for certain only if their queue was flushed since.
static void check_wait(const Queue *queue, cl_event event) {
  const Command *wanted = waiting_for(event);
  if (!wanted || wanted->queue == queue || wanted->is_flushed) return;
  fprintf(stderr, "opencl-late: a queue waits for an event of another one that was not flushed\n");
  abort();
}

Command *append(cl_command_queue handle, cl_uint wait_count, const cl_event *waits, cl_event *event) {
  while (waiting >= MOST_WAITING) run(any());
  Queue *queue = find(handle);
  for (cl_uint i = 0; i < wait_count; i++) check_wait(queue, waits[i]);
  Command *command = calloc(1, sizeof *command);
  cl_event *kept = malloc((wait_count + 1) * sizeof *kept);
  cl_context context;
  cl_int code = !command || !kept;
  if (!code && event) {
    code = CALL(GET_COMMAND_QUEUE_INFO, cl_int, (cl_command_queue, cl_uint, size_t, void *, size_t *), handle, CL_QUEUE_CONTEXT, sizeof context,
                &context, NULL);
    if (!code) *event = command->event = CALL(CREATE_USER_EVENT, cl_event, (cl_context, cl_int *), context, &code);
    // One for the application, and one until the command has run.
    if (!code) code = CALL(RETAIN_EVENT, cl_int, (cl_event), command->event);
  }
  if (code) {
    free(command);
    free(kept);
    return NULL;
  }
  for (cl_uint i = 0; i < wait_count; i++) {
    kept[i] = waits[i];
    CALL(RETAIN_EVENT, cl_int, (cl_event), waits[i]);
  }
  command->queue = queue;
  command->wait_count = wait_count;
  command->waits = kept;
  if (queue->last) queue->last->next = command;
  else queue->first = command;
  queue->last = command;
  waiting++;
  return command;
}

void add_queue(cl_command_queue handle, int keeps_time) {
  Queue *queue = calloc(1, sizeof *queue);
  if (!queue) abort();
  queue->next = queues;
  queue->handle = handle;
  queue->keeps_time = keeps_time;
  queues = queue;
}

void release_queue(cl_command_queue handle) {
  Queue *queue = find(handle);
  flush_queue(handle);
  queue->released = 1;
  if (!queue->first) forget(queue);
}
