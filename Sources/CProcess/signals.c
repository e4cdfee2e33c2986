#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

int cprocess_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cprocess_raise(int event) {
  // Only an overflowing counter could refuse the write, and then the event was raised.
  uint64_t one = 1;
  ssize_t written = write(event, &one, sizeof one);
  (void)written;
}

/// The event of the watch, or -1; never closed, since a handler may be about to write to it.
static atomic_int watched = -1;

static void raise_watched(int number) {
  (void)number;
  int code = errno;
  cprocess_raise(atomic_load(&watched));
  errno = code;
}

static int watch(int number, int flags) {
  struct sigaction now, wanted = {.sa_handler = raise_watched, .sa_flags = SA_RESTART | flags};
  if (sigaction(number, NULL, &now) != 0) return -1;
  // Whoever started this process with the signal ignored wants it so (nohup).
  if (now.sa_handler == SIG_IGN) return 0;
  sigemptyset(&wanted.sa_mask);
  return sigaction(number, &wanted, NULL);
}

int cprocess_watch_signals(int event) {
  int copy = fcntl(event, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return errno;
  int none = -1;
  if (!atomic_compare_exchange_strong(&watched, &none, copy)) {
    close(copy);
    return EBUSY;
  }
  if (watch(SIGINT, SA_RESETHAND) != 0 || watch(SIGTERM, 0) != 0 || watch(SIGHUP, 0) != 0) return errno;
  return 0;
}

int cprocess_signal_queue(void) {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGINT);
  sigaddset(&wanted, SIGTERM);
  sigaddset(&wanted, SIGHUP);
  int code = pthread_sigmask(SIG_BLOCK, &wanted, NULL);
  if (code != 0) {
    errno = code;
    return -1;
  }
  return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

int cprocess_next_signal(int queue) {
  struct signalfd_siginfo signal;
  return read(queue, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : 0;
}
