// The functions that submit commands: what they need is kept until they run. Of a blocking write that is the data itself,
// for OpenCL promises of it only that the application may change its own; what does not block reads and writes the
// application's memory when it runs.
#include <stdlib.h>
#include <string.h>
#include "queues.h"

// Kernels keep what their arguments are set to until they are submitted.
typedef struct Kernel {
  struct Kernel *next;
  cl_kernel handle;
  Value values[MOST_ARGUMENTS];
} Kernel;

static Kernel *kernels;

static void *copied(const void *from, size_t size) {
  void *copy = malloc(size + 1);
  if (!copy) abort();
  return memcpy(copy, from, size);
}

static cl_int submit_read(Command *c) {
  return CALL(READ_BUFFER, cl_int, (cl_command_queue, cl_mem, cl_uint, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *),
              handle_of(c->queue), c->memory[0], 0, c->offsets[0], c->size, c->host, 0, NULL, NULL);
}

static cl_int late_read(cl_command_queue queue, cl_mem memory, cl_uint blocking, size_t offset, size_t size, void *host, cl_uint wait_count,
                        const cl_event *waits, cl_event *event) {
  ENTER;
  Command *command = append(queue, wait_count, waits, event);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  command->submit = submit_read;
  command->memory[0] = memory;
  command->offsets[0] = offset;
  command->size = size;
  command->host = host;
  return blocking ? drain(queue) : CL_SUCCESS;
}

static cl_int submit_write(Command *c) {
  return CALL(WRITE_BUFFER, cl_int, (cl_command_queue, cl_mem, cl_uint, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *),
              handle_of(c->queue), c->memory[0], 0, c->offsets[0], c->size, c->copy ? c->copy : c->host, 0, NULL, NULL);
}

static cl_int late_write(cl_command_queue queue, cl_mem memory, cl_uint blocking, size_t offset, size_t size, const void *host, cl_uint wait_count,
                         const cl_event *waits, cl_event *event) {
  ENTER;
  Command *command = append(queue, wait_count, waits, event);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  command->submit = submit_write;
  command->memory[0] = memory;
  command->offsets[0] = offset;
  command->size = size;
  if (blocking) {
    command->copy = copied(host, size);
    flush_queue(queue);
  } else {
    command->host = (void *)host;
  }
  return CL_SUCCESS;
}

static cl_int submit_copy(Command *c) {
  return CALL(COPY_BUFFER, cl_int, (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *),
              handle_of(c->queue), c->memory[0], c->memory[1], c->offsets[0], c->offsets[1], c->size, 0, NULL, NULL);
}

static cl_int late_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size, cl_uint wait_count,
                        const cl_event *waits, cl_event *event) {
  ENTER;
  Command *command = append(queue, wait_count, waits, event);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  command->submit = submit_copy;
  command->memory[0] = from;
  command->memory[1] = to;
  command->offsets[0] = from_offset;
  command->offsets[1] = to_offset;
  command->size = size;
  return CL_SUCCESS;
}

static cl_int submit_fill(Command *c) {
  return CALL(FILL_BUFFER, cl_int, (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *),
              handle_of(c->queue), c->memory[0], c->copy, c->pattern_size, c->offsets[0], c->size, 0, NULL, NULL);
}

static cl_int late_fill(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_size, size_t offset, size_t size,
                        cl_uint wait_count, const cl_event *waits, cl_event *event) {
  ENTER;
  Command *command = append(queue, wait_count, waits, event);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  command->submit = submit_fill;
  command->memory[0] = memory;
  command->offsets[0] = offset;
  command->size = size;
  command->copy = copied(pattern, pattern_size);
  command->pattern_size = pattern_size;
  return CL_SUCCESS;
}

static cl_int submit_unmap(Command *c) {
  return CALL(UNMAP, cl_int, (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *), handle_of(c->queue), c->memory[0],
              c->host, 0, NULL, NULL);
}

static cl_int late_unmap(cl_command_queue queue, cl_mem memory, void *host, cl_uint wait_count, const cl_event *waits, cl_event *event) {
  ENTER;
  Command *command = append(queue, wait_count, waits, event);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  command->submit = submit_unmap;
  command->memory[0] = memory;
  command->host = host;
  return CL_SUCCESS;
}

// The address is wanted at once, so that what is before it in the queue runs first; Sunzi maps nothing without blocking.
static void *map(cl_command_queue queue, cl_mem memory, cl_uint blocking, cl_ulong flags, size_t offset, size_t size, cl_uint wait_count,
                 const cl_event *waits, cl_event *event, cl_int *code) {
  ENTER;
  (void)blocking;
  for (cl_uint i = 0; i < wait_count; i++) reach(waits[i]);
  cl_int drained = drain(queue);
  if (drained) {
    if (code) *code = drained;
    return NULL;
  }
  return CALL(MAP_BUFFER, void *,
              (cl_command_queue, cl_mem, cl_uint, cl_ulong, size_t, size_t, cl_uint, const cl_event *, cl_event *, cl_int *), queue, memory, 1,
              flags, offset, size, 0, NULL, event, code);
}

