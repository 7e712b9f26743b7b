// What goes wrong: violations of the driver's rules, which are reported and counted, and failures made on purpose.
#pragma once

typedef unsigned Code;

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  NO_BINARY_FOR_GPU = 209,
  INVALID_PTX = 218,
  INVALID_HANDLE = 400,
  ILLEGAL_STATE = 401,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  LAUNCH_OUT_OF_RESOURCES = 701,
  LAUNCH_FAILED = 719,
};

// Whether every call fails.
int device_is_lost(void);

// What users of the library may call; all else is hidden.
#define EXPORT __attribute__((visibility("default")))

// Notes a violation, in the words of printf, on standard error and in the file that SUNZI_STAND_IN_LOG names; the
// result is the code given, for the call to fail with.
Code violation(Code code, const char *words, ...) __attribute__((format(printf, 2, 3)));

// Counts a call and says how it is made to fail: 0 where it is not. Called with the lock held.
Code planted(const char *call);

// As `planted`, for calls that work on a lost device as well, and that a rule for all functions does not count.
Code planted_by_name(const char *call);

// How often functions were called since the last `standInReset`, the violations since then, and their words.
EXPORT unsigned standInViolations(char *words, unsigned long room);

// Has calls fail: "cuMemAlloc_v2:3=2,*:50=719" fails the third cuMemAlloc_v2 with code 2 and call 50 of any function with
// 719. Calls are counted from here on. The environment variable SUNZI_STAND_IN_FAIL says the same for a process.
// After a code of a lost device every later call fails with it. 0 if the text cannot be read.
EXPORT int standInFail(const char *rules);

// Notes a launch, with groups along three sides, threads of a group and bytes of its dynamic shared memory. Called with
// the lock held.
void note_launch(const char *kernel, const unsigned groups[3], unsigned threads, unsigned shared);

// The launches since the last `standInReset`, a line each with the kernel's name and the numbers of `note_launch`; returns
// how many bytes they are. No more than the first 64 KiB are kept.
EXPORT unsigned standInLaunches(char *words, unsigned long room);

// Notes what a launch of PTX did, in a line. Called with the lock held.
void note_work(const char *line);

// The lines of `note_work` since the last `standInReset`; returns how many bytes they are. No more than the first 64 KiB are
// kept.
EXPORT unsigned standInWork(char *words, unsigned long room);

// Forgets violations, failures, launches and what was lost.
EXPORT void standInReset(void);

// Calls since `standInFail` or `standInReset`.
EXPORT unsigned long standInCalls(void);
