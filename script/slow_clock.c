// A library to preload: what it is loaded into sees all clocks and file times after a moment run slowly.
//
// SLOW_START is that moment in seconds since 1970, SLOW_FACTOR how many true seconds make one. Times on the disk stay true.
// A fast machine, which builds several times within a second, is so seen on a slow one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

static void slow(struct timespec *time) {
  static long long start, factor;
  if (factor == 0) {
    const char *words = getenv("SLOW_START"), *number = getenv("SLOW_FACTOR");
    start = words == NULL ? 0 : atoll(words);
    factor = number == NULL ? 1 : atoll(number);
  }
  if (time->tv_sec < start) return;
  long long passed = ((time->tv_sec - start) * 1000000000LL + time->tv_nsec) / factor;
  time->tv_sec = start + passed / 1000000000LL;
  time->tv_nsec = passed % 1000000000LL;
}

#define REAL(function) \
  static __typeof__(&function) real; \
  if (real == NULL) real = dlsym(RTLD_NEXT, #function)
#define STATUS(function, parameters, ...) \
  int function parameters { \
    REAL(function); \
    int result = real(__VA_ARGS__); \
    if (result == 0) slow(&status->st_mtim); \
    return result; \
  }

STATUS(stat, (const char *restrict path, struct stat *restrict status), path, status)
STATUS(lstat, (const char *restrict path, struct stat *restrict status), path, status)
STATUS(fstat, (int file, struct stat *status), file, status)
STATUS(
    fstatat, (int folder, const char *restrict path, struct stat *restrict status, int flags), folder, path, status,
    flags)
STATUS(stat64, (const char *restrict path, struct stat64 *restrict status), path, status)
STATUS(lstat64, (const char *restrict path, struct stat64 *restrict status), path, status)
STATUS(fstat64, (int file, struct stat64 *status), file, status)
STATUS(
    fstatat64, (int folder, const char *restrict path, struct stat64 *restrict status, int flags), folder, path, status,
    flags)

int clock_gettime(clockid_t clock, struct timespec *time) {
  REAL(clock_gettime);
  int result = real(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) slow(time);
  return result;
}
