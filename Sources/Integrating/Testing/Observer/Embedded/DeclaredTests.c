// Tells which tests the compiler saw in the sources of some object files, as the index beside them has it.
//
// declared-tests LIBRARY STORE <OBJECTS
//
// LIBRARY is the toolchain's libIndexStore.so, STORE the index, and each line of the input an object file. The answer is a
// list of records of seven fields, each field with a zero byte behind it: what it is, module, type, name, file, line and
// column. An `x` is a method of XCTest, an `s` the attribute that makes a test of Swift Testing of the function that is
// named, and an `m` an object file, as the file, of which the index knows nothing.
//
// https://github.com/swiftlang/llvm-project/blob/stable/21.x/clang/include/indexstore/indexstore.h

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *data;
  size_t length;
} text;

enum { CLASS = 7, MACRO = 4, METHOD = 16, RECORD = 2 };
enum { IS_UNIT_TEST = 1 << 3 };
enum { DEFINITION = 1 << 1, REFERENCE = 1 << 2, IMPLICIT = 1 << 8, CHILD_OF = 1 << 9, CONTAINED_BY = 1 << 16 };

// The functions that are used, by their names without the prefix.
#define FUNCTIONS(use) \
  use(void *, store_create, (const char *, void **)) \
  use(size_t, store_get_unit_name_from_output_path, (void *, const char *, char *, size_t)) \
  use(void, error_dispose, (void *)) \
  use(void *, unit_reader_create, (void *, const char *, void **)) \
  use(void, unit_reader_dispose, (void *)) \
  use(text, unit_reader_get_module_name, (void *)) \
  use(bool, unit_reader_dependencies_apply_f, (void *, void *, bool (*)(void *, void *))) \
  use(int, unit_dependency_get_kind, (void *)) \
  use(bool, unit_dependency_is_system, (void *)) \
  use(text, unit_dependency_get_name, (void *)) \
  use(text, unit_dependency_get_filepath, (void *)) \
  use(void *, record_reader_create, (void *, const char *, void **)) \
  use(void, record_reader_dispose, (void *)) \
  use(bool, record_reader_occurrences_apply_f, (void *, void *, bool (*)(void *, void *))) \
  use(void *, occurrence_get_symbol, (void *)) \
  use(uint64_t, occurrence_get_roles, (void *)) \
  use(void, occurrence_get_line_col, (void *, unsigned *, unsigned *)) \
  use(bool, occurrence_relations_apply_f, (void *, void *, bool (*)(void *, void *))) \
  use(uint64_t, symbol_relation_get_roles, (void *)) \
  use(void *, symbol_relation_get_symbol, (void *)) \
  use(int, symbol_get_kind, (void *)) \
  use(uint64_t, symbol_get_properties, (void *)) \
  use(text, symbol_get_name, (void *)) \
  use(text, symbol_get_usr, (void *))

#define DECLARE(result, name, parameters) static result(*name) parameters;
FUNCTIONS(DECLARE)

static void *store;
static text module, file;

static int load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
#define FIND(result, name, parameters) \
  if ((name = (result(*) parameters)dlsym(library, "indexstore_" #name)) == NULL) return 0;
  FUNCTIONS(FIND)
  return 1;
}

static void put(text field) {
  fwrite(field.data, 1, field.length, stdout);
  putchar(0);
}

static int has_prefix(text field, const char *prefix) {
  size_t length = strlen(prefix);
  return field.length >= length && memcmp(field.data, prefix, length) == 0;
}

static void tell(const char *kind, text type, text name, void *occurrence) {
  unsigned line = 0, column = 0;
  occurrence_get_line_col(occurrence, &line, &column);
  fputs(kind, stdout);
  putchar(0);
  put(module);
  put(type);
  put(name);
  put(file);
  printf("%u%c%u%c", line, 0, column, 0);
}

struct relative {
  uint64_t role;
  void *symbol;
};

static bool find_relative(void *context, void *relation) {
  struct relative *wanted = context;
  if ((symbol_relation_get_roles(relation) & wanted->role) == 0) return true;
  wanted->symbol = symbol_relation_get_symbol(relation);
  return false;
}

static void *relative(void *occurrence, uint64_t role) {
  struct relative wanted = {.role = role};
  occurrence_relations_apply_f(occurrence, &wanted, find_relative);
  return wanted.symbol;
}

static bool see(void *context, void *occurrence) {
  (void)context;
  void *symbol = occurrence_get_symbol(occurrence);
  uint64_t roles = occurrence_get_roles(occurrence);
  if ((roles & IMPLICIT) != 0) return true;
  int kind = symbol_get_kind(symbol);
  if (kind == METHOD && (roles & DEFINITION) != 0 && (symbol_get_properties(symbol) & IS_UNIT_TEST) != 0) {
    void *owner = relative(occurrence, CHILD_OF);
    if (owner != NULL) tell("x", symbol_get_name(owner), symbol_get_name(symbol), occurrence);
  } else if (
      kind == MACRO && (roles & REFERENCE) != 0 && has_prefix(symbol_get_usr(symbol), "s:7Testing")
      && has_prefix(symbol_get_name(symbol), "Test(")) {
    void *function = relative(occurrence, CONTAINED_BY);
    if (function != NULL) tell("s", (text){"", 0}, symbol_get_name(function), occurrence);
  }
  return true;
}

static bool read_record(void *context, void *dependency) {
  (void)context;
  char name[4096];
  void *error = NULL;
  if (unit_dependency_get_kind(dependency) != RECORD || unit_dependency_is_system(dependency)) return true;
  text found = unit_dependency_get_name(dependency);
  if (found.length >= sizeof name) return true;
  memcpy(name, found.data, found.length);
  name[found.length] = 0;
  void *reader = record_reader_create(store, name, &error);
  if (error != NULL) {
    error_dispose(error);
    return false;
  }
  file = unit_dependency_get_filepath(dependency);
  record_reader_occurrences_apply_f(reader, NULL, see);
  record_reader_dispose(reader);
  return true;
}

/// Whether the index knows the object file.
static int read_unit(const char *object) {
  char name[4096];
  void *error = NULL;
  if (store_get_unit_name_from_output_path(store, object, name, sizeof name) >= sizeof name) return 0;
  void *reader = unit_reader_create(store, name, &error);
  if (error != NULL) {
    error_dispose(error);
    return 0;
  }
  module = unit_reader_get_module_name(reader);
  int is_whole = unit_reader_dependencies_apply_f(reader, NULL, read_record);
  unit_reader_dispose(reader);
  return is_whole;
}

int main(int count, char **words) {
  char object[8192];
  void *error = NULL;
  if (count != 3 || !load(words[1])) return 2;
  store = store_create(words[2], &error);
  if (error != NULL) return 3;
  while (fgets(object, sizeof object, stdin) != NULL) {
    object[strcspn(object, "\n")] = 0;
    if (read_unit(object)) continue;
    module = (text){"", 0};
    file = (text){object, strlen(object)};
    printf("m%c%c%c%c", 0, 0, 0, 0);
    put(file);
    printf("0%c0%c", 0, 0);
  }
  return fflush(stdout) == 0 ? 0 : 4;
}
