// Programs in PTX, the language that NVIDIA's compiler hands to the driver: what is read of a text, and run.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "instructions.h"
#include "memory.h"
#include "module.h"

// The rows of the table of instructions.
enum {
#define ROW(name, ...) ROW_##name,
  INSTRUCTIONS
#undef ROW
  ROWS
};

typedef struct {
  const char *name;
  int operands;
  double issued, products;
} Row;
extern const Row rows_of_ptx[ROWS];

// Where a thread has a value: registers, constants and what it knows of itself are 64 bits each.
typedef uint32_t Slot;
#define MOST_OPERANDS 5

// An instruction, on its line of the text. It is left out where the guard is not as it is to be.
typedef struct {
  uint16_t row;
  uint8_t guard_is;
  // Of a load or a store: how many values, of how many bytes, and whether these have a sign.
  uint8_t count, bytes, is_signed;
  int line;
  Slot guard, operands[MOST_OPERANDS], address;
  // Beside the address, or the step that a branch leads to.
  int64_t offset;
  size_t target;
} Step;

// Places of a thread and its group, by their names: %tid.x to %nctaid.z.
enum { TID, NTID, CTAID, NCTAID, SPECIALS };
typedef struct {
  Slot slot;
  int which, axis;
} Special;

typedef struct {
  Slot slot;
  uint64_t value;
} Constant;

// A kernel; of shared memory it has some of fixed size, and then what a launch gives, if it uses any.
typedef struct PtxKernel {
  struct PtxKernel *next;
  char name[48];
  Parameter parameters[MOST_PARAMETERS];
  unsigned parameter_count, group[3];
  size_t parameter_bytes, fixed_shared, local_bytes;
  int uses_dynamic;
  Step *steps;
  Constant *constants;
  Special *specials;
  size_t step_count, constant_count, special_count;
  Slot slots;
} PtxKernel;

// Whether it is PTX, or says that it is.
int is_ptx(const char *image);

// Its kernels; NULL, and what is wrong in which line, if it cannot be read. What the table does not have is an error.
PtxKernel *read_ptx(const char *text, char *log, size_t room);
void free_ptx(PtxKernel *kernels);

// What a launch did, in all its threads. `issued` and `products` are what the table says of the instructions; `global` and
// `shared` are loads and stores there, and `bytes` what those in global memory move; `barriers` those that a group waits at.
typedef struct {
  double instructions, issued, products, global, bytes, shared, barriers;
} Work;

// A launch: its shape, its values, and the buffers that there are, in the order of their addresses.
typedef struct {
  const PtxKernel *kernel;
  const unsigned *groups, *threads;
  unsigned dynamic_shared;
  // How many launches of the kernel were before.
  unsigned number;
  const uint8_t *values;
  Touched *buffers;
  size_t buffer_count;
} Launch;

// Runs it, group by group; not 0, and what is wrong where, if a thread does what a GPU would not forgive.
Code run_ptx(const Launch *launch, Work *work, char *problem, size_t room);

// Notes what a launch did, and writes it to the file that SUNZI_STAND_IN_COUNTS names: a line with the kernel's name, groups,
// threads of a group and the numbers of `Work`, with commas between. Called with the lock held.
void count_work(const Launch *launch, const Work *work);

// The names of the table's rows, a line each; returns how many bytes they are.
EXPORT unsigned standInInstructions(char *words, unsigned long room);
