// The processor as a device of OpenCL, which runs what the stand-in is given.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

// With the types of kernels' parameters; to optimize takes longer than to run what tests run.
#define BUILD_OPTIONS "-cl-std=CL1.2 -cl-kernel-arg-info -cl-opt-disable"

const Runner *runner(void) {
  static Runner found;
  if (found.queue) return &found;
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count)) return NULL;
  for (cl_uint i = 0; i < count && i < 16; i++) {
    cl_int code;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &found.device, NULL)) continue;
    found.context = clCreateContext(NULL, 1, &found.device, NULL, NULL, &code);
    if (code) continue;
    found.queue = clCreateCommandQueue(found.context, found.device, 0, &code);
    if (!code) return &found;
  }
  return NULL;
}

cl_program build(const Runner *on, const char *text, char *log, size_t room) {
  log[0] = 0;
  size_t size = strlen(text) + 256;
  char *whole = malloc(size);
  if (!whole) abort();
  // OpenCL tells the names of parameters' types, but not their sizes before a kernel runs.
  snprintf(whole, size, "%s\n%s", text,
           strstr(text, " E;") ? "__kernel __attribute__((reqd_work_group_size(sizeof(E), 1, 1))) void " SIZE_OF_E "(void) {}\n" : "");
  const char *source = whole;
  cl_int code;
  cl_program program = clCreateProgramWithSource(on->context, 1, &source, NULL, &code);
  if (!code) code = clBuildProgram(program, 1, &on->device, BUILD_OPTIONS, NULL, NULL);
  free(whole);
  if (!code) return program;
  if (program) {
    clGetProgramBuildInfo(program, on->device, CL_PROGRAM_BUILD_LOG, room - 1, log, NULL);
    clReleaseProgram(program);
  }
  return NULL;
}
