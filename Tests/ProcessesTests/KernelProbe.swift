import Glibc
import Processes
import Testing

/// A program, compiled for a test, that tries system calls and says for each what came of it.
struct KernelProbe {
  let path: String
  /// Where it lies.
  let scratch: Scratch

  init(in scratch: Scratch) throws {
    self.scratch = scratch
    let source = try scratch.write(Self.source, to: "probe.c")
    path = scratch.file("probe")
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let output = try Command(
      "clang", ["-w", "-pthread", "-o", path, source], environment: ["PATH": folders], workingDirectory: scratch.path
    ).output()
    try #require(output.result.succeeded, "\(String(decoding: output.standardError, as: UTF8.self))")
  }

  /// The attempts of a name, or one step with keys.
  func command(_ words: String...) -> Command {
    Command(path, words, environment: [:], workingDirectory: "/")
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <sched.h>
    #include <signal.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/ioctl.h>
    #include <sys/mman.h>
    #include <sys/personality.h>
    #include <sys/ptrace.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <sys/wait.h>
    #include <unistd.h>

    static void say(const char *name, long code) {
      int number = code < 0 ? errno : 0;
      const char *word = number == 0 ? "ok" : number == EPERM ? "EPERM" : number == ENOSYS ? "ENOSYS"
          : number == EAFNOSUPPORT ? "EAFNOSUPPORT" : number == ENOKEY ? "ENOKEY" : number == ENOENT ? "ENOENT" : number == EFAULT ? "EFAULT" : strerror(number);
      printf("%s: %s\\n", name, word);
    }
    #define TRY(name, call) do { errno = 0; say(name, (long)(call)); } while (0)

    static void *begin(void *nothing) { return nothing; }

    static void features(void) {
      char zero[256] = {0};
      TRY("keyrings", syscall(SYS_keyctl, 0, -3, 0));
      TRY("vsock", socket(40, SOCK_STREAM, 0));
      TRY("sockets", socket(AF_NETLINK, SOCK_RAW, 4));
      TRY("io_uring", syscall(425, 4, zero));
      TRY("bpf", syscall(SYS_bpf, 0, zero, sizeof zero));
      memset(zero, 0, sizeof zero);
      *(int *)zero = 1;
      *(int *)(zero + 4) = 112;
      TRY("perf", syscall(SYS_perf_event_open, zero, 0, -1, -1, 0));
      TRY("userfaultfd", syscall(SYS_userfaultfd, 1));
      TRY("setuid", fchmod(memfd_create("probe", 0), 04700));
    }

    #define TRY_MODES(name, call) do { \
        long mode = 0640; TRY(name, call); \
        mode = 01755; TRY(name " with the sticky bit", call); \
        mode = 02755; TRY(name " with the setgid bit", call); \
        mode = 04755; TRY(name " with the setuid bit", call); \
      } while (0)

    static void modes(void) {
      const char *path = "/none/here";
      TRY_MODES("fchmodat", syscall(SYS_fchmodat, AT_FDCWD, path, mode));
      TRY_MODES("fchmodat2", syscall(452, AT_FDCWD, path, mode, 0));
      TRY_MODES("mkdirat", syscall(SYS_mkdirat, AT_FDCWD, path, mode));
      TRY_MODES("mknodat", syscall(SYS_mknodat, AT_FDCWD, path, S_IFREG | mode, 0));
      TRY_MODES("openat", syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, mode));
      TRY_MODES("openat of no name", syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_TMPFILE, mode));
      TRY("openat of what is there", syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 07777));
      TRY("openat2", syscall(437, AT_FDCWD, path, 0, 24));
    #ifdef SYS_open
      TRY_MODES("chmod", syscall(SYS_chmod, path, mode));
      TRY_MODES("mkdir", syscall(SYS_mkdir, path, mode));
      TRY_MODES("mknod", syscall(SYS_mknod, path, S_IFREG | mode, 0));
      TRY_MODES("creat", syscall(SYS_creat, path, mode));
      TRY_MODES("open", syscall(SYS_open, path, O_WRONLY | O_CREAT, mode));
      TRY("open of what is there", syscall(SYS_open, path, O_RDONLY, 07777));
    #endif
    }

    static void others(void) {
      TRY("add_key", syscall(SYS_add_key, "user", "martlet", "x", 1, -3));
      TRY("request_key", syscall(SYS_request_key, "user", "martlet", 0, 0));
      TRY("packet", socket(AF_PACKET, SOCK_RAW, 0));
      TRY("alg", socket(38, SOCK_SEQPACKET, 0));
      TRY("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
      TRY("fsopen", syscall(430, "tmpfs", 0));
      TRY("setns", setns(0, 0));
      TRY("unshare", unshare(CLONE_NEWUSER));
      TRY("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
      TRY("clone3", syscall(435, 0, 0));
      TRY("TIOCSTI", ioctl(0, TIOCSTI, "x"));
      TRY("TIOCSTI with more bits", syscall(SYS_ioctl, 0, 0xf00000000ul | TIOCSTI, "x"));
      TRY("personality", personality(0x0008));
      TRY("init_module", syscall(SYS_init_module, 0, 0, ""));
      TRY("syslog", syscall(SYS_syslog, 10, 0, 0));
    #ifdef __x86_64__
      TRY("x32", syscall(0x40000000 | 39));
      long code;
      __asm__ volatile("int $0x80" : "=a"(code) : "a"(20) : "memory");
      errno = code < 0 ? -code : 0;
      say("i386", code < 0 ? -1 : 0);
    #else
      printf("x32: ENOSYS\\ni386: ENOSYS\\n");
    #endif
    }

    static void honest(void) {
      pthread_t thread;
      TRY("unix", socket(AF_UNIX, SOCK_STREAM, 0));
      TRY("inet", socket(AF_INET, SOCK_STREAM, 0));
      TRY("inet6", socket(AF_INET6, SOCK_STREAM, 0));
      TRY("route", socket(AF_NETLINK, SOCK_RAW, 0));
      TRY("personality", personality(0xffffffff));
      TRY("addresses", personality(ADDR_NO_RANDOMIZE));
      TRY("files", unshare(CLONE_FILES));
      TRY("thread", -pthread_create(&thread, 0, begin, 0));
      pid_t child = fork();
      if (child == 0) { pause(); _exit(0); }
      TRY("ptrace", ptrace(PTRACE_SEIZE, child, 0, 0));
      TRY("mode", fchmod(memfd_create("probe", 0), 0755));
      kill(child, SIGKILL);
      waitpid(child, 0, __WALL);
    }

    int main(int count, char **words) {
      if (count < 2) return 1;
      if (strcmp(words[1], "features") == 0) features();
      if (strcmp(words[1], "others") == 0) others();
      if (strcmp(words[1], "honest") == 0) honest();
      if (strcmp(words[1], "modes") == 0) modes();
      if (strcmp(words[1], "leave") == 0) TRY("left", syscall(SYS_add_key, "user", words[2], "x", 1, -3));
      if (strcmp(words[1], "find") == 0) TRY("found", syscall(SYS_keyctl, 10, -3, "user", words[2], 0));
      return 0;
    }

    """
}
