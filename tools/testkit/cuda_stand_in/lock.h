// The one lock of the library: everything that it knows is guarded by it.
#pragma once
#include <pthread.h>

extern pthread_mutex_t lock;

static inline void unlock(int *unused) {
  (void)unused;
  pthread_mutex_unlock(&lock);
}

// Takes the lock until the function returns, counts the call, and fails it where that is planted.
#define ENTER ENTER_BY(planted)
// Likewise for what works on a lost device as well.
#define ENTER_ALWAYS ENTER_BY(planted_by_name)
#define ENTER_BY(failure_of)                               \
  pthread_mutex_lock(&lock);                               \
  int locked __attribute__((cleanup(unlock), unused)) = 1; \
  do {                                                     \
    Code failure = failure_of(__func__);                   \
    if (failure) return failure;                           \
  } while (0)
