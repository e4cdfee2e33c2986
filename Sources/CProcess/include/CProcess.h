// What Swift cannot do itself: the code between fork and exec, a signal handler, and system calls without a function.
//
// Each command runs under a keeper: a small process, forked for this one run, that starts the command, collects every
// descendant whose own parent has died, and ends them all when it is told to or when the caller is gone.

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// The value of a limit that is left as it is.
#define CPROCESS_UNLIMITED UINT64_MAX

/// The descriptors that a program is started with beside the standard ones.
enum {
  /// Where a program that runs another one reports how that ended.
  CPROCESS_STATUS = 6,
  /// The filter of system calls that bubblewrap is to set.
  CPROCESS_FILTER,
  /// The namespaces of a companion: of the users that its processes belong to, of its own users, and of its processes.
  CPROCESS_OUTER_USERS,
  CPROCESS_INNER_USERS,
  CPROCESS_PROCESSES,
};

/// What of the kernel contained programs have only when it is allowed; bits of a set.
enum cprocess_feature {
  CPROCESS_KEYRINGS = 1 << 0,
  CPROCESS_VSOCK = 1 << 1,
  /// Sockets of other families than Unix, the internet's, and that of routes.
  CPROCESS_SOCKETS = 1 << 2,
  CPROCESS_IO_URING = 1 << 3,
  CPROCESS_BPF = 1 << 4,
  CPROCESS_PERF = 1 << 5,
  CPROCESS_USERFAULTFD = 1 << 6,
  /// Files and folders with the setuid, setgid or sticky bit.
  CPROCESS_SETUID = 1 << 7,
};

/// What to start; all pointers belong to the caller and are used only during the call.
struct cprocess_command {
  /// The program's file; nothing is looked up.
  const char *path;
  /// Ends with a null pointer; the first is the program's name.
  char *const *arguments;
  /// "NAME=value", ends with a null pointer.
  char *const *environment;
  /// The folder that the program starts in.
  const char *folder;
  /// The file that is the program's standard input; null for an empty one.
  const char *input;
  /// The file by which the program joins a control group; null for none.
  const char *group;
  /// The program slirp4netns, which leads out of a network of the program's own that has no way to this machine's loopback;
  /// null to stay in this process's network.
  const char *router;
  /// Folders in pairs, a folder and the layers of a view of it: the program finds the view at "merged" beside the layers
  /// "upper" and "work". Ends with a null pointer.
  char *const *views;
  /// Whether the program is bubblewrap, whose only child is the first process of a namespace.
  bool contained;
  /// What of the kernel a contained program has, of `cprocess_feature`.
  uint32_t features;
  /// A process of another sandbox, among whose processes bubblewrap is to put the program; 0 for none.
  pid_t companion;
  /// Whether the program writes the wait status of what it runs to descriptor CPROCESS_STATUS.
  bool reporting;
  /// Bytes of address space.
  uint64_t address_space;
  /// Bytes of any one file.
  uint64_t file_size;
};

/// The caller's side of one run; the caller closes the descriptors and waits for the keeper.
struct cprocess_run {
  pid_t keeper;
  /// Reports come from here and orders go there.
  int control;
  int output;
  int error;
};

/// What the keeper has to say.
enum cprocess_news {
  /// The program could not be started: `stage` and `code` say why. Nothing follows.
  CPROCESS_FAILED,
  /// The program ended: `code` is its wait status, `nanoseconds` the time it took.
  CPROCESS_ENDED,
  /// Nothing is left of it: the sums are in. Nothing follows.
  CPROCESS_EMPTY,
};

/// Where starting failed.
enum cprocess_stage {
  CPROCESS_AT_KEEPER,
  CPROCESS_AT_NULL,
  CPROCESS_AT_CHILDREN_LIST,
  CPROCESS_AT_FORK,
  CPROCESS_AT_LIMITS,
  CPROCESS_AT_GROUP,
  CPROCESS_AT_NETWORK,
  CPROCESS_AT_VIEW,
  CPROCESS_AT_SANDBOX,
  CPROCESS_AT_FOLDER,
  CPROCESS_AT_INPUT,
  CPROCESS_AT_PROGRAM,
};

/// One message of the keeper.
struct cprocess_report {
  enum cprocess_news news;
  enum cprocess_stage stage;
  /// An error number or a wait status.
  int32_t code;
  /// Whether the wait status is what the program reported, and not what bubblewrap made of it.
  bool exact;
  /// Processes that outlived the program and were killed.
  int32_t leftovers;
  /// Processes that could not be killed in ten seconds; the keeper keeps trying.
  int32_t survivors;
  /// Monotonic time from before the start to the program's end.
  int64_t nanoseconds;
  /// User and system time of all processes that ended.
  int64_t cpu_microseconds;
  /// The largest resident size of any one process.
  int64_t peak_kilobytes;
};

/// What the keeper can be told, each by one byte.
enum cprocess_order {
  /// Asks the program's process group to end.
  CPROCESS_TERMINATE = 'T',
  /// Kills the program and everything that descends from it.
  CPROCESS_KILL = 'K',
};

/// Starts a keeper, and the command under it; a report says if the latter fails. Returns 0 or an error number.
int cprocess_start(const struct cprocess_command *command, struct cprocess_run *run);

/// Whether this user can have views as a command's, tried out in namespaces that are gone when this returns.
bool cprocess_can_mount_views(char *const *views);

/// Starts a program that outlives this process and is no child of it, in a session of its own: without a keeper, with some
/// bytes as its input, `output` as both of its outputs, and `held` as its descriptor 3. Returns 0 or an error number; a
/// program that cannot be executed ends with status 127.
int cprocess_detach(
    const char *path, char *const *arguments, char *const *environment, const void *input, size_t length, int output,
    int held);

/// Returns the descriptor of an event that was not raised yet, or -1 with errno set.
int cprocess_event(void);

/// Makes the event's descriptor readable for good.
void cprocess_raise(int event);

/// Makes SIGINT, SIGTERM and SIGHUP raise the event, until the process ends; signals that are ignored stay ignored.
/// A second SIGINT has its default action, and so has each of them a second after the first. So many seconds after the
/// first the process ends with status 130, in whatever it hangs. Returns 0 or an error number, EBUSY when signals are
/// watched already.
int cprocess_watch_signals(int event, unsigned patience);

/// Holds SIGINT, SIGTERM and SIGHUP back from this thread and returns a descriptor from which they can be read, or -1
/// with errno set. Programs that are started see none of this. The process ends with status 130 when nobody reads one of
/// the first two for so many seconds.
int cprocess_signal_queue(unsigned patience);

/// Takes the next signal that waits; 0 when there is none.
int cprocess_next_signal(int queue);

/// Opens what lies beneath a folder without following any link on the way; a path that leads out is refused.
///
/// Returns a descriptor, or -1 with errno set: ELOOP for a link, EXDEV for a way out. `stepwise` walks name by name,
/// which also happens where the kernel lacks openat2.
int cprocess_open_beneath(int folder, const char *path, int flags, bool stepwise);

/// Receives a message from a socket without waiting, and the first descriptor that was passed with it, -1 for none; further
/// ones are closed. Returns what recvmsg returns.
ssize_t cprocess_receive(int socket, void *buffer, size_t length, int *descriptor);

/// The process that connected a socket of the local domain, by its number here; zero when it is not known.
pid_t cprocess_peer(int socket);

/// Gives unused heap back to the kernel, and the unmodified pages of the program and its libraries, which come back from
/// the page cache when they are needed.
void cprocess_release_memory(void);
