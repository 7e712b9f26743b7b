// Contexts, and the stack of them that every thread has.
#pragma once
#include "report.h"

typedef struct Context Context;

// The context that calls of this thread are made in: NULL, and a violation, where there is none or it is gone.
Context *current(const char *call);

// Notes an object that belongs to a context, or that one is gone; what is left when the context is released is told.
typedef enum { BUFFER, PINNED, STREAM, EVENT, MODULE, POOL, KINDS } Kind;
void context_has(Context *context, Kind kind, int more);

// The context of the call, or its failure.
#define IN_CONTEXT(context)             \
  Context *context = current(__func__); \
  if (!context) return INVALID_CONTEXT
