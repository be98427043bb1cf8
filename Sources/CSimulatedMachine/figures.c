// Sizes of memory, and numbers from databases.

#include "CSimulatedMachine.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stddef.h>

int64_t simulated_database_number(const char *path, const char *sql) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t number = -1;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
    number = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return number;
}

int64_t simulated_machine_database_memory(void) { return sqlite3_memory_used(); }

int64_t simulated_machine_allocated(void) {
  struct mallinfo2 figures = mallinfo2();
  return (int64_t)(figures.uordblks + figures.hblkhd);
}
