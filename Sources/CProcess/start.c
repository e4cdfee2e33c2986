#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

/// How much output waits in a pipe while its reader is busy; more than an unprivileged user may have is not an error.
enum { PIPE_BYTES = 1024 * 1024 };

/// The caller's end and the keeper's end of one connection.
struct connection {
  int ours;
  int theirs;
};

static void hang_up(struct connection *connection) {
  if (connection->ours >= 0) close(connection->ours);
  if (connection->theirs >= 0) close(connection->theirs);
  *connection = (struct connection){-1, -1};
}

/// Moves a descriptor out of the range in which the keeper numbers its own.
static int lift(int *descriptor) {
  if (*descriptor >= FIRST_FREE) return 0;
  int lifted = fcntl(*descriptor, F_DUPFD_CLOEXEC, FIRST_FREE);
  if (lifted < 0) return -1;
  close(*descriptor);
  *descriptor = lifted;
  return 0;
}

static int open_control(struct connection *control) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  *control = (struct connection){ends[0], ends[1]};
  return lift(&control->theirs);
}

static int open_pipe(struct connection *pipe) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  *pipe = (struct connection){ends[0], ends[1]};
  (void)fcntl(pipe->ours, F_SETPIPE_SZ, PIPE_BYTES);
  // The two ends have flags of their own: the program's stays blocking.
  if (fcntl(pipe->ours, F_SETFL, O_NONBLOCK) != 0) return -1;
  return lift(&pipe->theirs);
}

int cprocess_start(const struct cprocess_command *command, struct cprocess_run *run) {
  struct connection control = {-1, -1}, output = {-1, -1}, error = {-1, -1};
  if (open_control(&control) != 0 || open_pipe(&output) != 0 || open_pipe(&error) != 0) goto failed;

  // No handler of the caller's may run in the keeper, so all signals stay blocked there.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t keeper = fork();
  if (keeper == 0) cprocess_keep(command, control.theirs, output.theirs, error.theirs);
  int code = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = code;
  if (keeper < 0) goto failed;

  close(control.theirs);
  close(output.theirs);
  close(error.theirs);
  *run = (struct cprocess_run){.keeper = keeper, .control = control.ours, .output = output.ours, .error = error.ours};
  return 0;

failed:;
  int reason = errno;
  hang_up(&control);
  hang_up(&output);
  hang_up(&error);
  return reason;
}
