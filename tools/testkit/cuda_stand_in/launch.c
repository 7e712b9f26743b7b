// Launches: everything that the driver or the device would object to, then the kernel itself, on the processor.
#include <stdlib.h>
#include <string.h>
#include "lock.h"
#include "memory.h"
#include "module.h"
#include "ptx.h"

#define MOST_THREADS 1024

// How values are handed over where `extra` has them: one after the other, in a buffer whose size is told.
#define PARAM_END ((void *)0)
#define PARAM_BUFFER_POINTER ((void *)1)
#define PARAM_BUFFER_SIZE ((void *)2)

// Collects the values of parameters. An array of pointers ends where the caller says, and it does not say where.
static Code collect(const Function *function, void **pointers, void **extra, uint8_t *values) {
  if (pointers && extra) return violation(INVALID_VALUE, "%s: values are handed over in two ways", function->name);
  if (!extra) {
    for (unsigned i = 0; i < function->parameter_count; i++) {
      if (!pointers || !pointers[i])
        return violation(INVALID_VALUE, "%s has %u parameters, and there are %u values", function->name, function->parameter_count, i);
      memcpy(values + function->parameters[i].offset, pointers[i], function->parameters[i].size);
    }
    return OK;
  }
  const void *buffer = NULL;
  size_t size = 0;
  for (; *extra != PARAM_END; extra += 2) {
    if (extra[0] == PARAM_BUFFER_POINTER) buffer = extra[1];
    else if (extra[0] == PARAM_BUFFER_SIZE) size = *(size_t *)extra[1];
    else return violation(INVALID_VALUE, "%s: `extra` has an entry that is not known", function->name);
  }
  if (!buffer || size != function->parameter_bytes)
    return violation(INVALID_VALUE, "%s: its %u parameters take %zu bytes, and there are %zu of values", function->name,
                     function->parameter_count, function->parameter_bytes, buffer ? size : 0);
  memcpy(values, buffer, size);
  return OK;
}

static Code check_shape(const Function *function, const unsigned groups[3], const unsigned threads[3], unsigned shared) {
  static const unsigned most_groups[3] = {0x7fffffff, 65535, 65535}, most_threads[3] = {MOST_THREADS, MOST_THREADS, 64};
  for (int i = 0; i < 3; i++) {
    if (!groups[i] || groups[i] > most_groups[i]) return violation(INVALID_VALUE, "%s: %u groups in dimension %d", function->name, groups[i], i);
    if (!threads[i] || threads[i] > most_threads[i]) return violation(INVALID_VALUE, "%s: groups of %u threads in dimension %d", function->name, threads[i], i);
    if (function->group[i] && threads[i] != function->group[i])
      return violation(INVALID_VALUE, "%s is compiled for groups of %zu threads, and launched with %u, in dimension %d", function->name,
                       function->group[i], threads[i], i);
  }
  if (threads[0] * threads[1] * threads[2] > MOST_THREADS) return violation(INVALID_VALUE, "%s: more than %d threads a group", function->name, MOST_THREADS);
  if (shared > function->most_dynamic)
    return violation(INVALID_VALUE, "%s: %u bytes of dynamic shared memory, and its attribute allows %zu", function->name, shared,
                     function->most_dynamic);
  if (shared < function->least_dynamic)
    return violation(ILLEGAL_ADDRESS, "%s: its tile takes %zu bytes of shared memory or more, and the launch gives %u", function->name,
                     function->least_dynamic, shared);
  if (!resident_groups(function, (int)(threads[0] * threads[1] * threads[2]), shared))
    return violation(LAUNCH_OUT_OF_RESOURCES, "%s: not one group fits on a processor", function->name);
  return OK;
}

// Sets one argument; memory becomes an object of OpenCL, from its address to the end of the buffer that it is in.
static Code set(const Function *function, cl_kernel kernel, unsigned index, const uint8_t *value, cl_mem *object, Moment now, const Clock *knowing) {
  const Parameter *parameter = &function->parameters[index];
  cl_int code;
  if (parameter->memory) {
    DevicePointer address;
    memcpy(&address, value, sizeof address);
    Allocation *memory = memory_at(address);
    if (!memory)
      return violation(ILLEGAL_ADDRESS, "%s: argument %u is %#lx, which is in no buffer, or in one that was freed", function->name, index,
                       (unsigned long)address);
    size_t left = memory_left(memory, address);
    Code used = use(function->name, memory, address, left, !parameter->constant, now, knowing);
    if (used) return used;
    *object = clCreateBuffer(function->module->program.runner->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, left, (void *)address, &code);
    if (!code) code = clSetKernelArg(kernel, index, sizeof *object, object);
  } else {
    code = clSetKernelArg(kernel, index, parameter->size, value);
  }
  return code ? violation(LAUNCH_FAILED, "%s: OpenCL does not take argument %u (%d)", function->name, index, code) : OK;
}

static unsigned threads_of(const unsigned threads[3]) { return threads[0] * threads[1] * threads[2]; }

// What is launched, with the values of its parameters, and the moment of its stream that it is.
typedef struct {
  Function *function;
  Stream *stream;
  unsigned groups[3], threads[3], shared;
  uint8_t values[MOST_PARAMETERS * 64];
  Moment now;
  const Clock *knowing;
} Launched;

