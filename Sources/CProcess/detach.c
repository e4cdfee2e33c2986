#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// The first descriptor that is free in a detached program, after the three standard streams and the held one.
enum { HELD = 3, FIRST_FREE_OF_DETACHED = 16 };

/// Returns a file in memory with some bytes, or -1 with errno set.
static int file_with(const void *bytes, size_t length) {
  int file = memfd_create("martlet-input", MFD_CLOEXEC);
  if (file < 0) return -1;
  for (size_t written = 0; written < length;) {
    ssize_t count = write(file, (const char *)bytes + written, length - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) goto failed;
    written += (size_t)count;
  }
  if (lseek(file, 0, SEEK_SET) == 0) return file;
failed:;
  int reason = errno;
  close(file);
  errno = reason;
  return -1;
}

/// Moves a descriptor out of the way of those that the program gets.
static int lift(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_FREE_OF_DETACHED); }

int cprocess_detach(
    const char *path, char *const *arguments, char *const *environment, const void *input, size_t length, int output,
    int held) {
  int file = file_with(input, length);
  if (file < 0) return errno;
  int ends[4] = {lift(file), lift(output), lift(output), lift(held)};
  close(file);
  int reason = 0;
  for (int index = 0; index < 4; index++) {
    if (ends[index] < 0) reason = errno;
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = reason == 0 ? fork() : -1;
  if (child < 0 && reason == 0) reason = errno;
  if (child == 0) {
    setsid();
    // Nobody here would ever learn that the program has ended, and it would stay in the table of processes.
    pid_t program = fork();
    if (program != 0) _exit(program < 0 ? errno : 0);
    for (int signal = 1; signal < NSIG; signal++) {
      if (signal != SIGKILL && signal != SIGSTOP) (void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    }
    // Nobody hangs up on it; it ends when it is done.
    (void)sigaction(SIGHUP, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int index = 0; index < 4; index++) {
      if (dup2(ends[index], index) < 0) _exit(127);
    }
    if (chdir("/") != 0) _exit(127);
    execve(path, arguments, environment);
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) reason = WEXITSTATUS(status);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  for (int index = 0; index < 4; index++) {
    if (ends[index] >= 0) close(ends[index]);
  }
  return reason;
}
