// Mutants of a test program: a child for each, forked before a test library has begun, in which the first bytes of a
// function are others, and which runs some of the tests.
//
// The orders lie in a file that is read before anything of the package runs in a child. Each of its lines is
//
//   A ARGUMENT (0x1F ARGUMENT)*              arguments of the program, the program's own name left out
//   M LIMIT,ROW (0x1F LIMIT,ROW)* TAB PATCH*  a mutant: milliseconds and a row of arguments for each of its runs
//
// and a patch is `ADDRESS:BYTES;` with hexadecimal numbers, where `@SYMBOL@` among the bytes stands for that symbol's address.
// The runs of a mutant follow each other until one of them does not pass.

#pragma once
#include "Images.h"
#include "Records.h"
#include "System.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

/// How a run of a mutant ended; the numbers are those of `MutantRun.End`.
enum { PASSED, FAILED, CRASHED, TIMED_OUT, NOT_STARTED };
/// The exit statuses of a child.
enum { HAS_PASSED = 100, HAS_FAILED = 101, HAS_LEFT = 102 };
enum { MOST_ROWS = 1 << 16, MOST_WORDS = 1 << 14, MOST_TOLD = 4096, MOST_PATCH = 64, MOST_MEMORY = 1 << 30 };

typedef int main_function(int, char **, char **);

/// The orders; null where there are none.
static char *orders;
static size_t orders_size;
/// Where a child tells which test failed.
static int told_failure = -1;

