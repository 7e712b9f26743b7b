// Queues of commands that are not run before they must be.
#pragma once
#include "api.h"

#define MOST_ARGUMENTS 64

typedef struct Queue Queue;
typedef struct Command Command;

// The value of a kernel's argument; longer ones than a vector of eight doubles nobody has.
typedef struct {
  int given, is_local;
  size_t size;
  unsigned char bytes[64];
} Value;

struct Command {
  Command *next;
  Queue *queue;
  // Only then may a command of another queue wait for it.
  int is_flushed;
  // What it waits for beside the commands before it in its queue.
  cl_uint wait_count;
  cl_event *waits;
  // What the application knows it by; NULL if it did not ask.
  cl_event event;
  // Gives the command to the driver; NULL for one that only waits.
  cl_int (*submit)(Command *);
  // What it uses, as far as it does.
  cl_mem memory[2];
  size_t offsets[2], size, pattern_size;
  void *host;
  // A copy of the application's data, where that may change before the command runs.
  void *copy;
  cl_kernel kernel;
  cl_uint dimensions, argument_count;
  int has_group;
  size_t all[3], group[3];
  Value *arguments;
};

// The driver's queue of a command.
cl_command_queue handle_of(const Queue *queue);

// A command at the end of a queue that waits for these events; `event` is set unless it is NULL. NULL without memory.
Command *append(cl_command_queue queue, cl_uint wait_count, const cl_event *waits, cl_event *event);

// Promises that all commands of a queue begin some day.
void flush_queue(cl_command_queue queue);

// Runs all commands of a queue: the code of the first that has failed since the last time.
cl_int drain(cl_command_queue queue);

// Runs what an event stands for.
void reach(cl_event event);

// Notes a queue, and that it was released.
void add_queue(cl_command_queue queue, int keeps_time);
void release_queue(cl_command_queue queue);

// Releases memory that commands may still use.
void release_memory(cl_mem memory);

// When an event's command was done, in nanoseconds; 0 if that is not known.
cl_ulong time_of(cl_event event);
