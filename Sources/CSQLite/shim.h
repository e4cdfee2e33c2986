#pragma once

#include <sqlite3.h>

// The value of SQLITE_TRANSIENT is a cast that Swift does not import.

static inline int shim_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}
