// A layer before an OpenCL driver, which the loader takes for the driver: it passes on the driver's platforms, and puts its
// own functions into the driver's table.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "api.h"

#define EXPORT __attribute__((visibility("default")))
// The driver's library.
#define DRIVER_VARIABLE "SUNZI_LATE_DRIVER"

typedef void *Find(const char *name);
typedef cl_int Platforms(cl_uint room, cl_platform_id *platforms, cl_uint *count);

void *driver[FUNCTIONS];
static void **table;
static void *library;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int enter(void) { return pthread_mutex_lock(&lock); }

void leave(int *unused) {
  (void)unused;
  pthread_mutex_unlock(&lock);
}

void replace(int place, void *function) { table[place] = function; }

static _Noreturn void fail(const char *words, const char *more) {
  fprintf(stderr, "opencl-late: %s%s\n", words, more ? more : "");
  abort();
}

// Commands that would not be late like all others, and that nobody has needed yet.
static void not_known(void) { fail("a command of a kind that the layer does not know", NULL); }

static void refuse_others(void) {
  static const int others[] = {51, 52, 53, 54, 55, 57, 60, 61, 62, 63, 64, 86, 87, 88, 103, 104};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) replace(others[i], (void *)not_known);
}

// The table is in the driver's memory, which may be for reading only.
static void take_over(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), first = (size_t)table / page * page;
  size_t bytes = (size_t)(table + FUNCTIONS) - first;
  if (mprotect((void *)first, bytes, PROT_READ | PROT_WRITE)) fail("the driver's table cannot be written", NULL);
  memcpy(driver, table, sizeof driver);
  refuse_others();
  replace_commands();
  replace_waits();
}

static void load(void) {
  if (library) return;
  const char *name = getenv(DRIVER_VARIABLE);
  if (!name) fail(DRIVER_VARIABLE " is to name the driver's library", NULL);
  library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) fail("the driver cannot be loaded: ", dlerror());
}

static void *of_driver(const char *name) {
  load();
  Find *find = (Find *)dlsym(library, "clGetExtensionFunctionAddress");
  void *found = find ? find(name) : NULL;
  return found ? found : dlsym(library, name);
}

EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  ENTER;
  Platforms *of = (Platforms *)of_driver("clIcdGetPlatformIDsKHR");
  if (!of) fail("the driver cannot be loaded by a loader", NULL);
  cl_int code = of(room, platforms, count);
  if (!code && platforms && room && !table) {
    table = *(void ***)platforms[0];
    take_over();
  }
  return code;
}

EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_uint what, size_t room, void *value, size_t *size) {
  typedef cl_int Info(cl_platform_id, cl_uint, size_t, void *, size_t *);
  Info *info = (Info *)of_driver("clGetPlatformInfo");
  return info(platform, what, room, value, size);
}

EXPORT void *clGetExtensionFunctionAddress(const char *name) {
  if (!strcmp(name, "clIcdGetPlatformIDsKHR")) return (void *)clIcdGetPlatformIDsKHR;
  if (!strcmp(name, "clGetPlatformInfo")) return (void *)clGetPlatformInfo;
  return of_driver(name);
}
