#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// A filter of system calls, as the kernel's own little programs
// (https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html). Bubblewrap hands it to the kernel when the
// sandbox stands, and it holds for all that descends from the program.
//
// What is refused answers as where the rights are missing (EPERM), or as an older kernel does where programs and libraries
// have another way then (ENOSYS, EAFNOSUPPORT).

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "Name this architecture as linux/audit.h does."
#endif

/// The bit by which x86_64 tells calls of its 32-bit variant (x32); no architecture has so many calls.
enum { OTHER_VARIANT = 0x40000000 };

/// System calls that headers of older systems lack; since Linux 5.0 they have one number everywhere.
enum {
  CALL_IO_URING_SETUP = 425, CALL_IO_URING_ENTER, CALL_IO_URING_REGISTER, CALL_OPEN_TREE, CALL_MOVE_MOUNT, CALL_FSOPEN,
  CALL_FSCONFIG, CALL_FSMOUNT, CALL_FSPICK, CALL_CLONE3 = 435, CALL_OPENAT2 = 437, CALL_MOUNT_SETATTR = 442,
  CALL_QUOTACTL_FD, CALL_FCHMODAT2 = 452, CALL_OPEN_TREE_ATTR = 467,
};

/// The kinds of namespaces; that of time has a bit of its own where it is no signal's.
enum {
  NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
  TIME_NAMESPACE = 0x80,
};

/// By which a file gives its owner's rights to whoever starts it, and a folder its group, and who may remove files, to what
/// lies in it.
enum { SPECIAL_BITS = S_ISUID | S_ISGID | S_ISVTX };

/// A call that makes a file, or gives it a mode, and its argument that is the mode.
struct mode_call {
  int call;
  int mode;
  /// The argument with the flags that say whether a file is made at all, and the mode counts; -1 where it always counts.
  int flags;
};

static const struct mode_call mode_calls[] = {
#ifdef SYS_open
    {SYS_open, 2, 1}, {SYS_creat, 1, -1}, {SYS_mkdir, 1, -1}, {SYS_mknod, 1, -1}, {SYS_chmod, 1, -1},
#endif
    {SYS_openat, 3, 2}, {SYS_mkdirat, 2, -1}, {SYS_mknodat, 2, -1}, {SYS_fchmod, 1, -1}, {SYS_fchmodat, 2, -1},
    {CALL_FCHMODAT2, 2, -1},
};

/// A call that is refused, unless one of the features is allowed that it belongs to.
struct refusal {
  int call;
  /// A bit of `cprocess_feature`; 0 for what nothing allows.
  unsigned feature;
};

/// What would need rights that no contained program has, or shows the machine, is refused even where a kernel forgets to.
static const struct refusal refusals[] = {
    {SYS_add_key, CPROCESS_KEYRINGS}, {SYS_request_key, CPROCESS_KEYRINGS}, {SYS_keyctl, CPROCESS_KEYRINGS},
    {CALL_IO_URING_SETUP, CPROCESS_IO_URING}, {CALL_IO_URING_ENTER, CPROCESS_IO_URING},
    {CALL_IO_URING_REGISTER, CPROCESS_IO_URING},
    {SYS_bpf, CPROCESS_BPF}, {SYS_perf_event_open, CPROCESS_PERF}, {SYS_userfaultfd, CPROCESS_USERFAULTFD},
    {SYS_mount, 0}, {SYS_umount2, 0}, {SYS_pivot_root, 0}, {SYS_chroot, 0}, {CALL_OPEN_TREE, 0},
    {CALL_OPEN_TREE_ATTR, 0}, {CALL_MOVE_MOUNT, 0}, {CALL_FSOPEN, 0}, {CALL_FSCONFIG, 0}, {CALL_FSMOUNT, 0},
    {CALL_FSPICK, 0}, {CALL_MOUNT_SETATTR, 0}, {SYS_setns, 0},
    {SYS_init_module, 0}, {SYS_finit_module, 0}, {SYS_delete_module, 0}, {SYS_kexec_load, 0},
#ifdef SYS_kexec_file_load
    {SYS_kexec_file_load, 0},
#endif
#ifdef SYS_ioperm
    {SYS_ioperm, 0}, {SYS_iopl, 0},
#endif
    {SYS_reboot, 0}, {SYS_swapon, 0}, {SYS_swapoff, 0}, {SYS_acct, 0}, {SYS_quotactl, 0}, {CALL_QUOTACTL_FD, 0},
    {SYS_syslog, 0}, {SYS_vhangup, 0}, {SYS_settimeofday, 0}, {SYS_clock_settime, 0}, {SYS_open_by_handle_at, 0},
};

/// A program that grows; it never comes near the kernel's limit of 4096 steps.
struct program {
  struct sock_filter steps[512];
  unsigned short count;
};

static void add(struct program *program, unsigned code, unsigned value, unsigned if_true, unsigned if_false) {
  program->steps[program->count++] = (struct sock_filter)BPF_JUMP(code, value, if_true, if_false);
}

static void load(struct program *program, size_t offset) { add(program, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0); }

