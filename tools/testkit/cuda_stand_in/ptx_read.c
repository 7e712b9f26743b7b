// Reads PTX: declarations become slots, and instructions steps of the table's rows. A register has 64 bits whatever it is
// declared as, since every instruction says what it takes it for. What is not known is an error that names the line.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ptx.h"

#define MOST_SYMBOLS 512
#define MOST_SCOPES 8
#define LONGEST_WORD 192
// Shared memory that a launch gives lies behind that of fixed size, on this boundary.
#define TILE_ALIGNMENT 16

const Row rows_of_ptx[ROWS] = {
#define ROW(name, operands, issued, products, ...) [ROW_##name] = {#name, operands, issued, products},
    INSTRUCTIONS
#undef ROW
};

typedef enum { REGISTERS, PARAMETER, VARIABLE, TILE, LABEL } Sort;

// A name, or many with a number behind it. A label's value is a step, a variable's its address in its own space.
typedef struct {
  char name[LONGEST_WORD];
  Sort sort;
  unsigned count;
  uint64_t value;
} Symbol;

typedef struct {
  const char *at;
  int line, failed;
  char *log;
  size_t room;
  PtxKernel *kernel;
  // The innermost scope's last; where scopes began.
  Symbol symbols[MOST_SYMBOLS];
  int symbol_count, scopes[MOST_SCOPES], scope_count;
  // Labels of the kernel, and branches that name them.
  Symbol *labels, *branches;
  size_t label_count, branch_count;
} Reader;

// The first failure is told, and nothing is left to read.
__attribute__((format(printf, 2, 3))) static void fail(Reader *reader, const char *words, ...) {
  if (reader->failed) return;
  int used = snprintf(reader->log, reader->room, "PTX, line %d: ", reader->line);
  va_list values;
  va_start(values, words);
  if (used > 0 && (size_t)used < reader->room) vsnprintf(reader->log + used, reader->room - (size_t)used, words, values);
  va_end(values);
  reader->failed = 1;
  reader->at = "";
}

// Adds room for one more to an array.
static void *grown(void *array, size_t count, size_t size) {
  if (count & (count - 1)) return array;
  void *larger = realloc(array, (count ? 2 * count : 1) * size);
  if (!larger) abort();
  return larger;
}

static void skip_line(Reader *reader) { reader->at += strcspn(reader->at, "\n"); }

static void skip_space(Reader *reader) {
  for (;;) {
    if (!strncmp(reader->at, "//", 2)) {
      skip_line(reader);
    } else if (isspace((unsigned char)*reader->at)) {
      reader->line += *reader->at++ == '\n';
    } else {
      return;
    }
  }
}

static int accept(Reader *reader, char sign) {
  skip_space(reader);
  if (*reader->at != sign) return 0;
  reader->at++;
  return 1;
}

static void expect(Reader *reader, char sign) {
  if (!accept(reader, sign)) fail(reader, "`%c` was expected before `%.20s`", sign, reader->at);
}

static int is_of_word(char sign) { return isalnum((unsigned char)sign) || (sign && strchr("_$%.", sign)); }

// The next word; empty where there is none.
static const char *word(Reader *reader, char text[LONGEST_WORD]) {
  skip_space(reader);
  size_t length = 0;
  while (is_of_word(reader->at[length])) length++;
  if (length >= LONGEST_WORD) {
    fail(reader, "`%.20s…` is too long", reader->at);
    length = 0;
  }
  memcpy(text, reader->at, length);
  text[length] = 0;
  reader->at += length;
  return text;
}

static uint64_t number(Reader *reader, const char *text) {
  char *end;
  int is_double = !strncasecmp(text, "0d", 2);
  uint64_t value = is_double ? strtoull(text + 2, &end, 16) : strtoull(text, &end, 0);
  if (*end == 'U') end++;
  if (!isdigit((unsigned char)*text) || *end || (is_double && end != text + 18)) fail(reader, "`%s` is no number that is known", text);
  return value;
}

static uint64_t next_number(Reader *reader) {
  char text[LONGEST_WORD];
  int negative = accept(reader, '-');
  uint64_t value = number(reader, word(reader, text));
  return negative ? -value : value;
}

