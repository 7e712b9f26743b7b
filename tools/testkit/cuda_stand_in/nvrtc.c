// A stand-in for NVIDIA's run-time compiler (NVRTC): it compiles the OpenCL form of the text, for its errors, and makes an
// image of it that the stand-in for the driver loads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "image.h"
#include "lock.h"
#include "module.h"

enum { INVALID_INPUT = 3, INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6 };

typedef struct {
  char *text, *log, *image;
  char name[64];
  int bytes_are_code;
} Source;

EXPORT Code nvrtcVersion(int *major, int *minor) {
  ENTER;
  // Not a version that tests look for among the real ones: once it is loaded, a name without a folder finds it.
  *major = 12;
  *minor = 8;
  return OK;
}

// Those that CUDA 12.9 compiles for.
static const int architectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121};
#define ARCHITECTURES (int)(sizeof architectures / sizeof *architectures)

EXPORT Code nvrtcGetNumSupportedArchs(int *count) {
  ENTER;
  *count = ARCHITECTURES;
  return OK;
}

EXPORT Code nvrtcGetSupportedArchs(int *list) {
  ENTER;
  memcpy(list, architectures, sizeof architectures);
  return OK;
}

EXPORT Code nvrtcCreateProgram(Source **program, const char *text, const char *name, int headers, const char *const *bodies,
                               const char *const *names) {
  ENTER;
  if (!text || headers || bodies || names) return violation(INVALID_INPUT, "nvrtcCreateProgram: no text, or headers");
  Source *made = calloc(1, sizeof *made);
  if (!made) abort();
  made->text = strdup(text);
  made->log = strdup("");
  snprintf(made->name, sizeof made->name, "%s", name ? name : "default_program");
  *program = made;
  return OK;
}

EXPORT Code nvrtcDestroyProgram(Source **program) {
  ENTER;
  if (!program || !*program) return violation(INVALID_PROGRAM, "nvrtcDestroyProgram: no program");
  free((*program)->text);
  free((*program)->log);
  free((*program)->image);
  free(*program);
  *program = NULL;
  return OK;
}

static Code fail(Source *program, Code code, const char *log) {
  free(program->log);
  program->log = strdup(log);
  return code;
}

EXPORT Code nvrtcCompileProgram(Source *program, int count, const char *const *options) {
  ENTER;
  if (!program) return violation(INVALID_PROGRAM, "nvrtcCompileProgram: no program");
  int number = 0, code_of_architecture = 0;
  for (int i = 0; i < count; i++) {
    if (options[i][0] != '-') return fail(program, INVALID_OPTION, options[i]);
    if (sscanf(options[i], "--gpu-architecture=sm_%d", &number) == 1) code_of_architecture = 1;
    else sscanf(options[i], "--gpu-architecture=compute_%d", &number);
  }
  int known = 0;
  for (int i = 0; i < ARCHITECTURES; i++) known |= architectures[i] == number;
  if (!known) return fail(program, INVALID_OPTION, "nvrtc: error: invalid value for --gpu-architecture (-arch)");

  char said[1 << 14], log[sizeof said + 128];
  pthread_mutex_unlock(&lock);
  Program ignored;
  int built = build(program->text, &ignored, said, sizeof said);
  pthread_mutex_lock(&lock);
  if (!built) {
    snprintf(log, sizeof log, "%s: %s", program->name, said);
    return fail(program, COMPILATION, log);
  }
  size_t room = strlen(IMAGE_MARK) + strlen(program->text) + 1;
  free(program->image);
  program->image = malloc(room);
  if (!program->image) abort();
  snprintf(program->image, room, "%s%s", IMAGE_MARK, program->text);
  program->bytes_are_code = code_of_architecture;
  return OK;
}

static Code length(const Source *program, int code, size_t *bytes) {
  if (!program || !program->image) return violation(INVALID_PROGRAM, "nvrtcGet…Size: no program that was compiled");
  // A virtual architecture gives no code.
  *bytes = code && !program->bytes_are_code ? 0 : strlen(program->image) + 1;
  return OK;
}

static Code fill(const Source *program, char *bytes) {
  if (!program || !program->image) return violation(INVALID_PROGRAM, "nvrtcGet…: no program that was compiled");
  strcpy(bytes, program->image);
  return OK;
}

EXPORT Code nvrtcGetCUBINSize(const Source *program, size_t *bytes) {
  ENTER;
  return length(program, 1, bytes);
}

EXPORT Code nvrtcGetCUBIN(const Source *program, char *bytes) {
  ENTER;
  return fill(program, bytes);
}

EXPORT Code nvrtcGetPTXSize(const Source *program, size_t *bytes) {
  ENTER;
  return length(program, 0, bytes);
}

EXPORT Code nvrtcGetPTX(const Source *program, char *bytes) {
  ENTER;
  return fill(program, bytes);
}

EXPORT Code nvrtcGetProgramLogSize(const Source *program, size_t *bytes) {
  ENTER;
  *bytes = strlen(program->log) + 1;
  return OK;
}

EXPORT Code nvrtcGetProgramLog(const Source *program, char *log) {
  ENTER;
  strcpy(log, program->log);
  return OK;
}

EXPORT const char *nvrtcGetErrorString(Code code) {
  switch (code) {
    case OK: return "NVRTC_SUCCESS";
    case INVALID_INPUT: return "NVRTC_ERROR_INVALID_INPUT";
    case INVALID_PROGRAM: return "NVRTC_ERROR_INVALID_PROGRAM";
    case INVALID_OPTION: return "NVRTC_ERROR_INVALID_OPTION";
    case COMPILATION: return "NVRTC_ERROR_COMPILATION";
    default: return "NVRTC_ERROR_UNKNOWN";
  }
}
