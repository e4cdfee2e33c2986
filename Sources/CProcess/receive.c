#define _GNU_SOURCE
#include "CProcess.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 16 };

ssize_t cprocess_receive(int socket, void *buffer, size_t length, int *descriptor) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
  } control;
  struct iovec part = {buffer, length};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  *descriptor = -1;
  ssize_t count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return count;
  for (struct cmsghdr *each = CMSG_FIRSTHDR(&message); each != NULL; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = 0; at < (each->cmsg_len - CMSG_LEN(0)) / sizeof(int); at++) {
      int passed;
      memcpy(&passed, CMSG_DATA(each) + at * sizeof(int), sizeof(int));
      if (*descriptor < 0) *descriptor = passed;
      else close(passed);
    }
  }
  return count;
}

pid_t cprocess_peer(int socket) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
}
