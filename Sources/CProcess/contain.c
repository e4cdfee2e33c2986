#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// What bubblewrap is handed to build a sandbox with, and what a program must not inherit. All of this may be called in the
// child of vfork.

/// Gives the program a descriptor by a number; the caller's own is used up.
static int hand(int descriptor, int number) {
  if (descriptor < 0) return -1;
  if (descriptor == number) return fcntl(descriptor, F_SETFD, 0);
  int code = dup2(descriptor, number) < 0 ? -1 : 0, reason = errno;
  close(descriptor);
  errno = reason;
  return code;
}

static int open_namespace(pid_t process, const char *pattern) {
  char path[64];
  cprocess_fill(path, pattern, (unsigned)process);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/// Bubblewrap mounts as the owner of the processes' namespace, and then goes where the process is.
static int hand_namespaces(pid_t process) {
  if (process <= 0) return 0;
  if (hand(open_namespace(process, "/proc/#/ns/pid"), CPROCESS_PROCESSES) != 0) return -1;
  if (hand(ioctl(CPROCESS_PROCESSES, NS_GET_USERNS), CPROCESS_OUTER_USERS) != 0) return -1;
  return hand(open_namespace(process, "/proc/#/ns/user"), CPROCESS_INNER_USERS);
}

void cprocess_leave_keyring(void) {
  // Where a kernel or container has no keyrings to give, it has none to share either, or refuses them to everybody.
  (void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
}

int cprocess_equip(const struct cprocess_command *command) {
  if (!command->contained) return 0;
  if (hand(cprocess_open_filter(command->features), CPROCESS_FILTER) != 0) return -1;
  return hand_namespaces(command->companion);
}
