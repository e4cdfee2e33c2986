// The values that a process makes when they are first needed, such as those of globals and static properties: which code ran
// to make each. The test that happens to need a value first runs that code, and all that come after it profit.

#pragma once
#include "Counters.h"
#include "Images.h"
#include "Records.h"
#include "System.h"

typedef void value_maker(void *);

/// How a value is made, as whoever needs it says.
struct value {
  value_maker *make;
  void *context;
};

/// Whether `main` has begun; before, nobody tells what is counted.
static volatile int has_begun;

/// Tells that a value begins to be made, or ceases to: the place of its code, as the distance from the beginning of a program
/// or library, and the path of that.
static void tell_value(uint8_t kind, value_maker *make) {
  uint8_t bytes[PATH_BYTES + 64];
  char program[PATH_BYTES];
  if (!is_followed()) return;
  const struct link_map *image = image_at((uintptr_t)make);
  if (!has_begun || image == NULL) return send_record('N', NULL, 0);
  long count = image->l_name[0] != 0 ? 0 : ASK(readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program - 1);
  program[count > 0 ? count : 0] = 0;
  // What was counted until now belongs to what was there until now.
  send_changes();
  size_t at = put_number(bytes, (uintptr_t)make - image->l_addr);
  at += put_text(bytes + at, image->l_name[0] != 0 ? image->l_name : program, PATH_BYTES);
  send_record(kind, bytes, at);
}

static void make_value(void *context) {
  struct value *value = context;
  tell_value('L', value->make);
  value->make(value->context);
  tell_value('l', value->make);
}

/// What the compiler calls each time a value is needed
/// (https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/Once.h).
static void make_once(void *token, value_maker *make, void *context) {
  static void (*once)(void *, value_maker *, void *);
  if (once == NULL) once = symbol_of("swift_once");
  struct value value = {make, context};
  // Whether the process is followed is asked when the value is made: to ask each time costs a system call.
  once(token, make_value, &value);
}

static const struct detour of_values[] = {{"swift_once", make_once}, {NULL, NULL}};

/// Whether an image has values that are made when they are needed.
static int makes_values(const struct link_map *image) { return calls(image, of_values[0].name); }
