#define _GNU_SOURCE
#include "CLies.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void linger(void) {
  for (;;) pause();
}

void lies_leave_child(void) {
  if (fork() == 0) linger();
}

void lies_leave_daemon(void) {
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) linger();
    _exit(0);
  }
  waitpid(child, 0, 0);
}

void lies_multiply(void) {
  for (int number = 0; number < 200; number++) {
    if (fork() == 0) linger();
  }
  linger();
}

int lies_remount(void) {
  int worked = mount(0, "/usr", 0, MS_REMOUNT | MS_BIND, 0) == 0;
  int file = open("/usr/by-lies", O_CREAT | O_WRONLY, 0644);
  return worked || file >= 0;
}

int lies_nest(void) { return unshare(CLONE_NEWUSER) == 0; }

int lies_call(int port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int door = socket(AF_INET, SOCK_STREAM, 0);
  int answered = connect(door, (struct sockaddr *)&address, sizeof address) == 0;
  close(door);
  return answered;
}
