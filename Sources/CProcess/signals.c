#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/// How long this process may take to end when it was told to, in seconds; then it ends whatever it is doing.
static unsigned patience;
/// What it says then.
static char last_words[96];

static void set_patience(unsigned seconds) {
  patience = seconds;
  snprintf(last_words, sizeof last_words, "martlet: ended, because it did not end within %u s of being told to.\n", seconds);
}

/// Ends the process, from a handler or a thread that knows of nothing else; its children end with it.
static void end_at_once(void) {
  ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
  (void)written;
  _exit(130);
}

int cprocess_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cprocess_raise(int event) {
  // Only an overflowing counter could refuse the write, and then the event was raised.
  uint64_t one = 1;
  ssize_t written = write(event, &one, sizeof one);
  (void)written;
}

/// The event of the watch, or -1; never closed, since a handler may be about to write to it.
static atomic_int watched = -1;

/// When the first signal came, in seconds of the steady clock; 0 before.
static atomic_long first_signal = 0;

static void raise_watched(int number) {
  int code = errno;
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  long none = 0;
  if (atomic_compare_exchange_strong(&first_signal, &none, now.tv_sec + 1)) {
    alarm(patience);
  } else if (now.tv_sec >= none + 1) {
    // Somebody insists. What comes at once is the same wish by another way, as of a service manager and of the watcher.
    signal(number, SIG_DFL);
    raise(number);
  }
  cprocess_raise(atomic_load(&watched));
  errno = code;
}

static void end_of_patience(int number) {
  (void)number;
  end_at_once();
}

static int watch(int number, int flags) {
  struct sigaction now, wanted = {.sa_handler = raise_watched, .sa_flags = SA_RESTART | flags};
  if (sigaction(number, NULL, &now) != 0) return -1;
  // Whoever started this process with the signal ignored wants it so (nohup).
  if (now.sa_handler == SIG_IGN) return 0;
  sigemptyset(&wanted.sa_mask);
  return sigaction(number, &wanted, NULL);
}

int cprocess_watch_signals(int event, unsigned seconds) {
  int copy = fcntl(event, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return errno;
  int none = -1;
  if (!atomic_compare_exchange_strong(&watched, &none, copy)) {
    close(copy);
    return EBUSY;
  }
  set_patience(seconds);
  struct sigaction end = {.sa_handler = end_of_patience};
  sigemptyset(&end.sa_mask);
  if (sigaction(SIGALRM, &end, NULL) != 0) return errno;
  if (watch(SIGINT, SA_RESETHAND) != 0 || watch(SIGTERM, 0) != 0 || watch(SIGHUP, 0) != 0) return errno;
  return 0;
}

/// Whether a signal waits that tells this process to end.
static int is_told_to_end(void) {
  sigset_t waiting;
  if (sigpending(&waiting) != 0) return 0;
  return sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1;
}

/// Ends the process when nobody takes such a signal from its queue.
static void *guard_queue(void *queue) {
  struct pollfd entry = {.fd = (int)(intptr_t)queue, .events = POLLIN};
  for (;;) {
    poll(&entry, 1, -1);
    for (unsigned seconds = 0; is_told_to_end(); seconds++) {
      if (seconds >= patience) end_at_once();
      sleep(1);
    }
    // What waits need not be such a signal, or was taken just now.
    sleep(1);
  }
  return NULL;
}

/// Starts the guard; the number of its descriptor is never closed.
static int start_guard(int queue) {
  int copy = fcntl(queue, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return -1;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  int code = pthread_create(&thread, &attributes, guard_queue, (void *)(intptr_t)copy);
  pthread_attr_destroy(&attributes);
  if (code == 0) return 0;
  close(copy);
  errno = code;
  return -1;
}

int cprocess_signal_queue(unsigned seconds) {
  set_patience(seconds);
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
  int queue = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  if (queue < 0 || start_guard(queue) == 0) return queue;
  code = errno;
  close(queue);
  errno = code;
  return -1;
}

int cprocess_next_signal(int queue) {
  struct signalfd_siginfo signal;
  return read(queue, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : 0;
}
