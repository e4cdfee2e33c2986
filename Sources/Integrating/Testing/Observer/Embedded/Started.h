// The programs that a test starts, in two processes: the one that runs the tests lets what it starts inherit the moment, and
// sees whether any of them is still running; a started program tells the moment, and holds a place as long as it runs.

#pragma once
#include "Images.h"
#include "Records.h"
#include "System.h"

#include <sys/file.h>

/// The folder in which started programs find their socket, and on which they hold a lock; null where they are not told of.
static const char *started_folder;
/// The folder in which the programs were built.
static const char *programs;
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

static void follow_started(const char *folder, const char *built, char *digits) {
  if (folder == NULL || built == NULL || digits == NULL || length_of(digits) != MOMENT_DIGITS) return;
  started_folder = folder;
  programs = built;
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

static int has_variable(char *const *environment, const char *beginning) {
  for (; environment != NULL && *environment != NULL; environment++)
    if (begins(*environment, beginning)) return 1;
  return 0;
}

/// Tells of a built program whose environment does not lead it to its socket.
static int spawn(
    int *child, const char *path, const void *actions, const void *attributes, char *const *words, char *const *environment) {
  int (*start)(int *, const char *, const void *, const void *, char *const *, char *const *) = symbol_of("posix_spawn");
  int is_told = has_variable(environment, "LD_AUDIT=") && has_variable(environment, "MARTLET_COUNTERS=")
      && has_variable(environment, "MARTLET_PROGRAMS=");
  if (started_folder != NULL && !is_told && path != NULL && lies_within(path, programs)) send_record('Q', NULL, 0);
  return start == NULL ? ENOSYS : start(child, path, actions, attributes, words, environment);
}

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
