/// A small program that runs another inside a sandbox and reports how it ended.
///
/// When its program is ended by a signal, bubblewrap exits with 128 plus the signal's number, which looks the same as a
/// program that exits with that status. The report goes to a descriptor that the program does not get, and is trusted
/// only as far as it agrees with bubblewrap's.
///
/// It also limits the number of processes and threads in its sandbox, which the kernel has counted separately there
/// since Linux 5.14. The kernel does not apply that limit to root.
package enum EndReporter {
  /// The C source code.
  package static let source = """
    #include <fcntl.h>
    #include <signal.h>
    #include <sys/resource.h>
    #include <sys/wait.h>
    #include <unistd.h>

    enum { STATUS = 6, TASKS = 16384 };

    int main(int count, char **words) {
      sigset_t all, before;
      struct rlimit tasks = {TASKS, TASKS};
      if (count < 2 || fcntl(STATUS, F_SETFD, FD_CLOEXEC) != 0) return 127;
      setrlimit(RLIMIT_NPROC, &tasks);
      sigfillset(&all);
      sigprocmask(SIG_SETMASK, &all, &before);
      pid_t program = fork();
      if (program == 0) {
        sigprocmask(SIG_SETMASK, &before, 0);
        execvp(words[1], words + 1);
        _exit(127);
      }
      int status = 0;
      if (program < 0 || waitpid(program, &status, 0) != program) return 127;
      ssize_t written = write(STATUS, &status, sizeof status);
      (void)written;
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    """
}
