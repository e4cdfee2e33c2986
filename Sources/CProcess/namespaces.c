#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static int put(const char *path, const char *pattern, unsigned number) {
  char text[64];
  cprocess_fill(text, pattern, number);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t length = (ssize_t)strlen(text);
  int code = write(file, text, (size_t)length) == length ? 0 : -1, reason = errno;
  close(file);
  errno = reason;
  return code;
}

int cprocess_enter(int namespaces) {
  unsigned user = geteuid(), group = getegid();
  // Networks and mounts belong to a user namespace. Whoever leads out of the one and lays the others over folders has to be
  // root in it; who the program is inside is bubblewrap's to say.
  if (unshare(CLONE_NEWUSER | namespaces) != 0) return -1;
  if (put("/proc/self/setgroups", "deny", 0) != 0 || put("/proc/self/uid_map", "0 # 1", user) != 0) return -1;
  return put("/proc/self/gid_map", "0 # 1", group);
}

/// Lays a writable folder over another.
///
/// https://docs.kernel.org/filesystems/overlayfs.html
static int mount_view(const char *original, const char *layers) {
  char options[128];
  // By its number, since a name can hold what separates options.
  int lower = open(original, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lower < 0) return -1;
  cprocess_fill(options, "lowerdir=/proc/self/fd/#,upperdir=upper,workdir=work,userxattr", (unsigned)lower);
  int code = chdir(layers);
  if (code == 0) code = mount("overlay", "merged", "overlay", MS_NOSUID | MS_NODEV, options);
  int reason = errno;
  close(lower);
  errno = reason;
  return code;
}

int cprocess_mount_views(char *const *views) {
  for (; views[0] != NULL; views += 2) {
    if (mount_view(views[0], views[1]) != 0) return -1;
  }
  return 0;
}
