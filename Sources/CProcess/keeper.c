#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// How long killing may take before the caller is told about the survivors.
static const int64_t PATIENCE = 10LL * 1000 * 1000 * 1000;

struct keeper {
  /// Readable when a child has ended.
  int children_ended;
  /// The kernel's list of this thread's children.
  int children_list;
  /// The program; 0 once it was waited for.
  pid_t program;
  int64_t started;
  bool killing;
  int64_t killing_since;
  /// Where the program reports how what it runs has ended; -1 for nowhere.
  int status;
  /// The program is bubblewrap.
  bool contained;
  /// Nobody listens any more, or everything was said.
  bool silent;
  int32_t leftovers;
};

static int64_t monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void tell(struct cprocess_report report) {
  // A caller that is gone shows as the end of the control socket, too.
  (void)send(CONTROL, &report, sizeof report, MSG_NOSIGNAL);
}

static _Noreturn void give_up(enum cprocess_stage stage, int code) {
  tell((struct cprocess_report){.news = CPROCESS_FAILED, .stage = stage, .code = code});
  _exit(0);
}

static void close_from(unsigned first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  // Before Linux 5.9.
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = 1024;
  for (rlim_t number = first; number < files.rlim_cur; number++) close((int)number);
}

/// Gives the descriptors their numbers and lets go of everything that belongs to the caller.
static void take_descriptors(int control, int output, int error) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  int failed = null < 0 ? errno : 0;
  if (dup3(control, CONTROL, O_CLOEXEC) < 0) _exit(1);
  if (failed != 0) give_up(CPROCESS_AT_NULL, failed);
  if (dup3(output, OUTPUT, O_CLOEXEC) < 0) give_up(CPROCESS_AT_KEEPER, errno);
  if (dup3(error, ERROR, O_CLOEXEC) < 0) give_up(CPROCESS_AT_KEEPER, errno);
  for (int number = 0; number < CONTROL; number++) {
    if (dup2(null, number) < 0) give_up(CPROCESS_AT_KEEPER, errno);
  }
  close_from(ERROR + 1);
}

static void prepare(struct keeper *keeper) {
  for (int number = 1; number <= SIGRTMAX; number++) signal(number, SIG_DFL);
  // Out of reach of the terminal's signals.
  if (setsid() < 0) give_up(CPROCESS_AT_KEEPER, errno);
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) give_up(CPROCESS_AT_KEEPER, errno);
  prctl(PR_SET_NAME, "martlet-keeper");
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  keeper->children_ended = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
  if (keeper->children_ended < 0) give_up(CPROCESS_AT_KEEPER, errno);
  keeper->children_list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (keeper->children_list < 0) give_up(CPROCESS_AT_CHILDREN_LIST, errno);
}

static void tell_empty(struct keeper *keeper, int32_t survivors) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  int64_t seconds = (int64_t)used.ru_utime.tv_sec + used.ru_stime.tv_sec;
  tell((struct cprocess_report){
      .news = CPROCESS_EMPTY,
      .leftovers = keeper->leftovers,
      .survivors = survivors,
      .cpu_microseconds = seconds * 1000000 + used.ru_utime.tv_usec + used.ru_stime.tv_usec,
      .peak_kilobytes = used.ru_maxrss,
  });
  keeper->silent = true;
}

/// Tells how the program ended.
///
/// Bubblewrap makes an exit status of a signal. A report is believed as far as it agrees with that.
static void tell_ended(struct keeper *keeper, int status) {
  struct cprocess_report report = {
      .news = CPROCESS_ENDED, .code = status, .nanoseconds = monotonic_now() - keeper->started};
  int said;
  if (keeper->status >= 0 && WIFEXITED(status) && read(keeper->status, &said, sizeof said) == sizeof said) {
    int as_exit = WIFSIGNALED(said) ? 128 + WTERMSIG(said) : WIFEXITED(said) ? WEXITSTATUS(said) : -1;
    report.exact = as_exit == WEXITSTATUS(status);
    if (report.exact) report.code = said;
  }
  tell(report);
}

/// Collects what has ended; the keeper's life ends with the last of its children.
static void collect(struct keeper *keeper) {
  int status;
  pid_t pid;
  while ((pid = wait4(-1, &status, WNOHANG | __WALL, NULL)) > 0) {
    if (pid == keeper->program) {
      keeper->program = 0;
      tell_ended(keeper, status);
    } else if (keeper->killing && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      keeper->leftovers++;
    }
  }
  if (pid < 0 && errno == ECHILD) {
    if (!keeper->silent) tell_empty(keeper, 0);
    _exit(0);
  }
}

