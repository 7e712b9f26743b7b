// Copies, and clearing.
#pragma once
#include "memory.h"

// Pinned memory of the host at an address; NULL where there is none.
Allocation *pinned_at(const void *address);

// Copies that the host has not waited for never end.
void forget_copies(void);
