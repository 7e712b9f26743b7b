// Violations and planted failures. One lock guards all of the library's state; its functions take it in `ENTER`.
#include "report.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lock.h"

pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static unsigned violations;
static char told[1 << 16];

Code violation(Code code, const char *words, ...) {
  pthread_mutex_lock(&lock);
  char text[1024];
  va_list values;
  va_start(values, words);
  vsnprintf(text, sizeof text, words, values);
  va_end(values);
  violations++;
  size_t used = strlen(told);
  snprintf(told + used, sizeof told - used, "%s\n", text);
  fprintf(stderr, "stand-in for CUDA: violation: %s\n", text);
  const char *name = getenv("SUNZI_STAND_IN_LOG");
  FILE *log = name ? fopen(name, "a") : NULL;
  if (log) {
    fprintf(log, "%s\n", text);
    fclose(log);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

unsigned standInViolations(char *words, unsigned long room) {
  pthread_mutex_lock(&lock);
  if (room) snprintf(words, room, "%s", told);
  unsigned count = violations;
  pthread_mutex_unlock(&lock);
  return count;
}

// Lines that are kept as long as there is room.
typedef struct {
  size_t bytes;
  char text[1 << 16];
} Lines;

static Lines launched, worked;

static void keep(Lines *lines, const char *line) {
  size_t length = strlen(line);
  if (length >= sizeof lines->text - lines->bytes) return;
  memcpy(lines->text + lines->bytes, line, length + 1);
  lines->bytes += length;
}

static void forget(Lines *lines) { lines->text[lines->bytes = 0] = 0; }

static unsigned show(const Lines *lines, char *words, unsigned long room) {
  pthread_mutex_lock(&lock);
  if (room) snprintf(words, room, "%s", lines->text);
  unsigned bytes = (unsigned)lines->bytes;
  pthread_mutex_unlock(&lock);
  return bytes;
}

void note_launch(const char *kernel, const unsigned groups[3], unsigned threads, unsigned shared) {
  char line[256];
  snprintf(line, sizeof line, "%s %u %u %u %u %u\n", kernel, groups[0], groups[1], groups[2], threads, shared);
  keep(&launched, line);
}

void note_work(const char *line) { keep(&worked, line); }

unsigned standInLaunches(char *words, unsigned long room) { return show(&launched, words, room); }

unsigned standInWork(char *words, unsigned long room) { return show(&worked, words, room); }

// A failure made on purpose: of the call of this number, of one function or (`*`) of all.
typedef struct {
  char function[48];
  unsigned long number, seen;
  Code code;
} Rule;

#define MOST_RULES 16
static Rule rules[MOST_RULES];
static int rule_count;
static unsigned long calls;
static Code lost;
static int environment_read;

// Codes after which a context answers every call with the same.
static int is_lost(Code code) { return (code >= 700 && code != 701 && code != 704 && code != 705 && code <= 721) || code == 214; }

int device_is_lost(void) { return lost != OK; }

static int read_rules(const char *text) {
  rule_count = 0;
  calls = 0;
  while (text && *text) {
    Rule rule = {0};
    int length = 0;
    if (rule_count == MOST_RULES || sscanf(text, "%47[^:]:%lu=%u%n", rule.function, &rule.number, &rule.code, &length) != 3)
      return 0;
    rules[rule_count++] = rule;
    text += length;
    if (*text == ',') text++;
  }
  return 1;
}

int standInFail(const char *text) {
  pthread_mutex_lock(&lock);
  environment_read = 1;
  int understood = read_rules(text);
  pthread_mutex_unlock(&lock);
  return understood;
}

void standInReset(void) {
  pthread_mutex_lock(&lock);
  environment_read = 1;
  rule_count = 0;
  calls = 0;
  lost = 0;
  violations = 0;
  told[0] = 0;
  forget(&launched);
  forget(&worked);
  pthread_mutex_unlock(&lock);
}

unsigned long standInCalls(void) {
  pthread_mutex_lock(&lock);
  unsigned long count = calls;
  pthread_mutex_unlock(&lock);
  return count;
}

static void read_environment(void) {
  if (environment_read) return;
  environment_read = 1;
  if (!read_rules(getenv("SUNZI_STAND_IN_FAIL"))) violation(0, "SUNZI_STAND_IN_FAIL cannot be read");
}

Code planted_by_name(const char *call) {
  read_environment();
  for (int i = 0; i < rule_count; i++)
    if (!strcmp(rules[i].function, call) && ++rules[i].seen == rules[i].number) return rules[i].code;
  return OK;
}

Code planted(const char *call) {
  read_environment();
  calls++;
  Code code = lost;
  for (int i = 0; i < rule_count; i++) {
    Rule *rule = &rules[i];
    if (strcmp(rule->function, "*") && strcmp(rule->function, call)) continue;
    if (++rule->seen == rule->number && !code) code = rule->code;
  }
  if (is_lost(code)) lost = code;
  return code;
}
