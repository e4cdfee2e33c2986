// The coverage counters of a test process: LLVM's runtime maps them from a file, so that they outlive the process. Here they
// are moved to memory without a name, so that nothing but the process can count.

#pragma once
#include "Records.h"
#include "System.h"

#include <sys/mman.h>

/// The folder of the files of counters; null for none.
static char *profiles;

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
