// The processor as a device of OpenCL, which runs what the stand-in is given.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

// With the types of kernels' parameters, and without warnings, which PoCL writes to standard error; to optimize takes
// longer than to run what tests run.
#define BUILD_OPTIONS "-cl-std=CL1.2 -cl-kernel-arg-info -cl-opt-disable -w"

// As many programs are compiled at once.
#define RUNNERS 4

static int open_runner(Runner *opened) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  // What is put before OpenCL is for the program's own: here it is inside a GPU.
  unsetenv("OPENCL_LAYERS");
  if (clGetPlatformIDs(16, platforms, &count)) return 0;
  for (cl_uint i = 0; i < count && i < 16; i++) {
    cl_int code;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &opened->device, NULL)) continue;
    opened->context = clCreateContext(NULL, 1, &opened->device, NULL, NULL, &code);
    if (!code) opened->queue = clCreateCommandQueue(opened->context, opened->device, 0, &code);
    if (!code) return 1;
  }
  return 0;
}

// A text that was compiled. It stays so: tests load the same programs again and again.
typedef struct Compiled {
  struct Compiled *next;
  char *text;
  Program program;
} Compiled;

static Compiled *compiled;
static pthread_mutex_t compiling = PTHREAD_MUTEX_INITIALIZER;

static int known(const char *text, Program *program) {
  for (Compiled *one = compiled; one; one = one->next) {
    if (!strcmp(one->text, text)) {
      *program = one->program;
      return 1;
    }
  }
  return 0;
}

static Runner *next_runner(void) {
  static Runner all[RUNNERS];
  static int next;
  Runner *one = &all[next++ % RUNNERS];
  return one->queue || open_runner(one) ? one : NULL;
}

static int compile(const char *text, Program *program, char *log, size_t room) {
  size_t size = strlen(text) + 256;
  char *whole = malloc(size);
  if (!whole) abort();
  // OpenCL tells the names of parameters' types, but not their sizes before a kernel runs.
  snprintf(whole, size, "%s\n%s", text,
           strstr(text, " E;") ? "__kernel __attribute__((reqd_work_group_size(sizeof(E), 1, 1))) void " SIZE_OF_E "(void) {}\n" : "");
  const char *source = whole;
  const Runner *on = program->runner;
  cl_int code;
  program->program = clCreateProgramWithSource(on->context, 1, &source, NULL, &code);
  if (!code) code = clBuildProgram(program->program, 1, &on->device, BUILD_OPTIONS, NULL, NULL);
  free(whole);
  if (code && program->program) {
    clGetProgramBuildInfo(program->program, on->device, CL_PROGRAM_BUILD_LOG, room - 1, log, NULL);
    clReleaseProgram(program->program);
  }
  return !code;
}

int build(const char *text, Program *program, char *log, size_t room) {
  log[0] = 0;
  pthread_mutex_lock(&compiling);
  int found = known(text, program);
  if (!found) program->runner = next_runner();
  pthread_mutex_unlock(&compiling);
  if (found) return 1;
  if (!program->runner) {
    snprintf(log, room, "OpenCL knows no processor to run kernels on");
    return 0;
  }
  if (!compile(text, program, log, room)) return 0;
  Compiled *made = malloc(sizeof *made);
  char *copy = strdup(text);
  if (!made || !copy) abort();
  pthread_mutex_lock(&compiling);
  *made = (Compiled){compiled, copy, *program};
  compiled = made;
  pthread_mutex_unlock(&compiling);
  return 1;
}
