#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast in a macro, which Swift cannot import: SQLite copies the bytes before these return.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int at, const void *bytes, sqlite3_uint64 count) {
    return bytes ? sqlite3_bind_blob64(statement, at, bytes, count, SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(statement, at, 0);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int at, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, at, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
