// The kernel and the few functions on text that `ProcessObserver.c` needs: it uses no library.

#pragma once
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/// A range of the memory.
struct range {
  uintptr_t start, end;
};

enum { PATH_BYTES = 4096, EINTR = 4, EFAULT = 14, ENOSYS = 38, ERROR = 4095 };

// MARK: The kernel

#if defined(__x86_64__)
static long ask(long call, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(call), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
static long ask(long call, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = call;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
#error "no other processor is known here"
#endif

#define ASK(call, ...) ARGUMENTS(call, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define ARGUMENTS(call, a, b, c, d, e, f, ...) ask(SYS_##call, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static int failed(long result) { return result < 0 && result >= -ERROR; }

static _Noreturn void leave(int status) {
  for (;;) ASK(exit_group, status);
}

static int open_file(const char *path, int flags) { return (int)ASK(openat, AT_FDCWD, path, flags, 0); }

/// Moves the descriptor to where nobody counts, as high as is allowed.
static int lifted(int descriptor) {
  struct rlimit most;
  if (failed(ASK(prlimit64, 0, RLIMIT_NOFILE, 0, &most))) return descriptor;
  int wanted = most.rlim_cur > 1024 ? 1000 : (int)most.rlim_cur - 8;
  int high = wanted <= descriptor ? -1 : (int)ASK(fcntl, descriptor, F_DUPFD_CLOEXEC, wanted);
  if (high < 0) return descriptor;
  ASK(close, descriptor);
  return high;
}

static char *memory_of(size_t size) {
  long memory = ASK(mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return failed(memory) ? NULL : (char *)memory;
}

// MARK: Text

/// The compiler calls these by their names.
void *memcpy(void *to, const void *from, size_t count) {
  for (size_t at = 0; at < count; at++) ((volatile char *)to)[at] = ((const char *)from)[at];
  return to;
}

void *memset(void *to, int value, size_t count) {
  for (size_t at = 0; at < count; at++) ((volatile char *)to)[at] = (char)value;
  return to;
}

static size_t length_of(const char *text) {
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

static int is_equal(const char *one, const char *other) {
  while (*one != 0 && *one == *other) one++, other++;
  return *one == *other;
}

static int begins(const char *text, const char *beginning) {
  while (*beginning != 0 && *text == *beginning) text++, beginning++;
  return *beginning == 0;
}

static int ends(const char *text, const char *end) {
  size_t length = length_of(text), count = length_of(end);
  return length >= count && is_equal(text + length - count, end);
}

static uint64_t hexadecimal(const char **text) {
  uint64_t value = 0;
  for (;; (*text)++) {
    char letter = **text;
    int digit = letter >= '0' && letter <= '9' ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    if (digit < 0) return value;
    value = value << 4 | (uint64_t)digit;
  }
}

// MARK: Files

/// Whether two paths lead to one file or folder; the way to it may have links.
static int is_same(const char *one, const char *other) {
  struct stat first, second;
  return ASK(newfstatat, AT_FDCWD, one, &first, 0) == 0 && ASK(newfstatat, AT_FDCWD, other, &second, 0) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/// Whether a file lies in a folder, and not in one below.
static int lies_within(const char *path, const char *folder) {
  char around[PATH_BYTES];
  size_t end = length_of(path);
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0 || end >= sizeof around) return 0;
  memcpy(around, path, end);
  around[end] = 0;
  return is_same(around, folder);
}

/// Writes the path of the kernel's link to an open file, which has at most 19 bytes; returns its end, null for a number of
/// more than four digits.
static char *put_link(char *to, int file) {
  if (file < 0 || file > 9999) return NULL;
  memcpy(to, "/proc/self/fd/", 14);
  to += 14;
  for (int unit = 1000; unit > 0; unit /= 10)
    if (file >= unit || unit == 1) *to++ = (char)('0' + file / unit % 10);
  *to = 0;
  return to;
}

/// Whether one of the kernel's links leads to a file in a folder.
static int links_within(const char *link, const char *folder) {
  char path[PATH_BYTES];
  long count = ASK(readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  return lies_within(path, folder);
}
