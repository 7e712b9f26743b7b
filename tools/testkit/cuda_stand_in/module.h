// Modules and their functions.
#pragma once
#include "context.h"
#include "opencl.h"
#include "order.h"

#define MOST_PARAMETERS 64
// Shared memory that a group can have without being asked for, and at most.
#define SHARED_BYTES (48 << 10)
#define MOST_SHARED_BYTES (227 << 10)

// What runs OpenCL: the processor. Several threads may use it at once, and one of them compiles at a time.
typedef struct Runner {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} Runner;

// A program that is compiled, and what it runs on.
typedef struct {
  cl_program program;
  const Runner *runner;
} Program;

// Compiles a program's text; 0, and the compiler's log, if that fails. Called without the lock.
int build(const char *text, Program *program, char *log, size_t room);

// A kernel's parameter, and where it lies among the others.
typedef struct {
  size_t offset, size;
  int memory, constant;
} Parameter;

// A kernel of OpenCL, or one of PTX.
typedef struct Function {
  struct Function *next;
  struct Module *module;
  cl_kernel kernel;
  const struct PtxKernel *ptx;
  // How often it was launched as PTX.
  unsigned launches;
  char name[48];
  // Threads of a group that it is compiled for.
  size_t group[3];
  // Bytes of shared memory of fixed size, and those that a launch gives, at least and at most.
  size_t fixed_shared, least_dynamic, most_dynamic;
  unsigned parameter_count;
  size_t parameter_bytes;
  Parameter parameters[MOST_PARAMETERS];
} Function;

// A program that OpenCL has compiled, and its text; or the kernels of one in PTX.
typedef struct Module {
  struct Module *next;
  Context *context;
  Program program;
  char *text;
  struct PtxKernel *ptx;
  Function *functions;
  // Its last use on every stream.
  Clock used;
} Module;

// Whether it is one of a module that is loaded.
int has_function(const Function *function);

// Unloads those of a context that was released.
void forget_modules(void);

// Groups of this many threads that a processor of the device runs at a time; 0 where a group is too large.
int resident_groups(const Function *function, int threads, size_t dynamic_shared);

// A kernel that the text is given: its groups have as many threads as the type E, if the text defines it, has bytes.
#define SIZE_OF_E "stand_in_size_of_E"