static Kernel *find_kernel(cl_kernel handle) {
  for (Kernel *one = kernels; one; one = one->next)
    if (one->handle == handle) return one;
  abort();
}

static cl_kernel create_kernel(struct Handle *program, const char *name, cl_int *code) {
  ENTER;
  cl_kernel handle = CALL(CREATE_KERNEL, cl_kernel, (struct Handle *, const char *, cl_int *), program, name, code);
  Kernel *kernel = handle ? calloc(1, sizeof *kernel) : NULL;
  if (kernel) {
    kernel->next = kernels;
    kernel->handle = handle;
    kernels = kernel;
  }
  return handle;
}

static cl_int release_kernel(cl_kernel handle) {
  ENTER;
  Kernel **place = &kernels;
  while (*place && (*place)->handle != handle) place = &(*place)->next;
  if (*place) {
    Kernel *gone = *place;
    *place = gone->next;
    free(gone);
  }
  return CALL(RELEASE_KERNEL, cl_int, (cl_kernel), handle);
}

static cl_int set_argument(cl_kernel handle, cl_uint index, const Value *value) {
  return CALL(SET_KERNEL_ARG, cl_int, (cl_kernel, cl_uint, size_t, const void *), handle, index, value->size,
              value->is_local ? NULL : value->bytes);
}

static cl_int set_kernel_arg(cl_kernel handle, cl_uint index, size_t size, const void *value) {
  ENTER;
  Value *kept = index < MOST_ARGUMENTS ? &find_kernel(handle)->values[index] : NULL;
  if (!kept || (value && size > sizeof kept->bytes)) abort();
  *kept = (Value){1, !value, size, {0}};
  if (value) memcpy(kept->bytes, value, size);
  cl_int code = set_argument(handle, index, kept);
  if (code) kept->given = 0;
  return code;
}

static cl_int submit_kernel(Command *c) {
  for (cl_uint i = 0; i < c->argument_count; i++) {
    cl_int code = set_argument(c->kernel, i, &c->arguments[i]);
    if (code) return code;
  }
  return CALL(ND_RANGE_KERNEL, cl_int,
              (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *),
              handle_of(c->queue), c->kernel, c->dimensions, NULL, c->all, c->has_group ? c->group : NULL, 0, NULL, NULL);
}

static cl_int late_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *all,
                          const size_t *group, cl_uint wait_count, const cl_event *waits, cl_event *event) {
  ENTER;
  if (offset) abort();
  const Kernel *known = find_kernel(kernel);
  cl_uint count = 0;
  cl_int code = CALL(GET_KERNEL_INFO, cl_int, (cl_kernel, cl_uint, size_t, void *, size_t *), kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  if (code) return code;
  for (cl_uint i = 0; i < count; i++)
    if (i >= MOST_ARGUMENTS || !known->values[i].given) return CL_INVALID_KERNEL_ARGS;
  Command *command = append(queue, wait_count, waits, event);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  command->submit = submit_kernel;
  command->kernel = kernel;
  CALL(RETAIN_KERNEL, cl_int, (cl_kernel), kernel);
  command->argument_count = count;
  command->arguments = copied(known->values, count * sizeof *known->values);
  command->dimensions = dimensions;
  command->has_group = group != NULL;
  memcpy(command->all, all, dimensions * sizeof *all);
  if (group) memcpy(command->group, group, dimensions * sizeof *group);
  return CL_SUCCESS;
}

// Markers and barriers without a list of events come after all that is before them, which in a queue in order they do anyway.
static cl_int late_marker(cl_command_queue queue, cl_uint wait_count, const cl_event *waits, cl_event *event) {
  ENTER;
  return append(queue, wait_count, waits, event) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void replace_commands(void) {
  replace(READ_BUFFER, (void *)late_read);
  replace(WRITE_BUFFER, (void *)late_write);
  replace(COPY_BUFFER, (void *)late_copy);
  replace(FILL_BUFFER, (void *)late_fill);
  replace(MAP_BUFFER, (void *)map);
  replace(UNMAP, (void *)late_unmap);
  replace(CREATE_KERNEL, (void *)create_kernel);
  replace(RELEASE_KERNEL, (void *)release_kernel);
  replace(SET_KERNEL_ARG, (void *)set_kernel_arg);
  replace(ND_RANGE_KERNEL, (void *)late_kernel);
  replace(MARKER, (void *)late_marker);
  replace(BARRIER, (void *)late_marker);
}
