// What the dynamic linker loads into a test process before anything else: a private way to tell Martlet what the test
// library says.
//
// It is an auditing library (https://man7.org/linux/man-pages/man7/rtld-audit.7.html). The linker starts it before it has
// looked at the program and its libraries, in a namespace of its own, and it uses no library itself: no function, variable,
// constructor or resolver of the package can come before it or take the place of something that it calls. It connects to
// Martlet's socket, is given a key, and wipes the variables that led it there. Each record carries its number and a keyed
// hash of its bytes, so that nothing else that is written to the socket counts, and no record can be left out, repeated or
// moved.
//
// The test libraries are followed where they call others: the entries for those functions in their own tables lead here.
// XCTest is followed by an observer in a second library; a record of it counts when XCTest itself called the observer.
// Swift Testing's event stream is taken where the library writes it. Whoever ends the process by `exit` or `_exit` is told
// apart: only a test library's own end of its outermost run proves that the run came to its end. The coverage counters of
// the process are moved to memory that has no name, which Martlet holds as well.
//
// The built programs that tests start hand over their counters in the same way, by a socket and with a key of their own,
// with what tells which test started them, and are not followed otherwise.

#include "Counters.h"
#include "Images.h"
#include "Mutants.h"
#include "Records.h"
#include "Started.h"
#include "System.h"
#include "Values.h"

#include <sys/personality.h>
#include <sys/time.h>
#include <sys/un.h>

#define EXPORTED __attribute__((visibility("default")))

enum { PATIENCE_SECONDS = 60, MOST_FRAMES = 256, MOST_CALLS = 100 };

typedef struct stream stream;

/// The path under which the event stream will be opened, until it was.
static char *stream_path;
/// The folder of the toolchain's libraries.
static char *libraries;
/// The observer of XCTest, and what stays of the list of preloaded libraries.
static char *observer_path, *preloads;
/// The classes that XCTest is to run before the others.
static char *first_classes;
static char **variables;
static struct link_map *c_library;
static struct range xctest, observer;
/// What takes the place of the event stream's file.
static stream *events;
static main_function *real_main;
static int is_patched;
/// Whether this is a program that a test started.
static int is_started;

// MARK: The event stream

/// What somebody else than the library writes to its stream.
static long refuse_events(void *cookie, const char *bytes, size_t count) {
  (void)cookie, (void)bytes;
  if (count > 0) send_record('Y', NULL, 0);
  return (long)count;
}

/// What the C library asks of whoever makes a stream (https://man7.org/linux/man-pages/man3/fopencookie.3.html).
struct makings {
  long (*read)(void *, char *, size_t);
  long (*write)(void *, const char *, size_t);
  int (*seek)(void *, off64_t *, int);
  int (*close)(void *);
};