/// Kills all children, whose own children become the keeper's; returns how many there were.
static int32_t kill_children(struct keeper *keeper) {
  char list[16384];
  int32_t count = 0;
  pid_t pid = 0;
  ssize_t length = pread(keeper->children_list, list, sizeof list, 0);
  // Each number is followed by a space; one that was cut off is left for the next round.
  for (ssize_t at = 0; at < length; at++) {
    if (list[at] >= '0' && list[at] <= '9') {
      pid = pid * 10 + (list[at] - '0');
      continue;
    }
    // Only this thread collects its children, so a child's number cannot have gone to another process since.
    siginfo_t info;
    if (pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0) {
      kill(pid, SIGKILL);
      count++;
    }
    pid = 0;
  }
  return count;
}

static void begin_killing(struct keeper *keeper) {
  if (keeper->killing) return;
  keeper->killing = true;
  keeper->killing_since = monotonic_now();
}

/// Reads the list of the children of a child of this process; the first of them, or 0.
static pid_t first_child(pid_t parent) {
  char path[64];
  cprocess_fill(path, "/proc/#/task/#/children", (unsigned)parent);
  int list = open(path, O_RDONLY | O_CLOEXEC);
  if (list < 0) return 0;
  char text[32];
  ssize_t got = read(list, text, sizeof text);
  close(list);
  pid_t child = 0;
  for (ssize_t at = 0; at < got && text[at] >= '0' && text[at] <= '9'; at++) child = child * 10 + (text[at] - '0');
  return child;
}

/// Asks the process group inside a sandbox to end, which the first process of its namespace leads; that process itself
/// is deaf to the wish. Returns whether there was one.
///
/// Bubblewrap is stopped meanwhile: what it cannot wait for keeps its number.
static bool terminate_contained(pid_t bubblewrap) {
  siginfo_t info = {0};
  kill(bubblewrap, SIGSTOP);
  int code = waitid(P_PID, (id_t)bubblewrap, &info, WSTOPPED | WEXITED | WNOWAIT);
  bool asked = false;
  if (code == 0 && info.si_code == CLD_STOPPED) {
    pid_t leader = first_child(bubblewrap);
    asked = leader > 0 && getpgid(leader) == leader;
    if (asked) {
      kill(-leader, SIGTERM);
      kill(-leader, SIGCONT);
    }
  }
  kill(bubblewrap, SIGCONT);
  return asked;
}

static void take_order(struct keeper *keeper) {
  char order;
  ssize_t length = recv(CONTROL, &order, 1, MSG_DONTWAIT);
  if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) {
    // The caller closed its side or died.
    keeper->silent = true;
    begin_killing(keeper);
  } else if (length == 1 && order == CPROCESS_KILL) {
    begin_killing(keeper);
  } else if (length == 1 && order == CPROCESS_TERMINATE && keeper->program > 0) {
    if (keeper->contained && terminate_contained(keeper->program)) return;
    // The group bears the number of the program, which is still to be collected: it cannot be another's. A stopped
    // process has to go on to end.
    kill(-keeper->program, SIGTERM);
    kill(-keeper->program, SIGCONT);
  }
}

_Noreturn void cprocess_keep(const struct cprocess_command *command, int control, int output, int error) {
  struct keeper keeper = {.contained = command->contained};
  struct failure failure;
  take_descriptors(control, output, error);
  prepare(&keeper);
  keeper.started = monotonic_now();
  int status[2] = {-1, -1};
  if (command->reporting && pipe2(status, O_CLOEXEC | O_NONBLOCK) != 0) give_up(CPROCESS_AT_KEEPER, errno);
  keeper.status = status[0];
  struct way way;
  if (cprocess_hire_router(command->router, &way) != 0) give_up(CPROCESS_AT_NETWORK, errno);
  keeper.program = cprocess_launch(command, status[1], &way, &failure);
  if (keeper.program < 0) give_up(failure.stage, failure.code);
  if (status[1] >= 0) close(status[1]);
  if (way.ask >= 0) close(way.ask);
  if (way.answer >= 0) close(way.answer);
  close(OUTPUT);
  close(ERROR);
  if (chdir("/") != 0) { /* Then the caller's folder stays in use for the time of the run. */ }

  for (;;) {
    struct pollfd ready[] = {
        {.fd = keeper.silent ? -1 : CONTROL, .events = POLLIN},
        {.fd = keeper.children_ended, .events = POLLIN},
    };
    poll(ready, 2, keeper.killing ? 50 : -1);
    struct signalfd_siginfo ended;
    while (read(keeper.children_ended, &ended, sizeof ended) > 0) continue;
    if (ready[0].revents != 0) take_order(&keeper);
    collect(&keeper);
    if (!keeper.killing) continue;
    int32_t alive = kill_children(&keeper);
    if (!keeper.silent && monotonic_now() - keeper.killing_since > PATIENCE) tell_empty(&keeper, alive);
  }
}
