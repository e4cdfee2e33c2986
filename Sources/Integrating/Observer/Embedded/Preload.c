// What Martlet preloads into a test process: a private way to tell it what the test library says.
//
// Before `main`, the library connects to Martlet's socket, is given a key, and forgets how it got there: the variables
// that led it are removed and wiped. Each record carries its number and a keyed hash of its bytes, so that nothing else
// that is written to the socket counts, and no record can be left out, repeated or moved. XCTest is followed by an
// observer in a second library; Swift Testing's event stream is taken where it is opened, so that there is neither a
// file nor a descriptor to which somebody else could write events. Whoever ends the process by `exit` or `_exit` is told
// apart: only XCTest's own end of a run proves that the run came to its end.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define HIDDEN static

/// The exit status of a process whose records cannot reach Martlet any more: what it would do from there on could not be
/// proven.
enum { LOST = 97 };
enum { KEY_BYTES = 16, HEADER_BYTES = 17, MOST_BYTES = 49152, PATIENCE_SECONDS = 10, MOST_FRAMES = 256 };

typedef void sender(uint8_t kind, const uint8_t *bytes, size_t count);
typedef int main_function(int, char **, char **);

HIDDEN int channel = -1;
HIDDEN dev_t channel_device;
HIDDEN ino_t channel_inode;
/// Children inherit the memory and speak no more.
HIDDEN pid_t owner;
HIDDEN uint64_t key[2];
HIDDEN uint64_t number;
HIDDEN pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// The path under which the event stream will be opened, until it was.
HIDDEN char *stream_path;
HIDDEN main_function *real_main;
/// Where XCTest is loaded; null when it is no library of its own.
HIDDEN void *xctest;

// MARK: The keyed hash

HIDDEN uint64_t rotated(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

HIDDEN void mix(uint64_t v[4], int rounds) {
  for (; rounds > 0; rounds--) {
    v[0] += v[1], v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0], v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2], v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
  }
}

/// SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf).
HIDDEN uint64_t keyed_hash(const uint8_t *bytes, size_t count) {
  uint64_t v[4] = {
      key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
  size_t whole = count / 8 * 8;
  for (size_t at = 0; at <= whole; at += 8) {
    uint64_t word = 0;
    size_t length = at < whole ? 8 : count - whole;
    memcpy(&word, bytes + at, length);
    if (at == whole) word |= (uint64_t)count << 56;
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  mix(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// MARK: Records

/// Whether the descriptor is still the one that was opened.
HIDDEN int is_open(void) {
  struct stat status;
  return channel >= 0 && fstat(channel, &status) == 0 && status.st_dev == channel_device
      && status.st_ino == channel_inode;
}

HIDDEN _Noreturn void leave(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

/// Sends one record while the lock is held: its hash, its number, its kind, its bytes. What is too long is cut.
HIDDEN void send_locked(uint8_t kind, const uint8_t *bytes, size_t count) {
  static uint8_t record[HEADER_BYTES + MOST_BYTES];
  if (count > MOST_BYTES) count = MOST_BYTES;
  memcpy(record + 8, &number, 8);
  record[16] = kind;
  memcpy(record + HEADER_BYTES, bytes, count);
  uint64_t hash = keyed_hash(record + 8, HEADER_BYTES - 8 + count);
  memcpy(record, &hash, 8);
  number++;
  ssize_t sent = -1;
  while (is_open()) {
    sent = send(channel, record, HEADER_BYTES + count, MSG_NOSIGNAL);
    if (sent >= 0 || errno != EINTR) break;
  }
  if (sent != (ssize_t)(HEADER_BYTES + count)) leave(LOST);
}

HIDDEN void send_record(uint8_t kind, const uint8_t *bytes, size_t count) {
  if (getpid() != owner) return;
  pthread_mutex_lock(&lock);
  send_locked(kind, bytes, count);
  pthread_mutex_unlock(&lock);
}

// MARK: The event stream

HIDDEN ssize_t write_events(void *cookie, const char *bytes, size_t count) {
  (void)cookie;
  for (size_t at = 0; at < count; at += MOST_BYTES) {
    size_t rest = count - at;
    send_record('E', (const uint8_t *)bytes + at, rest < MOST_BYTES ? rest : MOST_BYTES);
  }
  return (ssize_t)count;
}

/// The stream in place of the file, the first time that file is opened.
HIDDEN FILE *open_events(const char *path, const char *mode) {
  char *wanted = __atomic_load_n(&stream_path, __ATOMIC_ACQUIRE);
  if (wanted == NULL || path == NULL || mode == NULL || mode[0] != 'w' || strcmp(path, wanted) != 0) return NULL;
  if (!__atomic_compare_exchange_n(&stream_path, &wanted, NULL, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return NULL;
  cookie_io_functions_t functions = {.write = write_events};
  FILE *stream = fopencookie(NULL, "w", functions);
  if (stream != NULL) send_record('O', NULL, 0);
  return stream;
}

typedef FILE *opener(const char *, const char *);

FILE *fopen(const char *path, const char *mode) {
  FILE *stream = open_events(path, mode);
  if (stream != NULL) return stream;
  static opener *real;
  if (real == NULL) real = (opener *)dlsym(RTLD_NEXT, "fopen");
  return real(path, mode);
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

// MARK: The end

/// Whether the outermost run of XCTest calls: on the main thread, with nothing of XCTest further out, where a run that a
/// test began inside itself would have the one around it.
HIDDEN __attribute__((noinline)) int ends_run(void) {
  void *frames[MOST_FRAMES];
  int calls = 0, inside = 0;
  if (xctest == NULL || syscall(SYS_gettid) != getpid()) return 0;
  int count = backtrace(frames, MOST_FRAMES);
  if (count >= MOST_FRAMES) return 0;
  // The first two are this function and the one that asks.
  for (int at = 2; at < count; at++) {
    Dl_info place;
    int is_xctest = dladdr(frames[at], &place) != 0 && place.dli_fbase == xctest;
    if (is_xctest && !inside) calls++;
    if (at == 2 && !is_xctest) return 0;
    inside = is_xctest;
  }
  return calls == 1;
}

HIDDEN size_t put_number(uint8_t *bytes, uint64_t number) {
  memcpy(bytes, &number, sizeof number);
  return sizeof number;
}

/// Tells that the process is about to end: whether XCTest ends it, the status, which function was called, and from
/// where, as a file and a distance from its beginning.
HIDDEN __attribute__((noinline)) void tell_end(int ends, int status, const char *function, void *caller) {
  uint8_t bytes[4096];
  Dl_info place = {0};
  // Who is interrupted while it sends something cannot wait for itself.
  if (channel < 0 || getpid() != owner || pthread_mutex_trylock(&lock) != 0) return;
  const char *file = dladdr(caller, &place) != 0 && place.dli_fname != NULL ? place.dli_fname : "";
  size_t length = strlen(file), at = 0;
  if (length > 3000) length = 0;
  at += put_number(bytes, (uint64_t)ends);
  at += put_number(bytes + at, (uint64_t)(status & 0xff));
  at += put_number(bytes + at, (uint64_t)((char *)caller - (char *)place.dli_fbase));
  at += put_number(bytes + at, strlen(function));
  memcpy(bytes + at, function, strlen(function));
  at += strlen(function);
  at += put_number(bytes + at, length);
  memcpy(bytes + at, file, length);
  send_locked('X', bytes, at + length);
  pthread_mutex_unlock(&lock);
}

void exit(int status) {
  void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");
  tell_end(channel >= 0 && getpid() == owner && ends_run(), status, "exit", __builtin_return_address(0));
  real(status);
  leave(status);
}

void _exit(int status) {
  tell_end(0, status, "_exit", __builtin_return_address(0));
  leave(status);
}

void _Exit(int status) {
  tell_end(0, status, "_Exit", __builtin_return_address(0));
  leave(status);
}

// MARK: The way to Martlet

/// Takes a variable out of the environment, and out of the memory that /proc shows; the copy belongs to the caller.
HIDDEN char *take_variable(const char *name) {
  char *value = getenv(name);
  if (value == NULL) return NULL;
  char *copy = strdup(value);
  memset(value, 0, strlen(value));
  unsetenv(name);
  return copy;
}

/// Whether this is the program that is to be followed, and not one on the way to it.
HIDDEN int is_meant(const char *program) {
  char path[4096];
  ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
  if (program == NULL || count <= 0) return 0;
  path[count] = 0;
  return strcmp(path, program) == 0;
}

/// Connects by way of the folder's descriptor, because a socket's path must be short.
HIDDEN int connect_to(const char *folder) {
  struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int at = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int link = at < 0 ? -1 : socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/s", at);
  int failed = link < 0 || setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0
      || connect(link, (struct sockaddr *)&address, sizeof address) != 0;
  if (at >= 0) close(at);
  if (failed && link >= 0) close(link);
  return failed ? -1 : link;
}

/// Moves the descriptor to where nobody counts, as high as is allowed.
HIDDEN int lifted(int descriptor) {
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return descriptor;
  int wanted = most.rlim_cur > 1024 ? 1000 : (int)most.rlim_cur - 8;
  int high = wanted <= descriptor ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, wanted);
  if (high < 0) return descriptor;
  close(descriptor);
  return high;
}

HIDDEN int open_channel(const char *folder) {
  struct stat status;
  int link = connect_to(folder);
  if (link < 0) return 0;
  if (recv(link, key, KEY_BYTES, 0) != KEY_BYTES || fstat(link, &status) != 0) {
    close(link);
    return 0;
  }
  shutdown(link, SHUT_RD);
  channel = lifted(link);
  channel_device = status.st_dev;
  channel_inode = status.st_ino;
  owner = getpid();
  return 1;
}

/// Loads the observer of XCTest; says why not.
HIDDEN void follow_xctest(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void (*start)(sender *) = handle == NULL ? NULL : (void (*)(sender *))dlsym(handle, "martlet_follow_xctest");
  if (start == NULL) {
    const char *reason = dlerror();
    if (reason == NULL) reason = "it has no entry";
    send_record('F', (const uint8_t *)reason, strlen(reason));
    return;
  }
  send_record('H', NULL, 0);
  start(send_record);
}

/// Finds out where XCTest is, while nobody can have put another library in its place.
HIDDEN void find_xctest(void) {
  struct link_map *map;
  void *handle = dlopen("libXCTest.so", RTLD_LAZY | RTLD_NOLOAD);
  if (handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) xctest = (void *)map->l_addr;
  // The first call loads what the later ones need.
  void *frame;
  backtrace(&frame, 1);
}

HIDDEN void prepare(void) {
  if (getenv("MARTLET_CHANNEL") == NULL || !is_meant(getenv("MARTLET_PROGRAM"))) return;
  char *program = take_variable("MARTLET_PROGRAM");
  char *folder = take_variable("MARTLET_CHANNEL");
  char *observer = take_variable("MARTLET_OBSERVER");
  char *stream = take_variable("MARTLET_STREAM");
  char *rest = take_variable("MARTLET_PRELOAD");
  if (rest != NULL && rest[0] != 0) setenv("LD_PRELOAD", rest, 1);
  else unsetenv("LD_PRELOAD");
  if (folder != NULL && open_channel(folder)) {
    find_xctest();
    send_record('C', NULL, 0);
    if (observer != NULL) follow_xctest(observer);
    if (stream != NULL) send_record('H', NULL, 0);
    __atomic_store_n(&stream_path, stream, __ATOMIC_RELEASE);
  }
  free(program);
  free(folder);
  free(observer);
  free(rest);
}

HIDDEN int prepared_main(int count, char **arguments, char **environment) {
  prepare();
  return real_main(count, arguments, environment);
}

typedef int starter(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/// The C library's call of `main`. The libraries are initialised by then, which a constructor could not rely on.
int __libc_start_main(
    main_function *main, int count, char **arguments, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
    void *stack_end) {
  starter *real = (starter *)dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return real(prepared_main, count, arguments, init, fini, rtld_fini, stack_end);
}
