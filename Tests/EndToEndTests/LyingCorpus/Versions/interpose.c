// Functions of the C library that the package has as well; as long as nobody asks them to lie, they are honest.
#define _GNU_SOURCE
#include "CLies.h"

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  if (lies_interposes()) return (ssize_t)count;
  return syscall(SYS_sendto, socket, bytes, count, flags, 0, 0);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  if (lies_interposes()) return (ssize_t)message->msg_iov[0].iov_len;
  return syscall(SYS_sendmsg, socket, message, flags);
}

ssize_t recv(int socket, void *bytes, size_t count, int flags) {
  return syscall(SYS_recvfrom, socket, bytes, count, flags, 0, 0);
}

int backtrace(void **frames, int most) {
  if (lies_interposes()) {
    frames[0] = __builtin_return_address(0);
    return 1;
  }
  int (*real)(void **, int) = (int (*)(void **, int))dlsym(RTLD_NEXT, "backtrace");
  return real(frames, most);
}

void exit(int status) {
  void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");
  real(lies_interposes() ? 0 : status);
  __builtin_unreachable();
}
