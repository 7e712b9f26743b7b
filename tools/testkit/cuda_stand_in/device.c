// The one device: an NVIDIA H100 SXM, by its data sheet and the CUDA programming guide.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "lock.h"
#include "module.h"
#include "report.h"
#include "turns.h"

#define CAPABILITY_MINOR 76

EXPORT Code cuInit(unsigned flags) {
  ENTER;
  return flags ? violation(INVALID_VALUE, "cuInit: flags %u", flags) : OK;
}

EXPORT Code cuDriverGetVersion(int *version) {
  ENTER;
  *version = 12090;
  return OK;
}

EXPORT Code cuDeviceGetCount(int *count) {
  ENTER;
  *count = 1;
  return OK;
}

EXPORT Code cuDeviceGet(int *device, int index) {
  ENTER;
  *device = index;
  return index == 0 ? OK : INVALID_DEVICE;
}

EXPORT Code cuDeviceGetName(char *name, int room, int device) {
  ENTER;
  if (device != 0) return INVALID_DEVICE;
  snprintf(name, (size_t)room, "Stand-in for an H100");
  return OK;
}

EXPORT Code cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER;
  // In the order of their numbers, which cuda.h documents.
  static const struct {
    int attribute, value;
  } table[] = {
      {1, 1024},                // threads of a group
      {2, 1024},                // and along x
      {3, 1024},                // y
      {4, 64},                  // z
      {5, 0x7fffffff},          // groups along x
      {6, 65535},               // y
      {7, 65535},               // z
      {8, SHARED_BYTES},        // bytes of shared memory of a group
      {9, 65536},               // bytes of constants
      {10, 32},                 // threads of a warp
      {12, 65536},              // registers of a group
      {13, 1980000},            // clock in kilohertz
      {16, 132},                // processors
      {17, 0},                  // kernels may run as long as they like
      {18, 0},                  // it has memory of its own
      {19, 1},                  // maps memory of the host
      {20, 0},                  // serves several processes
      {31, 1},                  // runs several kernels at a time
      {32, 1},                  // corrects errors of its memory
      {36, 2619000},            // clock of the memory in kilohertz
      {37, 5120},               // bits of the memory's bus
      {38, 50 << 20},           // bytes of the second cache
      {39, 2048},               // threads of a processor
      {40, 3},                  // engines for copies
      {41, 1},                  // one space of addresses
      {75, 9},                  // compute capability, major
      {CAPABILITY_MINOR, 0},    // and minor
      {81, 228 << 10},          // bytes of shared memory of a processor
      {82, 65536},              // registers of a processor
      {97, MOST_SHARED_BYTES},  // bytes of shared memory of a group that asks for them
      {106, 32},                // groups of a processor
      {111, 1024},              // bytes of shared memory of a group that are the system's
#ifdef WITHOUT_POOLS
      {115, 0},  // memory in a stream's order
#else
      {115, 1},
#endif
  };
  if (device != 0) return INVALID_DEVICE;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].attribute == attribute) {
      *value = table[i].value;
      // A device that is newer than its compiler is given PTX, of the newest architecture before it that this knows.
      if (attribute == CAPABILITY_MINOR && wants_ptx()) *value = 9;
      return OK;
    }
  }
  return INVALID_VALUE;
}

static const struct {
  Code code;
  const char *name, *words;
} errors[] = {
    {OK, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

EXPORT Code cuGetErrorName(Code code, const char **name) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    if (errors[i].code == code) {
      *name = errors[i].name;
      return OK;
    }
  }
  *name = NULL;
  return INVALID_VALUE;
}

EXPORT Code cuGetErrorString(Code code, const char **words) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    if (errors[i].code == code) {
      *words = errors[i].words;
      return OK;
    }
  }
  *words = NULL;
  return INVALID_VALUE;
}

// Functions by their names without versions, of which it has the latest.
EXPORT Code cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
  ENTER;
  if (version < 11030 || flags) return violation(INVALID_VALUE, "cuGetProcAddress: version %d, flags %lu", version, (unsigned long)flags);
  void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  char latest[128];
  snprintf(latest, sizeof latest, "%s_v2", name);
  *function = library ? dlsym(library, latest) : NULL;
  if (library && !*function) *function = dlsym(library, name);
  if (library) dlclose(library);
  // Found; not found.
  if (status) *status = *function ? 0 : 1;
  return *function ? OK : NOT_FOUND;
}

// NVIDIA's compiler asks the driver for this, and does without.
EXPORT Code cuGetExportTable(const void **table, const void *identifier) {
  (void)identifier;
  *table = NULL;
  return INVALID_VALUE;
}
