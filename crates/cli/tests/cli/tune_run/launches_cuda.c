// The same of CUDA's driver, which it is linked with. Arguments: how it comes to be given `cuLaunchKernel` (by the linker: linked; by dlsym:
// asked; by cuGetProcAddress: address; cuLaunchKernelEx by the last: extended), how often it launches at each size, and sizes.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *Handle;
typedef struct {
  unsigned grid[3], block[3], shared;
  Handle stream;
  void *attributes;
  unsigned attribute_count;
} Config;
typedef unsigned Launch(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void **, void **);
typedef unsigned LaunchEx(const Config *, Handle, void **, void **);
typedef unsigned GetFunction(Handle *, Handle, const char *);
typedef unsigned GetAddress(const char *, void **, int, uint64_t, int *);
extern unsigned cuInit(unsigned);
extern unsigned cuDevicePrimaryCtxRetain(Handle *, int);
extern unsigned cuDevicePrimaryCtxRelease_v2(int);
extern unsigned cuCtxPushCurrent_v2(Handle);
extern unsigned cuCtxPopCurrent_v2(Handle *);
extern unsigned cuModuleLoadDataEx(Handle *, const void *, unsigned, int *, void **);
extern unsigned cuModuleUnload(Handle);
extern GetFunction cuModuleGetFunction;
extern unsigned cuMemAlloc_v2(uint64_t *, size_t);
extern unsigned cuMemFree_v2(uint64_t);
extern unsigned cuStreamCreate(Handle *, unsigned);
extern unsigned cuStreamDestroy_v2(Handle);
extern unsigned cuStreamSynchronize(Handle);
extern unsigned cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, Handle);
extern unsigned cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, Handle);
extern unsigned cuMemsetD8Async(uint64_t, unsigned char, size_t, Handle);
extern Launch cuLaunchKernel;

static const char *source =
  "\x7f"
  "ELF of the stand-in for CUDA, sm_90\n"
  "__kernel void adds(__global uint *sums, __global const uint *of, uint n, ulong plus) {\n"
  "  uint i = get_global_id(0);\n"
  "  if (i < n) sums[i] += of[i] * 1664525u + (uint)plus;\n"
  "}\n";

static void must(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s failed\n", what);
  exit(3);
}

int main(int count, char **words) {
  must(count > 3, "usage");
  const char *way = words[1];
  Launch *launch = cuLaunchKernel;
  LaunchEx *launch_ex = NULL;
  GetFunction *get_function = cuModuleGetFunction;
  if (strcmp(way, "linked")) {
    Handle library = dlopen("libcuda.so.1", RTLD_NOW);
    must(library != NULL, "dlopen");
    launch = (Launch *)dlsym(library, "cuLaunchKernel");
    get_function = (GetFunction *)dlsym(library, "cuModuleGetFunction");
    must(!dlsym(library, "cuNothing") && dlerror() && dlsym(RTLD_DEFAULT, "printf") && !dlsym(RTLD_DEFAULT, "cuNothing"), "dlsym");
    if (strcmp(way, "asked")) {
      GetAddress *first = (GetAddress *)dlsym(library, "cuGetProcAddress_v2"), *get = NULL;
      int status = 7;
      must(!first("cuGetProcAddress", (void **)&get, 12000, 0, &status) && !status, "cuGetProcAddress");
      must(!get("cuLaunchKernel", (void **)&launch, 12000, 0, &status) && !status, "cuGetProcAddress");
      must(!get("cuModuleGetFunction", (void **)&get_function, 12000, 0, NULL), "cuGetProcAddress");
      if (!strcmp(way, "extended")) must(!get("cuLaunchKernelEx", (void **)&launch_ex, 12000, 0, NULL), "cuGetProcAddress");
    }
  }
  Handle context, module, function, stream;
  must(!cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxPushCurrent_v2(context), "the context");
  must(!cuModuleLoadDataEx(&module, source, 0, NULL, NULL) && !get_function(&function, module, "adds"), "the module");
  must(!cuStreamCreate(&stream, 1), "cuStreamCreate");
  for (int w = 3; w < count; w++) {
    uint32_t n = (uint32_t)atoi(words[w]), *host = calloc(n, sizeof *host);
    size_t bytes = n * sizeof *host;
    uint64_t sums, of, plus = 40;
    must(!cuMemAlloc_v2(&sums, bytes) && !cuMemAlloc_v2(&of, bytes), "cuMemAlloc");
    for (uint32_t i = 0; i < n; i++) host[i] = i * 2654435761u;
    must(!cuMemcpyHtoDAsync_v2(of, host, bytes, stream) && !cuMemsetD8Async(sums, 0, bytes, stream), "a copy");
    must(!cuStreamSynchronize(stream), "cuStreamSynchronize");
    for (int i = 0; i < atoi(words[2]); i++) {
      void *values[] = {&sums, &of, &n, &plus};
      Config config = {{(n + 31) / 32, 1, 1}, {32, 1, 1}, 0, stream, NULL, 0};
      if (launch_ex) must(!launch_ex(&config, function, values, NULL), "cuLaunchKernelEx");
      else must(!launch(function, (n + 31) / 32, 1, 1, 32, 1, 1, 0, stream, values, NULL), "cuLaunchKernel");
    }
    must(!cuMemcpyDtoHAsync_v2(host, sums, bytes, stream) && !cuStreamSynchronize(stream), "a copy");
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < n; i++) hash = (hash ^ host[i]) * 1099511628211u;
    printf("adds %u %016llx\n", n, (unsigned long long)hash);
    must(!cuMemFree_v2(sums) && !cuMemFree_v2(of), "cuMemFree");
    free(host);
  }
  must(!cuModuleUnload(module) && !cuStreamDestroy_v2(stream), "the end");
  must(!cuCtxPopCurrent_v2(NULL) && !cuDevicePrimaryCtxRelease_v2(0), "the end");
  return 0;
}
