// The coverage counters of a test process: LLVM's runtime maps them from a file, so that they outlive the process. Here they
// are moved to memory without a name, so that nothing but the process can count.

#pragma once
#include "Records.h"
#include "System.h"

#include <sys/mman.h>

/// The folder of the files of counters; null for none.
static char *profiles;

/// Whether what each test counts is told.
static int maps_tests;

/// Counters that were moved, and what they held when they were told last. They are in the file's layout, of which nothing
/// is known here: whatever changes while tests run is a counter.
struct counted {
  const uint64_t *now;
  uint64_t *told;
  size_t count;
};

enum { MOST_COUNTED = 1024, CHANGE_BYTES = 20 };
static struct counted all_counted[MOST_COUNTED];
static int counted_count;

/// Remembers what moved counters hold.
static void begin_telling(struct range range) {
  size_t length = range.end - range.start;
  if (!maps_tests || counted_count == MOST_COUNTED) return;
  long memory = ASK(mmap, 0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct counted counted = {(const uint64_t *)range.start, (uint64_t *)memory, length / 8};
  if (failed(memory)) counted.count = 0;
  else memcpy(counted.told, counted.now, length);
  // Also where there is no memory: its number is its place among those that were moved.
  all_counted[counted_count++] = counted;
}

/// Puts a number down in groups of seven bits, the lowest first.
static size_t put_short(uint8_t *bytes, uint64_t number) {
  size_t at = 0;
  for (; number >= 128; number >>= 7) bytes[at++] = (uint8_t)(number | 128);
  bytes[at++] = (uint8_t)number;
  return at;
}

enum { BLOCK_WORDS = 16 };

/// Whether a block of counters is as it was told.
static int is_told(const uint64_t *now, const uint64_t *told) {
  uint64_t differs = 0;
  for (int word = 0; word < BLOCK_WORDS; word++) differs |= now[word] ^ told[word];
  return differs == 0;
}

/// Returns the first word that has changed, from one on; the number of words for none. Most blocks have not.
static size_t next_change(const struct counted *counted, size_t word) {
  const uint64_t *now = counted->now, *told = counted->told;
  size_t count = counted->count;
  for (; word < count; word++) {
    while (word % BLOCK_WORDS == 0 && word + BLOCK_WORDS <= count && is_told(now + word, told + word)) word += BLOCK_WORDS;
    if (word < count && __atomic_load_n(now + word, __ATOMIC_RELAXED) != told[word]) break;
  }
  return word;
}

/// Tells what was counted since the last time: of each part its place among those that were moved, and then how far on the
/// next word is that changed, and by how much.
static void send_changes(void) {
  static uint8_t bytes[MOST_BYTES];
  if (counted_count == 0 || !is_followed()) return;
  take_lock(1);
  for (int part = 0; part < counted_count; part++) {
    struct counted counted = all_counted[part];
    size_t at = put_short(bytes, (uint64_t)part), begin = at, last = 0;
    for (size_t word = next_change(&counted, 0); word < counted.count; word = next_change(&counted, word + 1)) {
      uint64_t now = __atomic_load_n(counted.now + word, __ATOMIC_RELAXED), before = counted.told[word];
      counted.told[word] = now;
      at += put_short(bytes + at, word - last);
      at += put_short(bytes + at, now - before);
      last = word;
      if (at + CHANGE_BYTES <= MOST_BYTES) continue;
      send_locked('K', bytes, at, -1);
      at = begin, last = 0;
    }
    if (at > begin) send_locked('K', bytes, at, -1);
  }
  give_lock();
}

/// Moves mapped counters from their file to memory without a name, and hands that to Martlet: with the file's length and
/// name.
static void move_counters(struct range range, const char *path) {
  uint8_t bytes[PATH_BYTES + 64];
  struct stat status;
  size_t length = range.end - range.start;
  if (ASK(newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  int memory = (int)ASK(memfd_create, "counters", MFD_CLOEXEC);
  if (memory < 0) return;
  size_t at = put_number(bytes, (uint64_t)status.st_size);
  at += put_text(bytes + at, path, PATH_BYTES);
  if (ASK(ftruncate, memory, length) == 0 && ASK(write, memory, range.start, length) == (long)length
      && !failed(ASK(mmap, range.start, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0))) {
    take_lock(1);
    send_locked('M', bytes, at, memory);
    give_lock();
    begin_telling(range);
  }
  ASK(close, memory);
}

/// Takes one line of the list of mappings: `7f0-7f1 rw-s 00000000 fd:01 123 /folder/file`.
static void take_mapping(char *line) {
  const char *rest = line;
  struct range range = {hexadecimal(&rest), 0};
  if (*rest++ != '-') return;
  range.end = hexadecimal(&rest);
  if (!begins(rest, " rw-s 00000000 ")) return;
  while (*rest != 0 && *rest != '/') rest++;
  if (lies_within(rest, profiles)) move_counters(range, rest);
}

static void move_all_counters(void) {
  static char text[1 << 20];
  int list = profiles == NULL ? -1 : open_file("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  // Read as a whole first: each move changes the list.
  size_t count = 0;
  for (long got; count < sizeof text - 1 && (got = ASK(read, list, text + count, sizeof text - 1 - count)) > 0;)
    count += (size_t)got;
  ASK(close, list);
  char *line = text;
  for (size_t at = 0; at < count; at++) {
    if (text[at] != '\n') continue;
    text[at] = 0;
    take_mapping(line);
    line = text + at + 1;
  }
}
