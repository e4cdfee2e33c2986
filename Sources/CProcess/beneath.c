#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// From linux/openat2.h, which is missing before Linux 5.6 (https://man7.org/linux/man-pages/man2/openat2.2.html).
struct how {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};
enum { NO_MAGICLINKS = 0x02, NO_SYMLINKS = 0x04, BENEATH = 0x08 };
enum { CALL = 437, ATTEMPTS = 100 };

/// One name after the other, for kernels and containers that do not let the whole path be asked for.
static int open_stepwise(int folder, const char *path, int flags) {
  int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  while (at >= 0) {
    char name[256];
    size_t length = strcspn(path, "/");
    if (length == 0 || length >= sizeof name) {
      close(at);
      errno = length == 0 ? EINVAL : ENAMETOOLONG;
      return -1;
    }
    memcpy(name, path, length);
    name[length] = 0;
    if (strcmp(name, "..") == 0) {
      close(at);
      errno = EXDEV;
      return -1;
    }
    path += length + strspn(path + length, "/");
    int next = openat(at, name, *path == 0 ? flags : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int code = errno;
    close(at);
    errno = code;
    if (*path == 0) return next;
    at = next;
  }
  return -1;
}

int cprocess_open_beneath(int folder, const char *path, int flags, bool stepwise) {
  flags |= O_CLOEXEC | O_NOFOLLOW;
  if (*path == '/') {
    errno = EXDEV;
    return -1;
  }
  struct how how = {.flags = (uint64_t)flags, .resolve = NO_MAGICLINKS | NO_SYMLINKS | BENEATH};
  for (int attempt = 0; attempt < ATTEMPTS && !stepwise; attempt++) {
    long number = syscall(CALL, folder, path, &how, sizeof how);
    if (number >= 0) return (int)number;
    // Something was renamed meanwhile.
    if (errno == EAGAIN || errno == EINTR) continue;
    if (errno == ENOSYS || errno == EPERM) break;
    return -1;
  }
  return open_stepwise(folder, path, flags);
}
