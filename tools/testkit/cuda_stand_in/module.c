// Modules: programs that OpenCL compiles, or that are read of PTX, and what is known of their kernels.
#include "module.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "image.h"
#include "lock.h"
#include "ptx.h"

// Registers of a processor, and of a thread at most.
#define REGISTERS 65536
#define MOST_REGISTERS 255

static Module *modules;

int has_function(const Function *function) {
  for (Module *module = modules; module; module = module->next)
    for (Function *one = module->functions; one; one = one->next)
      if (one == function) return 1;
  return 0;
}

static int has_module(const Module *module) {
  for (Module *one = modules; one; one = one->next)
    if (one == module) return 1;
  return 0;
}

// Options whose values say where the driver's compiler writes its log, and how long it may be.
#define JIT_ERROR_LOG_BUFFER 5
#define JIT_ERROR_LOG_BUFFER_SIZE_BYTES 6

static void write_log(const char *said, unsigned count, const int *options, void **values) {
  char *log = NULL;
  size_t room = 0;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == JIT_ERROR_LOG_BUFFER) log = values[i];
    if (options[i] == JIT_ERROR_LOG_BUFFER_SIZE_BYTES) room = (size_t)values[i];
  }
  if (log && room) snprintf(log, room, "%s", said);
}

// What an image says, as OpenCL compiles it or in PTX; a code, and why in the log, if that cannot be done.
static Code load(const char *image, Module *made, char *log, size_t room) {
  size_t mark = strlen(IMAGE_MARK);
  if (is_ptx(image)) {
    made->ptx = read_ptx(image, log, room);
    return made->ptx ? OK : INVALID_PTX;
  }
  if (strncmp(image, IMAGE_MARK, mark)) return !strncmp(image, "\x7f" "ELF", 4) ? NO_BINARY_FOR_GPU : INVALID_IMAGE;
  pthread_mutex_unlock(&lock);
  int built = build(image + mark, &made->program, log, room);
  pthread_mutex_lock(&lock);
  made->text = strdup(image + mark);
  return built ? OK : INVALID_PTX;
}

static void free_module(Module *module) {
  free_ptx(module->ptx);
  free(module->text);
  free(module);
}

EXPORT Code cuModuleLoadDataEx(Module **module, const void *image, unsigned count, int *options, void **values) {
  ENTER;
  IN_CONTEXT(context);
  Module *made = calloc(1, sizeof *made);
  if (!made) abort();
  char log[1 << 14] = "";
  Code code = load(image, made, log, sizeof log);
  if (code) {
    write_log(log, count, options, values);
    free_module(made);
    return code;
  }
  made->context = context;
  made->next = modules;
  context_has(context, MODULE, 1);
  *module = modules = made;
  return OK;
}

static void discard(Module *module) {
  Module **place = &modules;
  while (*place != module) place = &(*place)->next;
  *place = module->next;
  for (Function *function = module->functions, *next; function; function = next) {
    next = function->next;
    if (function->kernel) clReleaseKernel(function->kernel);
    free(function);
  }
  free_module(module);
}

void forget_modules(void) {
  while (modules) discard(modules);
}

EXPORT Code cuModuleUnload(Module *module) {
  ENTER;
  IN_CONTEXT(context);
  if (!has_module(module)) return violation(INVALID_HANDLE, "cuModuleUnload: no such module, or it was unloaded");
  if (module->context != context) return violation(INVALID_CONTEXT, "cuModuleUnload: the module is of another context than the current one");
  Code code = OK;
  for (int slot = 0; slot < SLOTS && !code; slot++)
    if (module->used.at[slot] > host.at[slot])
      code = violation(ILLEGAL_STATE, "cuModuleUnload: %s and its like may still run",
                       module->functions ? module->functions->name : "a kernel");
  context_has(context, MODULE, -1);
  discard(module);
  return code;
}

// Where a kernel's text says that its shared memory is a tile, whose bytes a launch gives; from its name to the next.
static const char *tile_in(const char *text, const char *name) {
  char head[64];
  snprintf(head, sizeof head, "KERNEL %s(", name);
  const char *begin = strstr(text, head);
  if (!begin) return NULL;
  const char *end = strstr(begin + 1, "\nKERNEL ");
  const char *tile = strstr(begin, "SHARED_TILE(");
  return end && tile > end ? NULL : tile;
}

// Whether the size of a tile is what every launch gives. Programs that define TILE say how much it is at most.
static int is_exact(const char *tile) {
  static const char most[] = ", TILE);";
  return strncmp(strchr(tile, ';') + 1 - strlen(most), most, strlen(most)) != 0;
}

