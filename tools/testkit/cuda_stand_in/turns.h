// In which order the threads of a group take turns, and the groups of a launch: SUNZI_STAND_IN_PTX says `forward`,
// `reverse`, `shuffled:SEED`, which has another order after each barrier, the same in every run, or `in-turn`, which gives
// the launches of each kernel these three in turn.
#pragma once
#include <stddef.h>
#include "report.h"

typedef struct Turns Turns;

// The order of this many in a kernel's launch of this number, freed by its owner.
Turns *new_turns(size_t count, unsigned launch);

// Their numbers, in the order of the next turn.
const unsigned *shuffle(Turns *turns);

// Whether a process is told that its kernels run as PTX.
int wants_ptx(void);

// The same as the variable, for this process from here on; 0 if the text cannot be read.
EXPORT int standInTurns(const char *order);
