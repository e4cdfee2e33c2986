#pragma once

#include <sqlite3.h>

// The value of SQLITE_TRANSIENT is a cast that Swift does not import.

static inline int shim_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Swift does not import functions with variable arguments.

static inline int shim_reset_database(sqlite3 *database, int resets) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, resets, (int *)0);
}
