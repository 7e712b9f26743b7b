// A program as users have them: it launches kernels of OpenCL by blocks that are written down, prints what they computed, and knows
// nothing of a layer. Arguments: the kernel, how often it is launched at each size, and sizes.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *Handle;
extern int32_t clGetPlatformIDs(uint32_t, Handle *, uint32_t *);
extern int32_t clGetDeviceIDs(Handle, uint64_t, uint32_t, Handle *, uint32_t *);
extern Handle clCreateContext(const void *, uint32_t, const Handle *, void *, void *, int32_t *);
extern Handle clCreateCommandQueue(Handle, Handle, uint64_t, int32_t *);
extern Handle clCreateCommandQueueWithProperties(Handle, Handle, const uint64_t *, int32_t *);
extern Handle clCreateProgramWithSource(Handle, uint32_t, const char **, const size_t *, int32_t *);
extern int32_t clBuildProgram(Handle, uint32_t, const Handle *, const char *, void *, void *);
extern Handle clCreateKernel(Handle, const char *, int32_t *);
extern Handle clCreateBuffer(Handle, uint64_t, size_t, void *, int32_t *);
extern int32_t clSetKernelArg(Handle, uint32_t, size_t, const void *);
extern int32_t clEnqueueNDRangeKernel(Handle, Handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const Handle *, Handle *);
extern int32_t clEnqueueReadBuffer(Handle, Handle, uint32_t, size_t, size_t, void *, uint32_t, const Handle *, Handle *);
extern int32_t clEnqueueWriteBuffer(Handle, Handle, uint32_t, size_t, size_t, const void *, uint32_t, const Handle *, Handle *);
extern Handle clCreateUserEvent(Handle, int32_t *);
extern int32_t clSetUserEventStatus(Handle, int32_t);
extern int32_t clFinish(Handle);
extern int32_t clReleaseKernel(Handle);
extern int32_t clReleaseMemObject(Handle);

// `adds` is launched again and again on the same buffer: a launch too many, or one that is missing, shows in its sums.
static const char *source =
  "__kernel void adds(__global uint *sums, __global const uint *of, uint n, ulong times) {\n"
  "  size_t i = get_global_id(0);\n"
  "  uint x = of[i];\n"
  "  for (ulong k = 0; k < times; k++) x = x * 1664525u + 1013904223u;\n"
  "  if (i < n) sums[i] += x;\n"
  "}\n"
  "__kernel void counts_groups(__global uint *groups, uint n) {\n"
  "  if (get_global_id(0) < n) groups[get_global_id(0)] = get_group_id(0);\n"
  "}\n"
  "__kernel void adds_in_groups(__global uint *sums, __global const uint *of, __local uint *own) {\n"
  "  own[get_local_id(0)] = of[get_global_id(0)];\n"
  "  barrier(CLK_LOCAL_MEM_FENCE);\n"
  "  sums[get_global_id(0)] += own[get_local_size(0) - 1 - get_local_id(0)];\n"
  "}\n"
  "__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void fixed(__global uint *sums, uint n) {\n"
  "  if (get_global_id(0) < n) sums[get_global_id(0)] += 1;\n"
  "}\n"
  "__kernel void plane(__global uint *sums, uint width) {\n"
  "  sums[get_global_id(1) * width + get_global_id(0)] += get_global_id(0) ^ get_global_id(1);\n"
  "}\n";

static void must(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s failed\n", what);
  exit(3);
}

int main(int count, char **words) {
  must(count > 3, "usage");
  const char *name = words[1];
  int is_waiting = getenv("LAUNCHES_WAIT_FOR_HOST") != NULL;
  Handle platform, device;
  int32_t code;
  must(!clGetPlatformIDs(1, &platform, NULL) && !clGetDeviceIDs(platform, 0xffffffff, 1, &device, NULL), "no device: it");
  Handle context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  Handle queue = getenv("LAUNCHES_PROPERTIES") ? clCreateCommandQueueWithProperties(context, device, NULL, &code)
                                               : clCreateCommandQueue(context, device, 0, &code);
  Handle program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  must(!clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  for (int w = 3; w < count; w++) {
    uint32_t n = (uint32_t)atoi(words[w]), *host = calloc(n, sizeof *host);
    size_t bytes = n * sizeof *host, all[2] = {n, 1}, block[2] = {2, 1};
    uint64_t times = 40;
    for (uint32_t i = 0; i < n; i++) host[i] = i * 2654435761u;
    Handle of = clCreateBuffer(context, 4 | 32, bytes, host, &code);
    memset(host, 0, bytes);
    Handle sums = clCreateBuffer(context, 1 | 32, bytes, host, &code);
    // Each size has a kernel of its own, as many programs do.
    Handle kernel = clCreateKernel(program, name, &code);
    must(kernel != NULL, "clCreateKernel");
    uint32_t dimensions = 1;
    code = clSetKernelArg(kernel, 0, sizeof sums, &sums);
    if (!strcmp(name, "adds")) {
      code |= clSetKernelArg(kernel, 1, sizeof of, &of) | clSetKernelArg(kernel, 2, sizeof n, &n);
      code |= clSetKernelArg(kernel, 3, sizeof times, &times);
    } else if (!strcmp(name, "adds_in_groups")) {
      code |= clSetKernelArg(kernel, 1, sizeof of, &of) | clSetKernelArg(kernel, 2, 2 * sizeof(uint32_t), NULL);
    } else if (!strcmp(name, "plane")) {
      uint32_t width = 16;
      dimensions = 2, all[0] = width, all[1] = n / width;
      code |= clSetKernelArg(kernel, 1, sizeof width, &width);
    } else {
      code |= clSetKernelArg(kernel, 1, sizeof n, &n);
    }
    must(!code, "clSetKernelArg");
    for (int i = 0; i < atoi(words[2]); i++) {
      Handle gate = is_waiting ? clCreateUserEvent(context, &code) : NULL;
      const size_t *local = getenv("LAUNCHES_WITHOUT_BLOCK") ? NULL : block;
      must(!clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, all, local, gate != NULL, gate ? &gate : NULL, NULL), "a launch");
      if (gate) must(!clSetUserEventStatus(gate, 0), "clSetUserEventStatus");
    }
    must(!clEnqueueReadBuffer(queue, sums, 1, 0, bytes, host, 0, NULL, NULL), "clEnqueueReadBuffer");
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < n; i++) hash = (hash ^ host[i]) * 1099511628211u;
    printf("%s %u %016llx\n", name, n, (unsigned long long)hash);
    clReleaseKernel(kernel);
    clReleaseMemObject(of);
    clReleaseMemObject(sums);
    free(host);
  }
  return atoi(getenv("LAUNCHES_CODE") ? getenv("LAUNCHES_CODE") : "0");
}
