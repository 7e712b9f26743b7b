// Copies, and clearing.
#pragma once
#include "memory.h"

// Pinned memory of the host at an address; NULL where there is none.
Allocation *pinned_at(const void *address);

int memory_number(const Allocation *memory);

// Copies that the host has not waited for never end.
void forget_copies(void);
