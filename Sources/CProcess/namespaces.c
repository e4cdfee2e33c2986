#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
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

/// Takes away the mark by which the kernel refuses layers that may have been cut off by a crash of the machine: these have
/// been made since it was started.
static void let_mount_again(void) {
  unlink("work/work/incompat/volatile/dirty");
  rmdir("work/work/incompat/volatile");
  rmdir("work/work/incompat");
}

/// Lays a writable folder over another.
///
/// https://docs.kernel.org/filesystems/overlayfs.html
static int mount_view(const char *original, const char *layers) {
  char options[128];
  // By its number, since a name can hold what separates options. What is written is thrown away, so that nothing waits for
  // it to be on the disk when the last program has ended.
  int lower = open(original, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lower < 0) return -1;
  cprocess_fill(options, "lowerdir=/proc/self/fd/#,upperdir=upper,workdir=work,userxattr,volatile", (unsigned)lower);
  int code = chdir(layers);
  if (code == 0) let_mount_again();
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

bool cprocess_can_mount_views(char *const *views) {
  sigset_t all, before;
  sigfillset(&all);
  // No handler may run in the child, which shares this memory.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = vfork();
  if (child == 0) _exit(cprocess_enter(CLONE_NEWNS) == 0 && cprocess_mount_views(views) == 0 ? 0 : 1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status == 0;
}
