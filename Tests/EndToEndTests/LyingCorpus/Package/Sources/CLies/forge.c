#define _GNU_SOURCE
#include "CLies.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static volatile int interposes, is_over;

void lies_interpose(void) { interposes = 1; }

int lies_interposes(void) { return interposes; }

void lies_wait(void) {
  while (!is_over) usleep(100);
}

void lies_let_go(void) { is_over = 1; }

// MARK: Before main

static int found;

/// Looks for the way to Martlet in the environment, as the kernel gave it to the process.
static void look(void) {
  static char text[1 << 16];
  int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/environ", O_RDONLY, 0);
  long count = syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  for (long at = 0; at + 16 < count; at++)
    if (memcmp(text + at, "MARTLET_CHANNEL=", 16) == 0) found++;
}

__attribute__((section(".preinit_array"), used)) static void (*before_everything)(void) = look;

static int plain(void) { return found; }

static int (*resolve(void))(void) {
  look();
  return plain;
}

int lies_found_channel(void) __attribute__((ifunc("resolve")));

static int is_asked(const char *word) {
  static char text[1 << 16];
  int file = open("/proc/self/cmdline", O_RDONLY);
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  for (ssize_t at = 0; at + (ssize_t)strlen(word) < count; at++)
    if (memcmp(text + at, word, strlen(word)) == 0) return 1;
  return 0;
}

/// Runs XCTest with other tests of the same names; in Swift.
void lies_run_doubles(void) __attribute__((weak));

__attribute__((constructor)) static void begin(void) {
  look();
  if (lies_run_doubles != NULL && is_asked("BeforeMainTests")) lies_run_doubles();
}

// MARK: The kernel

static int listener;

/// Answers for the kernel that each message was sent as a whole.
static void *answer(void *context) {
  (void)context;
  for (;;) {
    struct seccomp_notif asked = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return NULL;
    struct seccomp_notif_resp given = {.id = asked.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    static int seen;
    // The failure is the second message after the start of its test.
    if (++seen >= 3) {
      given.flags = 0;
      given.val = 1;
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &given);
  }
}

int lies_drop_messages(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, rules};
  pthread_t thread;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  // A kernel that refuses has nothing to lie with.
  if (listener < 0) return 0;
  return pthread_create(&thread, NULL, answer, NULL);
}

int lies_fork(void) { return fork(); }

// MARK: The C library's streams

/// Writes to every stream that the C library knows.
int lies_write_everywhere(const char *text) {
  struct link {
    char before[offsetof(FILE, _chain)];
    struct link *next;
  };
  struct link *first = *(struct link **)dlsym(RTLD_DEFAULT, "_IO_list_all");
  int count = 0;
  for (struct link *each = first; each != NULL; each = each->next) {
    FILE *file = (FILE *)each;
    if (file == stdin || file == stdout || file == stderr) continue;
    fputs(text, file);
    fflush(file);
    count++;
  }
  return count;
}