// Bytes of a type, as `.b32`; 0 where it is none.
static unsigned bytes_of(const char *type) {
  if (!strcmp(type, ".pred")) return 1;
  unsigned bits = *type == '.' && type[1] && strchr("busf", type[1]) ? (unsigned)strtoul(type + 2, NULL, 10) : 0;
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

static unsigned expect_type(Reader *reader, const char *type) {
  unsigned bytes = bytes_of(type);
  if (!bytes) fail(reader, "`%s` is no type that is known", type);
  return bytes ? bytes : 1;
}

static size_t aligned(size_t offset, size_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

static Symbol *declare(Reader *reader, Sort sort, const char *name, unsigned count, uint64_t value) {
  if (reader->symbol_count == MOST_SYMBOLS) {
    fail(reader, "there are more than %d names", MOST_SYMBOLS);
    reader->symbol_count--;
  }
  Symbol *made = &reader->symbols[reader->symbol_count++];
  *made = (Symbol){"", sort, count, value};
  snprintf(made->name, sizeof made->name, "%s", name);
  return made;
}

static Slot new_slot(Reader *reader) { return reader->kernel->slots++; }

static Slot constant(Reader *reader, uint64_t value) {
  PtxKernel *kernel = reader->kernel;
  for (size_t i = 0; i < kernel->constant_count; i++)
    if (kernel->constants[i].value == value) return kernel->constants[i].slot;
  kernel->constants = grown(kernel->constants, kernel->constant_count, sizeof *kernel->constants);
  Constant made = {new_slot(reader), value};
  kernel->constants[kernel->constant_count++] = made;
  return made.slot;
}

// What a thread knows of itself; 0 where the name is no such thing.
static int find_special(Reader *reader, const char *name, Slot *slot) {
  static const char *const names[SPECIALS] = {"%tid.", "%ntid.", "%ctaid.", "%nctaid."};
  PtxKernel *kernel = reader->kernel;
  for (int which = 0; which < SPECIALS; which++) {
    size_t length = strlen(names[which]);
    int axis = name[length - 1] ? name[length] - 'x' : -1;
    if (strncmp(name, names[which], length) || axis < 0 || axis > 2 || name[length + 1]) continue;
    for (size_t i = 0; i < kernel->special_count; i++) {
      if (kernel->specials[i].which != which || kernel->specials[i].axis != axis) continue;
      *slot = kernel->specials[i].slot;
      return 1;
    }
    kernel->specials = grown(kernel->specials, kernel->special_count, sizeof *kernel->specials);
    *slot = new_slot(reader);
    kernel->specials[kernel->special_count++] = (Special){*slot, which, axis};
    return 1;
  }
  return 0;
}

static const Symbol *find(const Reader *reader, const char *name) {
  for (int i = reader->symbol_count; i-- > 0;)
    if (!strcmp(reader->symbols[i].name, name)) return &reader->symbols[i];
  return NULL;
}

// A register of those that are declared with a number behind their name.
static int find_numbered(const Reader *reader, const char *name, Slot *slot) {
  size_t length = strlen(name);
  while (length && isdigit((unsigned char)name[length - 1])) length--;
  unsigned long index = strtoul(name + length, NULL, 10);
  for (int i = reader->symbol_count; i-- > 0;) {
    const Symbol *one = &reader->symbols[i];
    if (!one->count || strlen(one->name) != length || strncmp(one->name, name, length) || index >= one->count) continue;
    *slot = (Slot)(one->value + index);
    return 1;
  }
  return 0;
}

// Where the value of a word is: a register, a constant, an address, or what a thread knows of itself.
static Slot value_of(Reader *reader, const char *text) {
  Slot slot = 0;
  if (isdigit((unsigned char)*text)) return constant(reader, number(reader, text));
  if (find_special(reader, text, &slot) || find_numbered(reader, text, &slot)) return slot;
  const Symbol *found = find(reader, text);
  if (!found) fail(reader, "`%s` is not declared, or not known", text);
  else if (found->sort == REGISTERS || found->sort == TILE) slot = (Slot)found->value;
  else slot = constant(reader, found->value);
  if (found && found->sort == TILE) reader->kernel->uses_dynamic = 1;
  return slot;
}

static Slot operand(Reader *reader) {
  char text[LONGEST_WORD];
  if (accept(reader, '-')) return constant(reader, -number(reader, word(reader, text)));
  return value_of(reader, word(reader, text));
}

// Values in braces, or one.
static int operands(Reader *reader, Slot values[MOST_OPERANDS], int count) {
  int braced = accept(reader, '{');
  do {
    if (count == MOST_OPERANDS) {
      fail(reader, "there are more than %d operands", MOST_OPERANDS);
      return count;
    }
    values[count++] = operand(reader);
  } while (braced && accept(reader, ','));
  if (braced) expect(reader, '}');
  return count;
}

// A variable of a space, or a declaration of registers.
static void declaration(Reader *reader, const char *space) {
  char text[LONGEST_WORD];
  size_t alignment = 0;
  if (!strcmp(word(reader, text), ".align")) {
    alignment = next_number(reader);
    word(reader, text);
  }
  unsigned bytes = expect_type(reader, text);
  if (alignment < bytes) alignment = bytes;
  do {
    char name[LONGEST_WORD];
    if (!*word(reader, name)) fail(reader, "a name was expected before `%.20s`", reader->at);
    PtxKernel *kernel = reader->kernel;
    if (!strcmp(space, ".reg")) {
      unsigned count = 0;
      if (accept(reader, '<')) {
        count = (unsigned)next_number(reader);
        expect(reader, '>');
      }
      declare(reader, REGISTERS, name, count, kernel->slots);
      kernel->slots += count ? count : 1;
      continue;
    }
    size_t count = 1;
    if (accept(reader, '[')) {
      count = next_number(reader);
      expect(reader, ']');
    }
    size_t *end = !strcmp(space, ".local") ? &kernel->local_bytes : &kernel->fixed_shared;
    *end = aligned(*end, alignment);
    declare(reader, VARIABLE, name, 0, *end);
    *end += count * bytes;
  } while (accept(reader, ','));
  expect(reader, ';');
}

// The type of a load or a store, and how many values of it: `.nc.v2.u64`.
static void of_memory(Reader *reader, Step *step, const char *name) {
  static const char *const known[] = {".nc", ".v2", ".v4"};
  step->count = 1;
  for (const char *part = name; *part;) {
    size_t length = 1 + strcspn(part + 1, ".");
    char type[8] = "";
    if (length < sizeof type) memcpy(type, part, length);
    part += length;
    int which = 0;
    while (which < 3 && strcmp(type, known[which])) which++;
    if (which < 3) {
      step->count = (uint8_t)(which ? 2 * which : 1);
      continue;
    }
    step->bytes = *part ? 0 : (uint8_t)bytes_of(type);
    step->is_signed = type[1] == 's';
    break;
  }
  if (!step->bytes) fail(reader, "`%s` is not known of a load or a store", name);
}

static void address(Reader *reader, Step *step) {
  expect(reader, '[');
  step->address = operand(reader);
  if (accept(reader, '+')) step->offset = (int64_t)next_number(reader);
  expect(reader, ']');
}

static int find_row(const char *name) {
  char text[LONGEST_WORD];
  for (size_t i = 0; i <= strlen(name); i++) text[i] = name[i] == '.' ? '_' : name[i];
  for (int row = 0; row < ROWS; row++)
    if (!strcmp(rows_of_ptx[row].name, text)) return row;
  return ROWS;
}

static void add_step(Reader *reader, Step step) {
  PtxKernel *kernel = reader->kernel;
  kernel->steps = grown(kernel->steps, kernel->step_count, sizeof *kernel->steps);
  kernel->steps[kernel->step_count++] = step;
}

static void note_label(Symbol **all, size_t *count, const char *name, size_t step) {
  *all = grown(*all, *count, sizeof **all);
  Symbol *made = &(*all)[(*count)++];
  *made = (Symbol){"", LABEL, 0, step};
  snprintf(made->name, sizeof made->name, "%s", name);
}

// The rest of an instruction that begins with these words: `@!%p1 mad.lo.cc.u32`.
static void instruction(Reader *reader, char name[LONGEST_WORD]) {
  Step step = {.line = reader->line, .guard = constant(reader, 1), .guard_is = 1};
  if (!*name && accept(reader, '@')) {
    step.guard_is = (uint8_t)!accept(reader, '!');
    step.guard = operand(reader);
    word(reader, name);
  }
  char target[LONGEST_WORD];
  int is_load = !strncmp(name, "ld.", 3), is_store = !strncmp(name, "st.", 3), count = 0;
  if (is_load || is_store) {
    size_t space = 3 + strcspn(name + 3, ".");
    of_memory(reader, &step, name + space);
    char type[LONGEST_WORD];
    snprintf(type, sizeof type, "%s", name + space);
    name[space] = 0;
    step.row = (uint16_t)find_row(name);
    if (is_store) {
      address(reader, &step);
      expect(reader, ',');
    }
    int values = operands(reader, step.operands, 0);
    if (values != step.count) fail(reader, "`%s%s` takes %d values, and there are %d", name, type, step.count, values);
    if (is_load) {
      expect(reader, ',');
      address(reader, &step);
    }
  } else if (!strcmp(name, "bra") || !strcmp(name, "bra.uni")) {
    step.row = ROW_bra;
    note_label(&reader->branches, &reader->branch_count, word(reader, target), reader->kernel->step_count);
  } else {
    step.row = (uint16_t)find_row(name);
    skip_space(reader);
    int splits = *reader->at == '{';
    if (step.row != ROWS && *reader->at != ';') do count = operands(reader, step.operands, count); while (accept(reader, ','));
    // What takes a value apart, or puts one together, is a row of its own.
    if (step.row == ROW_mov_b64 && count == 3) step.row = splits ? ROW_mov_b64_to_halves : ROW_mov_b64_from_halves;
  }
  if (step.row == ROWS) fail(reader, "the instruction `%s` is not in the table", name);
  else if (count != rows_of_ptx[step.row].operands)
    fail(reader, "`%s` takes %d operands, and there are %d", name, rows_of_ptx[step.row].operands, count);
  expect(reader, ';');
  add_step(reader, step);
}

static void begin_scope(Reader *reader) {
  if (reader->scope_count == MOST_SCOPES) fail(reader, "there are more than %d scopes", MOST_SCOPES);
  else reader->scopes[reader->scope_count++] = reader->symbol_count;
}

static void statement(Reader *reader) {
  char text[LONGEST_WORD];
  skip_space(reader);
  if (!*reader->at) {
    fail(reader, "the text ends within a kernel");
  } else if (accept(reader, '{')) {
    begin_scope(reader);
  } else if (accept(reader, '}')) {
    reader->symbol_count = reader->scopes[--reader->scope_count];
  } else if (!accept(reader, ';')) {
    word(reader, text);
    if (!strcmp(text, ".reg") || !strcmp(text, ".shared") || !strcmp(text, ".local")) {
      declaration(reader, text);
    } else if (!strcmp(text, ".pragma")) {
      skip_line(reader);
    } else if (*text && accept(reader, ':')) {
      note_label(&reader->labels, &reader->label_count, text, reader->kernel->step_count);
    } else if (*text == '.') {
      fail(reader, "`%s` is not known in a kernel", text);
    } else {
      instruction(reader, text);
    }
  }
}

static void resolve_branches(Reader *reader) {
  for (size_t i = 0; i < reader->branch_count; i++) {
    const Symbol *branch = &reader->branches[i];
    Step *step = &reader->kernel->steps[branch->value];
    size_t label = 0;
    while (label < reader->label_count && strcmp(reader->labels[label].name, branch->name)) label++;
    if (label == reader->label_count) {
      reader->line = step->line;
      fail(reader, "there is no label `%s`", branch->name);
      return;
    }
    step->target = reader->labels[label].value;
  }
}

static void parameter(Reader *reader) {
  char text[LONGEST_WORD];
  if (strcmp(word(reader, text), ".param")) fail(reader, "a parameter was expected, not `%s`", text);
  unsigned bytes = expect_type(reader, word(reader, text));
  // What a pointer leads to is said by some compilers, and by others not.
  while (*word(reader, text) == '.')
    if (!strcmp(text, ".align")) next_number(reader);
  PtxKernel *kernel = reader->kernel;
  if (kernel->parameter_count == MOST_PARAMETERS) {
    fail(reader, "there are more than %d parameters", MOST_PARAMETERS);
    return;
  }
  size_t offset = aligned(kernel->parameter_bytes, bytes);
  kernel->parameters[kernel->parameter_count++] = (Parameter){.offset = offset, .size = bytes};
  kernel->parameter_bytes = offset + bytes;
  declare(reader, PARAMETER, text, 0, offset);
}

// What stands between a kernel's parameters and its body.
static void demands(Reader *reader) {
  char text[LONGEST_WORD];
  while (*word(reader, text)) {
    int is_group = !strcmp(text, ".maxntid");
    if (!is_group && strcmp(text, ".minnctapersm")) fail(reader, "`%s` is not known of a kernel", text);
    int axis = 0;
    do {
      unsigned value = (unsigned)next_number(reader);
      if (is_group && axis < 3) reader->kernel->group[axis++] = value;
    } while (accept(reader, ','));
  }
}

static void entry(Reader *reader, PtxKernel **place, const Symbol *tile) {
  PtxKernel *kernel = *place = calloc(1, sizeof **place);
  if (!kernel) abort();
  reader->kernel = kernel;
  reader->symbol_count = 0;
  reader->label_count = reader->branch_count = 0;
  char text[LONGEST_WORD];
  if (strlen(word(reader, text)) >= sizeof kernel->name) fail(reader, "`%s` is too long", text);
  snprintf(kernel->name, sizeof kernel->name, "%.47s", text);
  expect(reader, '(');
  if (!accept(reader, ')')) {
    do parameter(reader); while (accept(reader, ','));
    expect(reader, ')');
  }
  demands(reader);
  // The tile lies behind all that is declared in the body, whose size is known at its end: it has a slot of its own.
  Slot slot = new_slot(reader);
  if (*tile->name) declare(reader, TILE, tile->name, 0, slot);
  expect(reader, '{');
  begin_scope(reader);
  while (reader->scope_count && !reader->failed) statement(reader);
  Step end = {.row = ROW_ret, .line = reader->line, .guard = constant(reader, 1), .guard_is = 1};
  add_step(reader, end);
  resolve_branches(reader);
  kernel->fixed_shared = aligned(kernel->fixed_shared, TILE_ALIGNMENT);
  kernel->constants = grown(kernel->constants, kernel->constant_count, sizeof *kernel->constants);
  kernel->constants[kernel->constant_count++] = (Constant){slot, kernel->fixed_shared};
}

// The one variable that all kernels of a program may share: a tile of the size that a launch gives.
static void declare_tile(Reader *reader, Symbol *tile) {
  char text[LONGEST_WORD];
  if (strcmp(word(reader, text), ".shared")) fail(reader, "`.extern %s` is not known", text);
  if (!strcmp(word(reader, text), ".align") && next_number(reader) > TILE_ALIGNMENT)
    fail(reader, "a tile lies on a boundary of %d bytes at most", TILE_ALIGNMENT);
  expect_type(reader, word(reader, text));
  word(reader, tile->name);
  expect(reader, '[');
  expect(reader, ']');
  expect(reader, ';');
}

// A function that the compiler has left though it is inlined wherever it was called: calls are not in the table.
static void skip_function(Reader *reader) {
  int depth = 0, is_over = 0;
  for (; *reader->at && !is_over; reader->at++) {
    char sign = *reader->at;
    depth += (sign == '{') - (sign == '}');
    is_over = !depth && (sign == ';' || sign == '}');
    reader->line += sign == '\n';
  }
}

int is_ptx(const char *image) { return !strncmp(image, "//", 2) || !strncmp(image, ".version", 8); }

PtxKernel *read_ptx(const char *text, char *log, size_t room) {
  Reader *reader = calloc(1, sizeof *reader);
  if (!reader) abort();
  reader->at = text;
  reader->line = 1;
  reader->log = log;
  reader->room = room;
  PtxKernel *kernels = NULL, **place = &kernels;
  Symbol tile = {.sort = TILE};
  char directive[LONGEST_WORD];
  for (skip_space(reader); *reader->at; skip_space(reader)) {
    word(reader, directive);
    if (!strcmp(directive, ".version") || !strcmp(directive, ".target") || !strcmp(directive, ".address_size")) {
      skip_line(reader);
    } else if (!strcmp(directive, ".extern")) {
      declare_tile(reader, &tile);
    } else if (!strcmp(directive, ".entry")) {
      entry(reader, place, &tile);
      place = &(*place)->next;
    } else if (!strcmp(directive, ".func")) {
      skip_function(reader);
    } else if (strcmp(directive, ".visible")) {
      fail(reader, "`%s` is not known before `%.20s`", directive, reader->at);
    }
  }
  if (!kernels) fail(reader, "there is no kernel");
  if (reader->failed) {
    free_ptx(kernels);
    kernels = NULL;
  }
  free(reader->labels);
  free(reader->branches);
  free(reader);
  return kernels;
}

void free_ptx(PtxKernel *kernels) {
  for (PtxKernel *next; kernels; kernels = next) {
    next = kernels->next;
    free(kernels->steps);
    free(kernels->constants);
    free(kernels->specials);
    free(kernels);
  }
}
