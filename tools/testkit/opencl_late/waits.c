// The functions that wait, which commands run in, and those that make and release queues.
#include "queues.h"

static cl_command_queue create_queue(cl_context context, cl_device_id device, cl_ulong properties, cl_int *code) {
  ENTER;
  cl_command_queue queue = CALL(CREATE_COMMAND_QUEUE, cl_command_queue, (cl_context, cl_device_id, cl_ulong, cl_int *), context, device, properties, code);
  if (queue) add_queue(queue, (properties & CL_QUEUE_PROFILING_ENABLE) != 0);
  return queue;
}

// What was submitted to it runs when somebody waits for that.
static cl_int release(cl_command_queue queue) {
  ENTER;
  release_queue(queue);
  return CL_SUCCESS;
}

static cl_int release_mem_object(cl_mem memory) {
  ENTER;
  release_memory(memory);
  return CL_SUCCESS;
}

static cl_int flush(cl_command_queue queue) {
  ENTER;
  flush_queue(queue);
  return CL_SUCCESS;
}

static cl_int finish(cl_command_queue queue) {
  ENTER;
  return drain(queue);
}

static cl_int wait_for_events(cl_uint count, const cl_event *events) {
  ENTER;
  for (cl_uint i = 0; i < count; i++) reach(events[i]);
  return CALL(WAIT_FOR_EVENTS, cl_int, (cl_uint, const cl_event *), count, events);
}

static cl_int profiling_info(cl_event event, cl_uint what, size_t room, void *value, size_t *size) {
  ENTER;
  (void)what;
  cl_ulong time = time_of(event);
  if (!time || (value && room < sizeof time)) return CL_PROFILING_INFO_NOT_AVAILABLE;
  if (value) *(cl_ulong *)value = time;
  if (size) *size = sizeof time;
  return CL_SUCCESS;
}

void replace_waits(void) {
  replace(CREATE_COMMAND_QUEUE, (void *)create_queue);
  replace(RELEASE_COMMAND_QUEUE, (void *)release);
  replace(RELEASE_MEM_OBJECT, (void *)release_mem_object);
  replace(FLUSH, (void *)flush);
  replace(FINISH, (void *)finish);
  replace(WAIT_FOR_EVENTS, (void *)wait_for_events);
  replace(GET_EVENT_PROFILING_INFO, (void *)profiling_info);
}
