// What the layer knows of OpenCL 1.2: handles, and the places of functions in the table by which a loader calls a driver
// (cl_khr_icd). All handles begin with a pointer to that table.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef struct Handle *cl_platform_id, *cl_device_id, *cl_context, *cl_command_queue, *cl_mem, *cl_kernel, *cl_event;

enum {
  CL_SUCCESS = 0,
  CL_OUT_OF_HOST_MEMORY = -6,
  CL_PROFILING_INFO_NOT_AVAILABLE = -7,
  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
  CL_INVALID_KERNEL_ARGS = -52,
};
#define CL_COMPLETE 0
#define CL_QUEUE_PROFILING_ENABLE 2
#define CL_QUEUE_CONTEXT 0x1090
#define CL_KERNEL_NUM_ARGS 0x1191

enum {
  CREATE_COMMAND_QUEUE = 9,
  RELEASE_COMMAND_QUEUE = 11,
  GET_COMMAND_QUEUE_INFO = 12,
  RELEASE_MEM_OBJECT = 18,
  CREATE_KERNEL = 34,
  RETAIN_KERNEL = 36,
  RELEASE_KERNEL = 37,
  SET_KERNEL_ARG = 38,
  GET_KERNEL_INFO = 39,
  WAIT_FOR_EVENTS = 41,
  RETAIN_EVENT = 43,
  RELEASE_EVENT = 44,
  GET_EVENT_PROFILING_INFO = 45,
  FLUSH = 46,
  FINISH = 47,
  READ_BUFFER = 48,
  WRITE_BUFFER = 49,
  COPY_BUFFER = 50,
  MAP_BUFFER = 56,
  UNMAP = 58,
  ND_RANGE_KERNEL = 59,
  CREATE_USER_EVENT = 84,
  SET_USER_EVENT_STATUS = 85,
  FILL_BUFFER = 102,
  MARKER = 105,
  BARRIER = 106,
  // Places that this version of OpenCL has.
  FUNCTIONS = 108,
};

// The driver's own functions.
extern void *driver[FUNCTIONS];

// Calls one of them: its place, the types of its result and parameters, the arguments.
#define CALL(place, result, types, ...) (((result(*) types)driver[place])(__VA_ARGS__))

// Takes the lock of the layer until the function returns.
#define ENTER int locked __attribute__((cleanup(leave), unused)) = enter()
int enter(void);
void leave(int *);

// Puts a function of the layer in a place of the table.
void replace(int place, void *function);

// What the files put there.
void replace_commands(void);
void replace_waits(void);
