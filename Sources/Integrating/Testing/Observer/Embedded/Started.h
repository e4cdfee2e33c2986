// The programs that a test starts, in two processes: the one that runs the tests lets what it starts inherit the moment, and
// sees whether any of them is still running; a started program tells the moment, and holds a place as long as it runs. Both
// see to it that a built program is led to its socket whatever environment it is given.

#pragma once
#include "Images.h"
#include "Records.h"
#include "System.h"

#include <sys/file.h>

/// The folder in which started programs find their socket, and on which they hold a lock; null where they are not told of.
static const char *started_folder;
/// The folder in which the programs were built; null where they are not led to a socket.
static const char *programs;
/// The variables that lead a program there, as this process was given them.
static char *leading[6];
static const char *const leading_names[] = {
    "LD_AUDIT=", "LLVM_PROFILE_FILE=", "MARTLET_COUNTERS=", "MARTLET_PROGRAMS=", "MARTLET_PROFILES=", "MARTLET_MOMENT="};
enum { LEADING = 6, MOST_VARIABLES = 4096 };
/// The digits of the moment, in the environment that children inherit.
static char *moment;
enum { MOMENT_DIGITS = 20 };
/// What was told last: whether a started program was running.
static int was_running;

// MARK: The process that runs the tests

/// Puts the number of the next record down where children inherit it: it tells which test was running when they started.
static void tell_moment(void) {
  if (moment == NULL || !is_followed()) return;
  uint64_t rest = number;
  for (int at = MOMENT_DIGITS - 1; at >= 0; at--, rest /= 10) moment[at] = (char)('0' + rest % 10);
}

static void follow_started(const char *folder, char *digits) {
  if (folder == NULL || digits == NULL || length_of(digits) != MOMENT_DIGITS) return;
  started_folder = folder;
  moment = digits;
}

/// Whether a started program holds its place. What cannot be seen counts as running.
static int is_running(void) {
  int place = open_file(started_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int is_free = place >= 0 && ASK(flock, place, LOCK_EX | LOCK_NB) == 0;
  // Children may have got the descriptor, too.
  if (is_free) ASK(flock, place, LOCK_UN);
  if (place >= 0) ASK(close, place);
  return !is_free;
}

/// Tells whether started programs are running, where that changed: one that outlives its test may serve another.
static void send_started(void) {
  if (started_folder == NULL || !is_followed()) return;
  uint8_t now = (uint8_t)is_running();
  if (now == was_running) return;
  was_running = now;
  send_record('P', &now, 1);
}

// MARK: The way to the socket

static char *find_variable(char *const *environment, const char *beginning) {
  for (; environment != NULL && *environment != NULL; environment++)
    if (begins(*environment, beginning)) return *environment;
  return NULL;
}

static void keep_leading(char *const *environment, const char *built) {
  programs = built;
  for (int at = 0; at < LEADING; at++) leading[at] = find_variable(environment, leading_names[at]);
}

/// Whether a path leads to a built program, whatever links are on the way.
static int is_built(const char *path) {
  if (programs == NULL || path == NULL) return 0;
  char link[32];
  int file = open_file(path, O_PATH | O_CLOEXEC);
  int found = put_link(link, file) != NULL && links_within(link, programs);
  if (file >= 0) ASK(close, file);
  return found;
}

/// The environment of a program: a built one also gets what leads it to its socket, where that is missing.
///
/// It runs in forked children, too, which must not ask for memory.
///
/// - Parameter room: holds `MOST_VARIABLES + LEADING + 1` variables.
static char *const *led(const char *path, char *const *environment, char **room) {
  size_t count = 0;
  if (!is_built(path)) return environment;
  for (; environment != NULL && environment[count] != NULL; count++) {
    if (count == MOST_VARIABLES) return environment;
    room[count] = environment[count];
  }
  for (int at = 0; at < LEADING; at++)
    if (leading[at] != NULL && find_variable(environment, leading_names[at]) == NULL) room[count++] = leading[at];
  room[count] = NULL;
  return room;
}

typedef int spawner(int *, const char *, const void *, const void *, char *const *, char *const *);
typedef int executor(const char *, char *const *, char *const *);

static int spawn_as(
    const char *name, int *child, const char *path, const void *actions, const void *attributes, char *const *words,
    char *const *environment) {
  char *room[MOST_VARIABLES + LEADING + 1];
  spawner *start = symbol_of(name);
  return start == NULL ? ENOSYS : start(child, path, actions, attributes, words, led(path, environment, room));
}

static int spawn(
    int *child, const char *path, const void *actions, const void *attributes, char *const *words, char *const *environment) {
  return spawn_as("posix_spawn", child, path, actions, attributes, words, environment);
}

static int spawn_named(
    int *child, const char *path, const void *actions, const void *attributes, char *const *words, char *const *environment) {
  return spawn_as("posix_spawnp", child, path, actions, attributes, words, environment);
}

static int execute_as(const char *name, const char *path, char *const *words, char *const *environment) {
  char *room[MOST_VARIABLES + LEADING + 1];
  executor *start = symbol_of(name);
  return start == NULL ? -1 : start(path, words, led(path, environment, room));
}

static int execute(const char *path, char *const *words, char *const *environment) {
  return execute_as("execve", path, words, environment);
}

static int execute_named(const char *path, char *const *words, char *const *environment) {
  return execute_as("execvpe", path, words, environment);
}

static const struct detour of_starts[] = {
    {"posix_spawn", spawn}, {"posix_spawnp", spawn_named}, {"execve", execute}, {"execvpe", execute_named}, {NULL, NULL}};

// MARK: A started program

/// Holds a place until the program and all that share its descriptors are gone, or run something else.
static void hold_place(const char *folder) {
  int place = open_file(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (place >= 0) ASK(flock, lifted(place), LOCK_SH);
}

/// Tells the moment at which the program was started.
static void send_moment(const char *digits) {
  if (digits != NULL) send_record('S', (const uint8_t *)digits, length_of(digits));
}