// The size of a value, by the name of its type; 0 where that is not known.
static size_t size_of_value(const Function *function, const Runner *on, const char *type) {
  static const struct {
    const char *type;
    size_t size;
  } sizes[] = {{"u8", 1}, {"u32", 4}, {"i32", 4}, {"uint", 4}, {"int", 4}, {"float", 4}, {"u64", 8}, {"i64", 8}, {"f64", 8}, {"ulong", 8}, {"long", 8}, {"double", 8}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (!strcmp(sizes[i].type, type)) return sizes[i].size;
  cl_int code = -1;
  cl_kernel told = strcmp(type, "E") ? NULL : clCreateKernel(function->module->program.program, SIZE_OF_E, &code);
  if (code) return 0;
  size_t group[3] = {0};
  clGetKernelWorkGroupInfo(told, on->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group, NULL);
  clReleaseKernel(told);
  return group[0];
}

static Code describe_opencl(Function *function, const Runner *on) {
  clGetKernelInfo(function->kernel, CL_KERNEL_NUM_ARGS, sizeof function->parameter_count, &function->parameter_count, NULL);
  if (function->parameter_count > MOST_PARAMETERS)
    return violation(INVALID_IMAGE, "%s has %u parameters, and the stand-in takes %d", function->name, function->parameter_count,
                     MOST_PARAMETERS);
  for (unsigned i = 0; i < function->parameter_count; i++) {
    Parameter *parameter = &function->parameters[i];
    cl_uint space = 0;
    cl_ulong qualifiers = 0;
    cl_int code = clGetKernelArgInfo(function->kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
    if (!code) code = clGetKernelArgInfo(function->kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL);
    char type[64] = "";
    if (!code) code = clGetKernelArgInfo(function->kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
    parameter->memory = space != CL_KERNEL_ARG_ADDRESS_PRIVATE;
    parameter->constant = (qualifiers & CL_KERNEL_ARG_TYPE_CONST) != 0;
    parameter->size = parameter->memory ? sizeof(uint64_t) : size_of_value(function, on, type);
    if (code || !parameter->size) return violation(INVALID_IMAGE, "%s: parameter %u has the type %s, whose size is not known", function->name, i, type);
    // Values lie one after the other, each on a boundary of its own size.
    size_t offset = function->parameter_bytes + parameter->size - 1;
    parameter->offset = offset - offset % parameter->size;
    function->parameter_bytes = parameter->offset + parameter->size;
  }
  cl_ulong shared = 0;
  clGetKernelWorkGroupInfo(function->kernel, on->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof function->group, function->group, NULL);
  clGetKernelWorkGroupInfo(function->kernel, on->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof shared, &shared, NULL);
  const char *tile = tile_in(function->module->text, function->name);
  if (tile) {
    function->least_dynamic = is_exact(tile) ? shared : 1;
  } else {
    function->fixed_shared = shared;
  }
  return OK;
}

static void describe_ptx(Function *function) {
  const PtxKernel *kernel = function->ptx;
  function->parameter_count = kernel->parameter_count;
  function->parameter_bytes = kernel->parameter_bytes;
  memcpy(function->parameters, kernel->parameters, sizeof kernel->parameters);
  for (int i = 0; i < 3; i++) function->group[i] = kernel->group[i];
  function->fixed_shared = kernel->fixed_shared;
  function->least_dynamic = kernel->uses_dynamic ? 1 : 0;
}

static Code limit_shared(Function *function) {
  if (function->fixed_shared > SHARED_BYTES)
    return violation(INVALID_IMAGE, "%s has %zu bytes of shared memory of fixed size, and %d are the most", function->name,
                     function->fixed_shared, SHARED_BYTES);
  function->most_dynamic = SHARED_BYTES - function->fixed_shared;
  return OK;
}

// The kernel of a function's name, and what is known of it.
static Code find_kernel(Function *function) {
  const Module *module = function->module;
  Code code = OK;
  if (module->ptx) {
    const PtxKernel *kernel = module->ptx;
    while (kernel && strcmp(kernel->name, function->name)) kernel = kernel->next;
    if (!kernel) return NOT_FOUND;
    function->ptx = kernel;
    describe_ptx(function);
  } else {
    cl_int failure;
    function->kernel = clCreateKernel(module->program.program, function->name, &failure);
    if (failure) return NOT_FOUND;
    code = describe_opencl(function, module->program.runner);
  }
  return code ? code : limit_shared(function);
}

EXPORT Code cuModuleGetFunction(Function **function, Module *module, const char *name) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  if (!has_module(module)) return violation(INVALID_HANDLE, "cuModuleGetFunction: no such module, or it was unloaded");
  for (Function *known = module->functions; known; known = known->next) {
    if (!strcmp(known->name, name)) {
      *function = known;
      return OK;
    }
  }
  Function *made = calloc(1, sizeof *made);
  if (!made) abort();
  made->module = module;
  snprintf(made->name, sizeof made->name, "%s", name);
  Code code = find_kernel(made);
  if (code) {
    if (made->kernel) clReleaseKernel(made->kernel);
    free(made);
    return code;
  }
  made->next = module->functions;
  *function = module->functions = made;
  return OK;
}

static int threads_of(const Function *function) {
  size_t threads = function->group[0] * function->group[1] * function->group[2];
  return threads ? (int)threads : 1024;
}

// As many as leave the registers for two groups.
static int registers_of(const Function *function) {
  int registers = REGISTERS / (2 * threads_of(function)) / 8 * 8;
  return registers < MOST_REGISTERS ? registers : MOST_REGISTERS;
}

int resident_groups(const Function *function, int threads, size_t dynamic_shared) {
  size_t shared = function->fixed_shared + dynamic_shared;
  if (threads <= 0 || threads > threads_of(function) || shared > MOST_SHARED_BYTES || dynamic_shared > function->most_dynamic) return 0;
  int most = 2048 / ((threads + 31) / 32 * 32);
  int by_registers = REGISTERS / (registers_of(function) * ((threads + 31) / 32 * 32));
  // A kilobyte of each group is the system's.
  int by_shared = (int)((228 << 10) / (shared + 1024));
  if (most > 32) most = 32;
  if (by_registers < most) most = by_registers;
  return by_shared < most ? by_shared : most;
}

// Attributes of functions.
enum { MAX_THREADS_PER_BLOCK, SHARED_SIZE_BYTES, CONST_SIZE_BYTES, LOCAL_SIZE_BYTES, NUM_REGS, PTX_VERSION, BINARY_VERSION, CACHE_MODE_CA, MAX_DYNAMIC_SHARED_SIZE_BYTES };

EXPORT Code cuFuncGetAttribute(int *value, int attribute, Function *function) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  if (!has_function(function)) return violation(INVALID_HANDLE, "cuFuncGetAttribute: no such function, or its module was unloaded");
  switch (attribute) {
    case MAX_THREADS_PER_BLOCK: *value = threads_of(function); return OK;
    case SHARED_SIZE_BYTES: *value = (int)function->fixed_shared; return OK;
    case CONST_SIZE_BYTES: case LOCAL_SIZE_BYTES: case CACHE_MODE_CA: *value = 0; return OK;
    case NUM_REGS: *value = registers_of(function); return OK;
    case PTX_VERSION: case BINARY_VERSION: *value = 90; return OK;
    case MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = (int)function->most_dynamic; return OK;
    default: return violation(INVALID_VALUE, "cuFuncGetAttribute: attribute %d is not known", attribute);
  }
}

EXPORT Code cuFuncGetParamInfo(Function *function, size_t index, size_t *offset, size_t *size) {
  ENTER;
  if (!has_function(function)) return violation(INVALID_HANDLE, "cuFuncGetParamInfo: no such function, or its module was unloaded");
  if (index >= function->parameter_count) return INVALID_VALUE;
  *offset = function->parameters[index].offset;
  if (size) *size = function->parameters[index].size;
  return OK;
}

EXPORT Code cuFuncSetAttribute(Function *function, int attribute, int value) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  if (!has_function(function)) return violation(INVALID_HANDLE, "cuFuncSetAttribute: no such function, or its module was unloaded");
  if (attribute != MAX_DYNAMIC_SHARED_SIZE_BYTES) return violation(INVALID_VALUE, "cuFuncSetAttribute: attribute %d is not known", attribute);
  if (value < 0 || (size_t)value + function->fixed_shared > MOST_SHARED_BYTES)
    return violation(INVALID_VALUE, "cuFuncSetAttribute: %s cannot have %d bytes of shared memory beside %zu of fixed size", function->name,
                     value, function->fixed_shared);
  function->most_dynamic = (size_t)value;
  return OK;
}

EXPORT Code cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, Function *function, int threads, size_t dynamic_shared) {
  ENTER;
  IN_CONTEXT(context);
  (void)context;
  if (!has_function(function)) return violation(INVALID_HANDLE, "cuOccupancyMaxActiveBlocksPerMultiprocessor: no such function, or its module was unloaded");
  *groups = resident_groups(function, threads, dynamic_shared);
  return OK;
}
