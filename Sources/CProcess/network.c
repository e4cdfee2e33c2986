#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/// How long the router may take to open the way, in milliseconds.
enum { PATIENCE = 10 * 1000 };

void cprocess_fill(char *text, const char *pattern, unsigned number) {
  char digits[16];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  for (const char *part = pattern; *part != 0; part++) {
    if (*part != '#') *text++ = *part;
    for (int at = count; *part == '#' && at > 0; at--) *text++ = digits[at - 1];
  }
  *text = 0;
}

/// Waits to be told which process has a network of its own, and becomes the program that leads out of it.
///
/// https://github.com/rootless-containers/slirp4netns/blob/v1.2.0/slirp4netns.1.md
static _Noreturn void become_router(const char *router, int asked, int ready) {
  char guest[16], tell[32];
  sigset_t none;
  pid_t program;
  sigemptyset(&none);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || fcntl(ready, F_SETFD, 0) != 0) _exit(1);
  if (read(asked, &program, sizeof program) != sizeof program) _exit(1);
  cprocess_fill(guest, "#", (unsigned)program);
  cprocess_fill(tell, "--ready-fd=#", (unsigned)ready);
  // What the guest sends is hostile: the router, too, has neither files nor rights.
  char *words[] = {"slirp4netns", "--configure", "--mtu=65520", "--disable-host-loopback", "--enable-sandbox",
                   "--enable-seccomp", tell, guest, "tap0", NULL};
  char *nothing[] = {NULL};
  if (chdir("/") == 0 && sigprocmask(SIG_SETMASK, &none, NULL) == 0) execve(router, words, nothing);
  _exit(1);
}

int cprocess_hire_router(const char *router, struct way *way) {
  int asking[2], answering[2];
  *way = (struct way){-1, -1};
  if (router == NULL) return 0;
  // Where one of these fails, the keeper gives up and takes all descriptors with it.
  if (pipe2(asking, O_CLOEXEC) != 0 || pipe2(answering, O_CLOEXEC) != 0) return -1;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    close(asking[1]);
    close(answering[0]);
    become_router(router, asking[0], answering[1]);
  }
  close(asking[0]);
  close(answering[1]);
  *way = (struct way){asking[1], answering[0]};
  return 0;
}

int cprocess_take_way(const struct way *way) {
  if (way->ask < 0) return 0;
  pid_t self = getpid();
  if (write(way->ask, &self, sizeof self) != sizeof self) return -1;
  struct pollfd answer = {.fd = way->answer, .events = POLLIN};
  int count = poll(&answer, 1, PATIENCE);
  char ready;
  if (count > 0) count = read(way->answer, &ready, 1) == 1 ? 1 : -1;
  if (count == 1) return 0;
  // The end of the pipe is the end of the router, which says nothing else.
  errno = count == 0 ? ETIMEDOUT : ENETUNREACH;
  return -1;
}