static stream *open_stream(const char *path, const char *mode) {
  static stream *(*open)(const char *, const char *);
  stream *(*make)(void *, const char *, struct makings) = symbol_in(c_library, "fopencookie");
  if (open == NULL) open = symbol_of("fopen");
  char *wanted = __atomic_load_n(&stream_path, __ATOMIC_ACQUIRE);
  if (wanted != NULL && make != NULL && is_followed() && mode[0] == 'w' && is_equal(path, wanted)
      && __atomic_compare_exchange_n(&stream_path, &wanted, NULL, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    events = make(NULL, "w", (struct makings){.write = refuse_events});
    if (events != NULL) send_record('O', NULL, 0);
    return events;
  }
  return open(path, mode);
}

static int is_events(const stream *file) { return file != NULL && file == events && is_followed(); }

static void send_events(const void *bytes, size_t count) {
  send_changes();
  send_started();
  for (size_t at = 0; at < count; at += MOST_BYTES) {
    size_t rest = count - at;
    send_record('E', (const uint8_t *)bytes + at, rest < MOST_BYTES ? rest : MOST_BYTES);
  }
  tell_moment();
}

static size_t write_stream(const void *bytes, size_t size, size_t count, stream *file) {
  static size_t (*write)(const void *, size_t, size_t, stream *);
  if (write == NULL) write = symbol_of("fwrite");
  if (!is_events(file)) return write(bytes, size, count, file);
  send_events(bytes, size * count);
  return count;
}

static int put_stream(const char *text, stream *file) {
  static int (*put)(const char *, stream *);
  if (put == NULL) put = symbol_of("fputs");
  if (!is_events(file)) return put(text, file);
  send_events(text, length_of(text));
  return 0;
}

// MARK: The end

/// Whether the outermost run of XCTest calls: within `main`, on the main thread, with nothing of XCTest further out, where
/// a run that a test began inside itself would have the one around it.
static __attribute__((noinline)) int ends_run(void) {
  int (*backtrace)(void **, int) = symbol_in(c_library, "backtrace");
  void *frames[MOST_FRAMES];
  int calls = 0, inside = 0, seen = 0;
  if (!has_begun || backtrace == NULL || ASK(gettid) != ASK(getpid)) return 0;
  int count = backtrace(frames, MOST_FRAMES);
  if (count >= MOST_FRAMES) return 0;
  for (int at = 0; at < count; at++) {
    int is_library = lies_in(xctest, (uintptr_t)frames[at] - 1);
    // The first frames are those of this library.
    seen = seen || is_library;
    if (!seen) continue;
    if (is_library && !inside) calls++;
    inside = is_library;
  }
  return calls == 1;
}

/// What the C library knows about an address.
struct place {
  const char *file;
  void *base;
  const char *symbol;
  void *address;
};

/// Writes to where the calls around one return, the innermost first: those in one file, as distances from its beginning.
static size_t put_calls(uint8_t *bytes, const void *caller, const char *file) {
  int (*backtrace)(void **, int) = symbol_in(c_library, "backtrace");
  int (*find)(const void *, struct place *) = symbol_in(c_library, "dladdr");
  void *frames[MOST_CALLS];
  int count = backtrace == NULL || find == NULL ? 0 : backtrace(frames, MOST_CALLS), from = 0;
  while (from < count && frames[from] != caller) from++;
  size_t at = 0;
  for (int each = from + 1; each < count; each++) {
    struct place place = {0};
    if (find(frames[each], &place) != 0 && place.base == file)
      at += put_number(bytes + at, (uint64_t)((char *)frames[each] - file));
  }
  return at;
}

/// Tells that the process is about to end: whether a test library ends it, the status, which function was called, and
/// from where, as a file and a distance from its beginning. Where a stack can be read without waiting for somebody that was
/// interrupted, what led there follows.
static void tell_end(int ends, int status, const char *function, void *caller, int tells_calls) {
  uint8_t bytes[4096], calls[8 * MOST_CALLS];
  struct place place = {0};
  int (*find)(const void *, struct place *) = symbol_in(c_library, "dladdr");
  if (!is_followed()) return;
  const char *file = find != NULL && find(caller, &place) != 0 && place.file != NULL ? place.file : "";
  size_t length = tells_calls ? put_calls(calls, caller, place.base) : 0;
  // Who is interrupted while it sends something cannot wait for itself.
  if (!take_lock(0)) return;
  size_t at = put_number(bytes, (uint64_t)ends);
  at += put_number(bytes + at, (uint64_t)(status & 0xff));
  at += put_number(bytes + at, (uint64_t)((char *)caller - (char *)place.base));
  at += put_text(bytes + at, function, 100);
  at += put_text(bytes + at, file, 3000);
  memcpy(bytes + at, calls, length);
  send_locked('X', bytes, at + length, -1);
  give_lock();
}

static _Noreturn void end(int status) {
  void (*exit)(int) = symbol_of("exit");
  if (exit != NULL) exit(status);
  leave(status);
}

static void exit_of_package(int status) {
  tell_end(0, status, "exit", __builtin_return_address(0), 1);
  end(status);
}

static void exit_of_xctest(int status) {
  tell_end(is_followed() && ends_run(), status, "exit", __builtin_return_address(0), 0);
  end(status);
}

/// Swift Testing ends from a task, which has nothing around it.
static void exit_of_testing(int status) {
  tell_end(is_followed() && has_begun, status, "exit", __builtin_return_address(0), 0);
  end(status);
}

static void immediate_exit(int status) {
  tell_end(0, status, "_exit", __builtin_return_address(0), 0);
  leave(status);
}

static void standard_exit(int status) {
  tell_end(0, status, "_Exit", __builtin_return_address(0), 0);
  leave(status);
}

// MARK: The observer of XCTest

/// Takes a record of the observer. It counts when XCTest called the observer: what a test calls through the list of
/// observers is told as what it is.
static __attribute__((noinline)) void send_observation(uint8_t kind, const uint8_t *bytes, size_t count) {
  // Frames are chained alike on both processors: the one around, then the place to return to.
  uintptr_t *frame = __builtin_frame_address(0);
  for (int depth = 0; depth < 16 && frame != NULL; depth++) {
    if (!lies_in(observer, frame[1])) break;
    frame = (uintptr_t *)frame[0];
  }
  if (frame == NULL || !lies_in(xctest, frame[1])) return send_record('Y', NULL, 0);
  if (kind == 'T' || kind == 't') {
    send_changes();
    send_started();
  }
  send_record(kind, bytes, count);
  tell_moment();
}

static void follow_xctest(void) {
  typedef void sender(uint8_t, const uint8_t *, size_t);
  for (int at = 0; at < image_count; at++) {
    if (!is_from(images[at], observer_path)) continue;
    void (*start)(sender *, const char *) = symbol_in(images[at], "martlet_follow_xctest");
    if (start == NULL) break;
    observer = range_of(images[at]);
    send_record('H', NULL, 0);
    return start(send_observation, first_classes);
  }
  static const char reason[] = "the linker did not load it";
  send_record('F', (const uint8_t *)reason, sizeof reason - 1);
}

// MARK: The beginning

static char *variable(const char *beginning) {
  for (char **each = variables; each != NULL && *each != NULL; each++)
    if (begins(*each, beginning)) return *each + length_of(beginning);
  return NULL;
}

/// The value of a variable, out of the reach of whoever changes the environment; null where it is not set. It has as much
/// room as the kernel gives a variable, since that of the first classes is long.
static char *copy_variable(const char *beginning) {
  const char *value = variable(beginning);
  size_t length = value == NULL ? 0 : length_of(value) + 1;
  char *copy = value == NULL ? NULL : memory_of(length);
  return copy == NULL ? NULL : memcpy(copy, value, length);
}

/// Takes a variable out of the environment, and out of the memory that /proc shows; the copy stays here.
///
/// Sanitizers read that memory up to the first text without a letter, so other letters stay in its place.
static char *take_variable(const char *beginning) {
  char *copy = copy_variable(beginning);
  char **to = variables;
  for (char **from = variables; *from != NULL; from++) {
    if (begins(*from, beginning)) memset(*from, '.', length_of(*from));
    else *to++ = *from;
  }
  *to = NULL;
  return copy;
}

/// Whether this program is a file, by whatever name.
static int is_program(const char *path) { return path != NULL && is_same("/proc/self/exe", path); }

/// Connects by way of the folder's descriptor, because a socket's path must be short.
static int connect_to(const char *folder) {
  struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int at = open_file(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  char *end = put_link(address.sun_path, at);
  if (end == NULL) return -1;
  int link = (int)ASK(socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  memcpy(end, "/s", 2);
  int has_failed = link < 0
      || failed(ASK(setsockopt, link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience))
      || failed(ASK(connect, link, &address, sizeof address));
  ASK(close, at);
  if (has_failed && link >= 0) ASK(close, link);
  return has_failed ? -1 : link;
}

static int open_channel(const char *folder) {
  struct stat status;
  int link = connect_to(folder);
  if (link < 0) return 0;
  if (ASK(recvfrom, link, key, KEY_BYTES, 0, 0, 0) != KEY_BYTES || failed(ASK(fstat, link, &status))) {
    ASK(close, link);
    return 0;
  }
  ASK(shutdown, link, SHUT_RD);
  channel = lifted(link);
  channel_device = status.st_dev;
  channel_inode = status.st_ino;
  owner = (int)ASK(getpid);
  return 1;
}

/// Begins the program again where its memory is always at the same places. The thread sanitizer would do so itself, where
/// they vary too much for it, and lose the observer.
static void fix_places(char **words) {
  long kind = ASK(personality, 0xffffffff);
  if (take_variable("MARTLET_FIXED=") == NULL || failed(kind) || (kind & ADDR_NO_RANDOMIZE) != 0) return;
  if (!failed(ASK(personality, kind | ADDR_NO_RANDOMIZE))) ASK(execve, "/proc/self/exe", words, variables);
}

/// A program that a test started has the variables that are left to it, as its own children have.
static void prepare_started(void) {
  char *folder = variable("MARTLET_COUNTERS="), *built = variable("MARTLET_PROGRAMS=");
  if (folder == NULL || built == NULL || !links_within("/proc/self/exe", built)) return;
  keep_leading(variables, copy_variable("MARTLET_PROGRAMS="));
  profiles = copy_variable("MARTLET_PROFILES=");
  hold_place(folder);
  is_started = open_channel(folder);
  if (is_started) send_moment(variable("MARTLET_MOMENT="));
}

/// The linker hands every library the arguments and the environment of the program.
__attribute__((constructor)) static void prepare(int count, char **words, char **environment) {
  (void)count;
  variables = environment;
  if (environment == NULL) return;
  if (variable("MARTLET_CHANNEL=") == NULL) return prepare_started();
  // Others are on the way to the program that is to be followed.
  if (!is_program(variable("MARTLET_PROGRAM="))) return;
  fix_places(words);
  take_variable("MARTLET_PROGRAM=");
  char *folder = take_variable("MARTLET_CHANNEL=");
  observer_path = take_variable("MARTLET_OBSERVER=");
  first_classes = take_variable("MARTLET_FIRST=");
  profiles = copy_variable("MARTLET_PROFILES=");
  maps_tests = take_variable("MARTLET_MAP=") != NULL;
  char *started = copy_variable("MARTLET_COUNTERS=");
  if (started != NULL) keep_leading(variables, copy_variable("MARTLET_PROGRAMS="));
  if (maps_tests) follow_started(started, variable("MARTLET_MOMENT="));
  read_orders(take_variable("MARTLET_MUTANTS="));
  libraries = take_variable("MARTLET_LIBRARIES=");
  preloads = take_variable("MARTLET_PRELOAD=");
  char *path = take_variable("MARTLET_STREAM=");
  if (!open_channel(folder)) return;
  send_record('C', NULL, 0);
  __atomic_store_n(&stream_path, path, __ATOMIC_RELEASE);
}

static int followed_main(int count, char **words, char **environment) {
  has_begun = 1;
  move_all_counters();
  if (is_started) return real_main(count, words, environment);
  if (observer_path != NULL) follow_xctest();
  if (stream_path != NULL) send_record('H', NULL, 0);
  // The first call loads what the later ones need.
  int (*backtrace)(void **, int) = symbol_in(c_library, "backtrace");
  void *frame;
  if (backtrace != NULL) backtrace(&frame, 1);
  if (orders != NULL) serve_mutants(words[0], environment, real_main);
  return real_main(count, words, environment);
}

/// The C library's call of `main`: all that the package has run before it is over by then.
static int start_main(
    main_function *main, int count, char **words, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
    void *stack_end) {
  int (*start)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      symbol_of("__libc_start_main");
  real_main = main;
  return start(followed_main, count, words, init, fini, rtld_fini, stack_end);
}

static const struct detour of_everybody[] = {
    {"exit", exit_of_package}, {"_exit", immediate_exit}, {"_Exit", standard_exit}, {NULL, NULL}};
static const struct detour of_program[] = {{"__libc_start_main", start_main}, {NULL, NULL}};
static const struct detour of_xctest[] = {{"exit", exit_of_xctest}, {NULL, NULL}};
static const struct detour of_testing[] = {
    {"exit", exit_of_testing}, {"fopen", open_stream}, {"fopen64", open_stream}, {"fwrite", write_stream},
    {"fputs", put_stream}, {NULL, NULL}};

/// Leaves the children of the process the preloaded libraries that are not Martlet's, and this one only where they hand
/// over their counters.
static void clean_environment(void) {
  if (variable("MARTLET_COUNTERS=") == NULL) take_variable("LD_AUDIT=");
  char *list = variable("LD_PRELOAD=");
  if (list == NULL) return;
  if (preloads == NULL || preloads[0] == 0) {
    take_variable("LD_PRELOAD=");
    return;
  }
  size_t length = length_of(preloads), before = length_of(list);
  memcpy(list, preloads, length + 1);
  if (before > length + 1) memset(list + length + 1, '.', before - length - 1);
}

EXPORTED unsigned la_version(unsigned version) { return channel >= 0 ? version : 0; }

static int is_of_toolchain(const struct link_map *image) {
  return libraries != NULL && lies_within(image->l_name, libraries);
}

EXPORTED unsigned la_objopen(struct link_map *image, Lmid_t namespace, uintptr_t *cookie) {
  (void)cookie;
  if (namespace != LM_ID_BASE) return 0;
  if (!is_patched && image_count < MOST_IMAGES) images[image_count++] = image;
  // What is loaded later is not followed.
  else if (maps_tests && !is_of_toolchain(image) && makes_values(image)) send_record('N', NULL, 0);
  return 0;
}

/// Whether a library is the toolchain's of that name, and not one that the package calls so.
static int is_library(const struct link_map *image, const char *name) {
  char path[PATH_BYTES];
  size_t length = libraries == NULL ? PATH_BYTES : length_of(libraries);
  if (!ends(image->l_name, name) || length + length_of(name) >= PATH_BYTES) return 0;
  memcpy(path, libraries, length);
  memcpy(path + length, name, length_of(name) + 1);
  return is_from(image, path);
}

/// Follows the values that the package's code makes when they are first needed. The compiler's own function is only found
/// where it has a library to itself.
static void follow_values(void) {
  int is_found = 0;
  for (int at = 0; at < image_count; at++) is_found |= is_library(images[at], "/libswiftCore.so");
  if (!maps_tests || !is_found) return;
  for (int at = 0; at < image_count; at++)
    if (!is_of_toolchain(images[at])) follow(images[at], of_values);
  send_record('D', NULL, 0);
}

/// Everything that the program begins with is loaded and bound, and nothing of it has run.
EXPORTED void la_activity(uintptr_t *cookie, unsigned flag) {
  (void)cookie;
  if (flag != LA_ACT_CONSISTENT || is_patched || image_count == 0) return;
  is_patched = 1;
  for (int at = 0; at < image_count && programs != NULL; at++) follow(images[at], of_starts);
  if (is_started) return follow(images[0], of_program);
  for (int at = 0; at < image_count; at++)
    if (ends(images[at]->l_name, "/libc.so.6")) c_library = images[at];
  if (c_library == NULL) return;
  for (int at = 0; at < image_count; at++) {
    if (images[at] == c_library) continue;
    if (is_library(images[at], "/libXCTest.so")) {
      xctest = range_of(images[at]);
      follow(images[at], of_xctest);
    } else if (is_library(images[at], "/libTesting.so")) {
      follow(images[at], of_testing);
    } else {
      follow(images[at], of_everybody);
    }
  }
  follow(images[0], of_program);
  follow_values();
  clean_environment();
}
