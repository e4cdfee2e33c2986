// A disk that fails, to be preloaded into 'martlet' by script/torture.
//
// Calls that write below the folder TORTURE_HOME fail with a chance of TORTURE_DISK's first number in 10,000: with
// ENOSPC, with EIO, or, where that means something, by writing only a part. TORTURE_DISK is a file of two 32-bit numbers
// in the machine's order, mapped by every process, so that the chance changes for all at once; the second counts the
// faults.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint32_t *control;
static const char *home;
static size_t home_length;
static _Atomic uint64_t state;

__attribute__((constructor)) static void begin(void) {
  home = getenv("TORTURE_HOME");
  const char *path = getenv("TORTURE_DISK");
  if (!home || !path) return;
  home_length = strlen(home);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *map = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map != MAP_FAILED) control = map;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  state = (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec;
}

// SplitMix64: https://prng.di.unimi.it/splitmix64.c
static uint64_t chance(void) {
  uint64_t z = atomic_fetch_add(&state, 0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static int is_below_home(const char *path) { return strncmp(path, home, home_length) == 0 && path[home_length] == '/'; }

static int is_file_of_home(int file) {
  struct stat about;
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below_home(path);
}

/// 0, or the fault that is due: an error number, or -1 for half a write.
static int fault(int partial) {
  uint32_t rate = control ? *control : 0;
  if (rate == 0 || chance() % 10000 >= rate) return 0;
  atomic_fetch_add(control + 1, 1);
  uint64_t kind = chance() % (partial ? 3 : 2);
  return kind == 0 ? ENOSPC : kind == 1 ? EIO : -1;
}

static int fault_of_file(int file, int partial) {
  if (!control || *control == 0) return 0;
  int kept = errno;
  int due = is_file_of_home(file) ? fault(partial) : 0;
  errno = kept;
  return due;
}

static int fault_of_path(const char *path) { return control && *control && is_below_home(path) ? fault(0) : 0; }

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write);
  int due = fault_of_file(file, count > 1);
  if (due > 0) return errno = due, -1;
  return real(file, bytes, due < 0 ? count / 2 : count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
  REAL(pwrite);
  int due = fault_of_file(file, count > 1);
  if (due > 0) return errno = due, -1;
  return real(file, bytes, due < 0 ? count / 2 : count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
  REAL(pwrite64);
  int due = fault_of_file(file, count > 1);
  if (due > 0) return errno = due, -1;
  return real(file, bytes, due < 0 ? count / 2 : count, place);
}

int fsync(int file) {
  REAL(fsync);
  int due = fault_of_file(file, 0);
  return due ? (errno = due, -1) : real(file);
}

int fdatasync(int file) {
  REAL(fdatasync);
  int due = fault_of_file(file, 0);
  return due ? (errno = due, -1) : real(file);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  int due = fault_of_path(to);
  return due ? (errno = due, -1) : real(from, to);
}

int link(const char *from, const char *to) {
  REAL(link);
  int due = fault_of_path(to);
  return due ? (errno = due, -1) : real(from, to);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  int due = fault_of_path(path);
  return due ? (errno = due, -1) : real(path, mode);
}

static int fault_of_place(int folder, const char *path) {
  if (!control || *control == 0) return 0;
  if (path[0] == '/' || folder == AT_FDCWD) return fault_of_path(path);
  char link[64], above[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  int kept = errno;
  ssize_t length = readlink(link, above, sizeof above - 2);
  errno = kept;
  if (length < 0) return 0;
  strcpy(above + length, "/");
  return fault_of_path(above);
}

int renameat(int from_folder, const char *from, int folder, const char *to) {
  REAL(renameat);
  int due = fault_of_place(folder, to);
  return due ? (errno = due, -1) : real(from_folder, from, folder, to);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  REAL(mkdirat);
  int due = fault_of_place(folder, path);
  return due ? (errno = due, -1) : real(folder, path, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  REAL(openat);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int due = flags & O_CREAT ? fault_of_place(folder, path) : 0;
  return due ? (errno = due, -1) : real(folder, path, flags, mode);
}

static int due_at_opening(const char *path, int flags) { return flags & O_CREAT ? fault_of_path(path) : 0; }

int open(const char *path, int flags, ...) {
  REAL(open);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int due = due_at_opening(path, flags);
  return due ? (errno = due, -1) : real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  REAL(open64);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int due = due_at_opening(path, flags);
  return due ? (errno = due, -1) : real(path, flags, mode);
}