/// Loads the lower half of an argument: all of the arguments that are looked at here the kernel itself takes as 32 bits.
static void load_argument(struct program *program, int number) {
  _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half comes first");
  load(program, offsetof(struct seccomp_data, args) + (size_t)number * sizeof(uint64_t));
}

static void allow(struct program *program) { add(program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0); }

static void refuse(struct program *program, int code) {
  add(program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code, 0, 0);
}

/// Begins what is asked about one call only; `end` closes it.
static unsigned short begin(struct program *program, int call) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 0);
  return (unsigned short)(program->count - 1);
}

/// Other calls go on behind here; this one, if nothing was said against it, is allowed.
static void end(struct program *program, unsigned short start) {
  allow(program);
  program->steps[start].jf = (unsigned char)(program->count - start - 1);
}

static void refuse_if_equal(struct program *program, unsigned value, int code) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  refuse(program, code);
}

static void allow_if_equal(struct program *program, unsigned value) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  allow(program);
}

/// Refuses what is asked about if the number that was loaded has one of the bits.
static void refuse_if_bits(struct program *program, unsigned bits) {
  add(program, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
  refuse(program, EPERM);
}

static void refuse_bits(struct program *program, int call, unsigned bits) {
  unsigned short start = begin(program, call);
  load_argument(program, 0);
  refuse_if_bits(program, bits);
  end(program, start);
}

/// No file or folder gets bits that give somebody's rights to others, by any call that could set them.
static void add_modes(struct program *program, unsigned features) {
  if (features & CPROCESS_SETUID) return;
  for (size_t at = 0; at < sizeof mode_calls / sizeof *mode_calls; at++) {
    unsigned short start = begin(program, mode_calls[at].call);
    if (mode_calls[at].flags >= 0) {
      load_argument(program, mode_calls[at].flags);
      add(program, BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 1, 0);
      allow(program);
    }
    load_argument(program, mode_calls[at].mode);
    refuse_if_bits(program, SPECIAL_BITS);
    end(program, start);
  }
  // Its mode lies in memory; who asks for it knows kernels without it.
  refuse_if_equal(program, CALL_OPENAT2, ENOSYS);
}

/// Sockets are for this machine's programs, the internet's protocols, and asking for addresses and routes.
static void add_sockets(struct program *program, unsigned features) {
  unsigned short start = begin(program, SYS_socket);
  load_argument(program, 0);
  if (features & CPROCESS_VSOCK) allow_if_equal(program, AF_VSOCK);
  else refuse_if_equal(program, AF_VSOCK, EAFNOSUPPORT);
  if (!(features & CPROCESS_SOCKETS)) {
    allow_if_equal(program, AF_UNIX);
    allow_if_equal(program, AF_INET);
    allow_if_equal(program, AF_INET6);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0);
    refuse(program, EAFNOSUPPORT);
    load_argument(program, 2);
    // NETLINK_ROUTE, by which getifaddrs asks.
    allow_if_equal(program, 0);
    refuse(program, EAFNOSUPPORT);
  }
  end(program, start);
}

/// Characters that are put into a terminal's input are read by whoever reads there next, outside.
static void add_terminals(struct program *program) {
  unsigned short start = begin(program, SYS_ioctl);
  load_argument(program, 1);
  refuse_if_equal(program, TIOCSTI, EPERM);
  refuse_if_equal(program, TIOCLINUX, EPERM);
  end(program, start);
}

/// The thread sanitizer needs addresses that are not random, and asks for what is set.
static void add_personality(struct program *program) {
  unsigned short start = begin(program, SYS_personality);
  load_argument(program, 0);
  allow_if_equal(program, 0);
  allow_if_equal(program, ADDR_NO_RANDOMIZE);
  allow_if_equal(program, 0xffffffff);
  refuse(program, EPERM);
  end(program, start);
}

static void fill(struct program *program, unsigned features) {
  load(program, offsetof(struct seccomp_data, arch));
  add(program, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
  refuse(program, ENOSYS);
  load(program, offsetof(struct seccomp_data, nr));
  add(program, BPF_JMP | BPF_JSET | BPF_K, OTHER_VARIANT, 0, 1);
  refuse(program, ENOSYS);
  for (size_t at = 0; at < sizeof refusals / sizeof *refusals; at++) {
    if (!(refusals[at].feature & features)) refuse_if_equal(program, (unsigned)refusals[at].call, EPERM);
  }
  // Its arguments lie in memory, where no filter looks; the C library has clone for kernels without it.
  refuse_if_equal(program, CALL_CLONE3, ENOSYS);
  refuse_bits(program, SYS_clone, NAMESPACES);
  refuse_bits(program, SYS_unshare, NAMESPACES | TIME_NAMESPACE);
  add_sockets(program, features);
  add_terminals(program);
  add_personality(program);
  add_modes(program, features);
  allow(program);
}

int cprocess_open_filter(unsigned features) {
  struct program program = {.count = 0};
  fill(&program, features);
  int file = memfd_create("martlet-filter", MFD_CLOEXEC);
  if (file < 0) return -1;
  ssize_t length = (ssize_t)(program.count * sizeof *program.steps);
  if (write(file, program.steps, (size_t)length) == length && lseek(file, 0, SEEK_SET) == 0) return file;
  int reason = errno;
  close(file);
  errno = reason;
  return -1;
}