static Code run_opencl(Launched *launched) {
  const Function *function = launched->function;
  uint8_t *values = launched->values;
  // A kernel of OpenCL holds its arguments: each launch has one to itself.
  cl_int failure;
  cl_kernel kernel = clCreateKernel(function->module->program.program, function->name, &failure);
  if (failure) return violation(LAUNCH_FAILED, "%s: OpenCL does not find it again (%d)", function->name, failure);
  cl_mem objects[MOST_PARAMETERS] = {NULL};
  Code code = OK;
  for (unsigned i = 0; i < function->parameter_count && !code; i++)
    code = set(function, kernel, i, values + function->parameters[i].offset, &objects[i], launched->now, launched->knowing);
  if (!code) {
    size_t all[3], group[3];
    for (int i = 0; i < 3; i++) {
      group[i] = launched->threads[i];
      all[i] = (size_t)launched->groups[i] * group[i];
    }
    cl_command_queue queue = function->module->program.runner->queue;
    cl_event done = NULL;
    note_launch(function->name, launched->groups, threads_of(launched->threads), launched->shared);
    begin_run(launched->stream);
    failure = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, all, group, 0, NULL, &done);
    if (!failure) failure = clWaitForEvents(1, &done);
    if (done) clReleaseEvent(done);
    end_run(launched->stream);
    if (failure) code = violation(LAUNCH_FAILED, "%s: OpenCL does not run it (%d)", function->name, failure);
  }
  clReleaseKernel(kernel);
  for (unsigned i = 0; i < function->parameter_count; i++) {
    if (!objects[i]) continue;
    clReleaseMemObject(objects[i]);
    DevicePointer address;
    memcpy(&address, values + function->parameters[i].offset, sizeof address);
    Allocation *memory = memory_at(address);
    if (!code && memory && !function->parameters[i].constant) code = check_margins(function->name, memory);
  }
  return code;
}

// Notes what a launch of PTX has touched of a buffer: its code does not say beforehand what it will.
static Code note_touched(const Launched *launched, const Touched *touched) {
  Allocation *memory = memory_at(touched->from);
  const char *name = launched->function->name;
  Code code = OK;
  if (memory && touched->written_to)
    code = use(name, memory, touched->written_from, touched->written_to - touched->written_from, 1, launched->now, launched->knowing);
  if (memory && touched->read_to && !code)
    code = use(name, memory, touched->read_from, touched->read_to - touched->read_from, 0, launched->now, launched->knowing);
  return code;
}

static Code run_as_ptx(Launched *launched) {
  Launch launch = {.kernel = launched->function->ptx,
                   .groups = launched->groups,
                   .threads = launched->threads,
                   .dynamic_shared = launched->shared,
                   .number = launched->function->launches++,
                   .values = launched->values};
  launch.buffers = all_buffers(&launch.buffer_count);
  char problem[512] = "";
  Work work;
  note_launch(launch.kernel->name, launched->groups, threads_of(launched->threads), launched->shared);
  begin_run(launched->stream);
  Code code = run_ptx(&launch, &work, problem, sizeof problem);
  end_run(launched->stream);
  count_work(&launch, &work);
  if (code) code = violation(code, "%s", problem);
  for (size_t i = 0; i < launch.buffer_count && !code; i++) code = note_touched(launched, &launch.buffers[i]);
  free(launch.buffers);
  return code;
}

// With the lock.
static Code start(Context *context, Function *function, const unsigned groups[3], const unsigned threads[3], unsigned shared, Stream *stream,
                  void **pointers, void **extra) {
  if (!has_function(function)) return violation(INVALID_HANDLE, "cuLaunchKernel: no such function, or its module was unloaded");
  if (function->module->context != context)
    return violation(INVALID_CONTEXT, "%s: its module is of another context than the current one", function->name);
  Launched launched = {function, stream, {groups[0], groups[1], groups[2]}, {threads[0], threads[1], threads[2]}, shared, {0}, {0}, NULL};
  Code code = check_shape(function, launched.groups, launched.threads, shared);
  if (!code) code = collect(function, pointers, extra, launched.values);
  if (!code) code = submit(function->name, stream, &launched.now, &launched.knowing);
  if (code) return code;
  join(&function->module->used, launched.knowing);
  return function->ptx ? run_as_ptx(&launched) : run_opencl(&launched);
}

EXPORT Code cuLaunchKernel(Function *function, unsigned x, unsigned y, unsigned z, unsigned threads_x, unsigned threads_y,
                           unsigned threads_z, unsigned shared, Stream *stream, void **pointers, void **extra) {
  ENTER;
  IN_CONTEXT(context);
  const unsigned groups[] = {x, y, z}, threads[] = {threads_x, threads_y, threads_z};
  return start(context, function, groups, threads, shared, stream, pointers, extra);
}

// What a launch is, as the driver lays it out.
typedef struct {
  unsigned groups[3], threads[3], shared;
  Stream *stream;
  const void *attributes;
  unsigned attribute_count;
} Config;

EXPORT Code cuLaunchKernelEx(const Config *config, Function *function, void **pointers, void **extra) {
  ENTER;
  IN_CONTEXT(context);
  if (config->attribute_count) return violation(INVALID_VALUE, "cuLaunchKernelEx: %u attributes, of which none is known", config->attribute_count);
  return start(context, function, config->groups, config->threads, config->shared, config->stream, pointers, extra);
}