/// Reads a file that ends with a line's end: what tests make of it later says nothing.
static void read_orders(const char *path) {
  struct stat status;
  int file = path == NULL ? -1 : open_file(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char *memory = ASK(fstat, file, &status) == 0 && status.st_size > 0 ? memory_of((size_t)status.st_size) : NULL;
  size_t count = 0;
  for (long got; memory != NULL && count < (size_t)status.st_size
                 && (got = ASK(read, file, memory + count, (size_t)status.st_size - count)) > 0;)
    count += (size_t)got;
  if (count > 0 && memory[count - 1] == '\n') orders = memory, orders_size = count;
  ASK(close, file);
}

// MARK: In a child

static int has_part(const uint8_t *bytes, size_t count, const char *part) {
  size_t length = length_of(part);
  for (size_t at = 0; at + length <= count; at++) {
    size_t same = 0;
    while (same < length && bytes[at + same] == (uint8_t)part[same]) same++;
    if (same == length) return 1;
  }
  return 0;
}

/// Takes what a child would send: the first failure ends it, and so does the end of its tests.
static void note_in_mutant(uint8_t kind, const uint8_t *bytes, size_t count) {
  int is_failure = kind == 'I' || kind == 'U'
      || (kind == 'E' && has_part(bytes, count, "\"issueRecorded\"") && !has_part(bytes, count, "\"isKnown\":true")
          && !has_part(bytes, count, "\"isFailure\":false"));
  if (is_failure) {
    uint8_t first = kind;
    ASK(write, told_failure, &first, 1);
    ASK(write, told_failure, bytes, count < MOST_TOLD - 1 ? count : MOST_TOLD - 1);
    leave(HAS_FAILED);
  }
  if (kind != 'X') return;
  uint64_t ends, status;
  memcpy(&ends, bytes, 8);
  memcpy(&status, bytes + 8, 8);
  leave(!ends ? HAS_LEFT : status == 0 ? HAS_PASSED : HAS_FAILED);
}

/// Puts bytes over code, which only this process sees.
static int put_code(uintptr_t address, const uint8_t *bytes, size_t count) {
  uintptr_t page = address & ~(uintptr_t)4095;
  size_t length = address + count - page;
  if (failed(ASK(mprotect, page, length, PROT_READ | PROT_WRITE))) return 0;
  memcpy((void *)address, bytes, count);
  return !failed(ASK(mprotect, page, length, PROT_READ | PROT_EXEC));
}

/// Carries out the patches of a line.
static int patch(const char *rest) {
  while (*rest != '\n') {
    uint8_t bytes[MOST_PATCH];
    size_t count = 0;
    uintptr_t address = images[0]->l_addr + hexadecimal(&rest);
    if (*rest++ != ':') return 0;
    while (*rest != ';' && *rest != '\n') {
      if (count + 8 > MOST_PATCH) return 0;
      if (*rest == '@') {
        char name[128];
        size_t length = 0;
        for (rest++; *rest != '@' && *rest != '\n' && length < sizeof name - 1; rest++) name[length++] = *rest;
        if (*rest++ != '@') return 0;
        name[length] = 0;
        void *symbol = symbol_of(name);
        if (symbol == NULL) return 0;
        memcpy(bytes + count, &symbol, 8);
        count += 8;
      } else {
        char pair[3] = {rest[0], rest[1], 0};
        const char *digits = pair;
        bytes[count++] = (uint8_t)hexadecimal(&digits);
        if (digits != pair + 2) return 0;
        rest += 2;
      }
    }
    if (*rest++ != ';' || !put_code(address, bytes, count)) return 0;
  }
  return 1;
}

static void limit(int what, uint64_t most) {
  struct rlimit limits = {most, most};
  ASK(prlimit64, 0, what, &limits, 0);
}

static _Noreturn void run_mutant(const char *patches, int count, char **words, char **environment, main_function *begin) {
  typedef void override_arguments(char **, int);
  override_arguments *override = symbol_of("_swift_stdlib_overrideUnsafeArgvArgc");
  int nothing = open_file("/dev/null", O_RDWR);
  ASK(prctl, PR_SET_PDEATHSIG, 9);
  ASK(setpgid, 0, 0);
  for (int at = 0; at <= 2; at++) ASK(dup3, nothing, at, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_DATA, 2 * (uint64_t)MOST_MEMORY);
  owner = (int)ASK(getpid);
  instead_of_sending = note_in_mutant;
  if (override == NULL || !patch(patches)) leave(NOT_STARTED);
  override(words, count);
  begin(count, words, environment);
  leave(HAS_LEFT);
}

// MARK: Around the children

struct run_end {
  int kind, code;
  uint64_t milliseconds;
  uint8_t told[MOST_TOLD];
  size_t told_count;
};

static uint64_t milliseconds_now(void) {
  struct timespec time;
  ASK(clock_gettime, CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static int kind_of(int status) {
  if (!WIFEXITED(status)) return CRASHED;
  switch (WEXITSTATUS(status)) {
    case HAS_PASSED: return PASSED;
    case HAS_FAILED: return FAILED;
    case NOT_STARTED: return NOT_STARTED;
    default: return CRASHED;
  }
}

/// Waits for a child, and ends all of its group.
static void await(int child, uint64_t patience, struct run_end *end) {
  int descriptor = (int)ASK(pidfd_open, child, 0), status = 0;
  uint64_t start = milliseconds_now(), waited = 0;
  struct pollfd awaited = {.fd = descriptor, .events = POLLIN};
  int is_over = 0;
  while (!is_over && waited < patience) {
    uint64_t rest = patience - waited;
    struct timespec time = {(long)(rest / 1000), (long)(rest % 1000) * 1000000};
    long answer = ASK(ppoll, &awaited, 1, &time, 0, 0);
    is_over = answer > 0 || (failed(answer) && answer != -EINTR);
    waited = milliseconds_now() - start;
  }
  ASK(kill, -child, 9);
  ASK(kill, child, 9);
  while (ASK(wait4, child, &status, 0, 0) == -EINTR) {}
  if (descriptor >= 0) ASK(close, descriptor);
  end->kind = is_over ? kind_of(status) : TIMED_OUT;
  end->code = status;
  end->milliseconds = waited;
}

static void carry_out_run(
    const char *patches, uint64_t patience, int count, char **words, char **environment, main_function *begin,
    struct run_end *end) {
  int (*make_child)(void) = symbol_of("fork");
  int ends[2];
  end->kind = NOT_STARTED, end->code = 0, end->told_count = 0, end->milliseconds = 0;
  if (make_child == NULL || failed(ASK(pipe2, ends, O_CLOEXEC | O_NONBLOCK))) return;
  int child = make_child();
  if (child == 0) {
    told_failure = ends[1];
    run_mutant(patches, count, words, environment, begin);
  }
  ASK(close, ends[1]);
  if (child > 0) {
    await(child, patience, end);
    long got = ASK(read, ends[0], end->told, sizeof end->told);
    end->told_count = failed(got) ? 0 : (size_t)got;
  }
  ASK(close, ends[0]);
}

static uint64_t decimal(const char **text) {
  uint64_t value = 0;
  for (; **text >= '0' && **text <= '9'; (*text)++) value = value * 10 + (uint64_t)(**text - '0');
  return value;
}

/// Tells how a run ended: the numbers of the mutant and of the run, the kind, the status, the time, and what a test said.
static void tell_run(uint64_t mutant, uint64_t run, const struct run_end *end) {
  static uint8_t bytes[MOST_TOLD + 64];
  size_t at = put_number(bytes, mutant);
  at += put_number(bytes + at, run);
  at += put_number(bytes + at, (uint64_t)end->kind);
  at += put_number(bytes + at, (uint64_t)end->code);
  at += put_number(bytes + at, end->milliseconds);
  memcpy(bytes + at, end->told, end->told_count);
  send_record('V', bytes, at + end->told_count);
}

/// Makes the words of a row of arguments.
static int split_words(char *row, char *program, char **words) {
  int count = 0;
  words[count++] = program;
  if (*row != '\n') words[count++] = row;
  for (; *row != '\n' && count < MOST_WORDS - 1; row++) {
    if (*row != 0x1f) continue;
    *row = 0;
    words[count++] = row + 1;
  }
  *row = 0;
  words[count] = NULL;
  return count;
}

/// How many threads the process has; whoever has several cannot be forked as it is.
static int has_threads(void) {
  char list[4096];
  int folder = open_file("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), found = 0;
  long count = ASK(getdents64, folder, list, sizeof list);
  for (long at = 0; at < count; at += *(uint16_t *)(list + at + 16)) found += list[at + 19] != '.';
  ASK(close, folder);
  return found != 1;
}

/// Carries out all orders, and ends.
static _Noreturn void serve_mutants(char *program, char **environment, main_function *begin) {
  static char *rows[MOST_ROWS], *words[MOST_WORDS], *copy;
  static struct run_end end;
  uint64_t row_count = 0, mutant = 0;
  if (has_threads()) {
    send_record('W', NULL, 0);
    leave(0);
  }
  copy = memory_of(orders_size + 1);
  if (copy == NULL) leave(1);
  for (char *line = orders; line < orders + orders_size;) {
    char *next = line;
    while (*next != '\n') next++;
    if (line[0] == 'A' && row_count < MOST_ROWS) rows[row_count++] = line + 2;
    if (line[0] == 'M') {
      const char *runs = line + 2, *patches = line;
      while (*patches != '\t' && *patches != '\n') patches++;
      for (uint64_t run = 0; runs < patches; runs++, run++) {
        uint64_t patience = decimal(&runs);
        runs++;
        uint64_t row = decimal(&runs);
        if (row >= row_count) break;
        size_t length = 0;
        while (rows[row][length] != '\n') length++;
        memcpy(copy, rows[row], length + 1);
        int count = split_words(copy, program, words);
        carry_out_run(patches + (*patches == '\t'), patience, count, words, environment, begin, &end);
        tell_run(mutant, run, &end);
        if (end.kind != PASSED) break;
      }
      mutant++;
    }
    line = next + 1;
  }
  leave(0);
}
