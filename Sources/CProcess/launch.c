#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/// How often a program file that is open for writing is tried again, ten milliseconds apart.
///
/// A file that this process has just written can be held open for a moment by a keeper that another thread forked
/// meanwhile (https://github.com/golang/go/issues/22315).
enum { BUSY_ATTEMPTS = 50 };

/// Lowers a limit for good, as far as the present one allows.
static int limit(int resource, uint64_t value) {
  struct rlimit now;
  if (value == CPROCESS_UNLIMITED) return 0;
  if (getrlimit(resource, &now) != 0) return -1;
  if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max) value = now.rlim_max;
  struct rlimit wanted = {.rlim_cur = value, .rlim_max = value};
  return setrlimit(resource, &wanted);
}

static int limit_all(const struct cprocess_command *command) {
  if (limit(RLIMIT_CORE, 0) != 0) return -1;
  if (limit(RLIMIT_AS, command->address_space) != 0) return -1;
  return limit(RLIMIT_FSIZE, command->file_size);
}

/// When the machine is out of memory, the kernel is to end this before anything else.
///
/// https://man7.org/linux/man-pages/man5/proc_pid_oom_score_adj.5.html
static void volunteer(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  // Where the kernel refuses, it chooses as it does.
  ssize_t written = write(file, "1000", 4);
  (void)written;
  close(file);
}

static void execute(const struct cprocess_command *command) {
  struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
  for (int attempt = 0; attempt < BUSY_ATTEMPTS; attempt++) {
    execve(command->path, command->arguments, command->environment);
    if (errno != ETXTBSY) return;
    nanosleep(&pause, NULL);
  }
}

/// Joins a control group, as everything that the program starts does.
static int join(const char *group) {
  if (group == NULL) return 0;
  int file = open(group, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  // Nought is whoever writes.
  int code = write(file, "0", 1) == 1 ? 0 : -1, reason = errno;
  close(file);
  errno = reason;
  return code;
}

/// Puts a file in the place of the empty standard input.
static int take_input(const char *path) {
  if (path == NULL) return 0;
  // A pipe with a name would wait for its writer, for ever if that was killed.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return -1;
  if (fcntl(file, F_SETFL, 0) != 0) return -1;
  return dup2(file, STDIN_FILENO) < 0 ? -1 : 0;
}

/// Gives the program the descriptor to report to.
static int give_status(int status) {
  if (status < 0) return 0;
  if (status == CPROCESS_STATUS) return fcntl(status, F_SETFD, 0);
  return dup2(status, CPROCESS_STATUS) < 0 ? -1 : 0;
}

/// Moves to the namespaces that the command is to have of its own; returns 0, or -1 with the stage.
static int isolate(const struct cprocess_command *command, const struct way *way, enum cprocess_stage *stage) {
  bool has_views = command->views[0] != NULL;
  int namespaces = (way->ask >= 0 ? CLONE_NEWNET : 0) | (has_views ? CLONE_NEWNS : 0);
  if (namespaces == 0) return 0;
  *stage = has_views ? CPROCESS_AT_VIEW : CPROCESS_AT_NETWORK;
  if (cprocess_enter(namespaces) != 0 || cprocess_mount_views(command->views) != 0) return -1;
  *stage = CPROCESS_AT_NETWORK;
  return cprocess_take_way(way);
}

/// Becomes the program; returns only if that failed, with the stage.
static enum cprocess_stage become(const struct cprocess_command *command, int status, const struct way *way) {
  sigset_t none;
  sigemptyset(&none);
  // The kernel ends the program if somebody kills its keeper.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || setsid() < 0) return CPROCESS_AT_KEEPER;
  if (dup2(OUTPUT, STDOUT_FILENO) < 0 || dup2(ERROR, STDERR_FILENO) < 0) return CPROCESS_AT_KEEPER;
  if (give_status(status) != 0) return CPROCESS_AT_KEEPER;
  if (limit_all(command) != 0) return CPROCESS_AT_LIMITS;
  if (join(command->group) != 0) return CPROCESS_AT_GROUP;
  volunteer();
  if (take_input(command->input) != 0) return CPROCESS_AT_INPUT;
  enum cprocess_stage stage;
  if (isolate(command, way, &stage) != 0) return stage;
  if (chdir(command->folder) != 0) return CPROCESS_AT_FOLDER;
  if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) return CPROCESS_AT_KEEPER;
  execute(command);
  return CPROCESS_AT_PROGRAM;
}

pid_t cprocess_launch(
    const struct cprocess_command *command, int status, const struct way *way, struct failure *failure) {
  // The child of vfork shares this memory and this thread waits until it has become the program or given up, so that
  // the failure needs no pipe. No signal handler can run in it: all dispositions are the default ones.
  volatile enum cprocess_stage stage = CPROCESS_AT_FORK;
  volatile int code = 0;
  pid_t child = vfork();
  if (child == 0) {
    stage = become(command, status, way);
    code = errno;
    _exit(127);
  }
  if (child > 0 && code == 0) return child;
  failure->stage = stage;
  failure->code = child < 0 ? errno : code;
  return -1;
}
