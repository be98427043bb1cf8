// What the simulation needs below Swift: an executor that runs every task of one thread in order, and a disk for SQLite.
#ifndef C_SIMULATED_MACHINE_H
#define C_SIMULATED_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

// MARK: Executor

/// From now on, tasks that become runnable on this thread wait in a queue of this thread, in the order in which they became runnable.
/// Other threads are not affected.
void simulated_executor_begin(void);

/// Stops queueing the tasks of this thread. The queue must be empty.
void simulated_executor_end(void);

/// Whether tasks of this thread wait in its queue.
bool simulated_executor_is_active(void);

/// Runs the first task of the queue until it suspends.
/// @return false if the queue is empty.
bool simulated_executor_run_one(void);

// MARK: Disk

/// A disk in memory. SQLite sees it under `/simulated-disk/<number>/`.
typedef struct simulated_disk simulated_disk;

typedef struct {
  int64_t writes;
  int64_t syncs;
  /// Bytes of all files.
  int64_t bytes;
} simulated_disk_figures;

/// Registers the file system with SQLite. Paths outside `/simulated-disk/` go to the file system that was the default before.
/// @return 0, or SQLite's error code.
int simulated_disk_register(void);

/// @return NULL if memory is exhausted.
simulated_disk *simulated_disk_create(int64_t number);

/// Frees the disk. Connections that are still open get errors from then on.
void simulated_disk_destroy(simulated_disk *disk);

/// The process that used the disk died: its files keep what it wrote, its connections get errors from now on and have no effect.
void simulated_disk_kill(simulated_disk *disk);

/// The power fails: like a kill, but each unsynced sector of 512 bytes survives only by chance.
/// @param seed 0: nothing that was not synced survives.
void simulated_disk_cut_power(simulated_disk *disk, uint64_t seed);

/// After this number of further writes, every connection gets errors, as if the process died in the middle; negative: never.
void simulated_disk_die_after(simulated_disk *disk, int64_t writes);

/// Whether `simulated_disk_die_after` has taken effect since the last kill or power failure.
bool simulated_disk_is_dead(const simulated_disk *disk);

/// Whether writes fail because the disk is full.
void simulated_disk_set_full(simulated_disk *disk, bool is_full);

/// Whether another program holds SQLite's write lock.
void simulated_disk_set_locked(simulated_disk *disk, bool is_locked);

/// Replaces this disk's files by those of another, as when a backup is restored. Open connections get errors from now on.
/// @return false if memory is exhausted.
bool simulated_disk_copy(simulated_disk *disk, const simulated_disk *from);

simulated_disk_figures simulated_disk_measure(const simulated_disk *disk);

/// Runs a query on a new connection.
/// @return the first column of the first row; -1 if the query fails or returns no rows.
int64_t simulated_database_number(const char *path, const char *sql);

/// @return the number of bytes that the process has allocated and not freed.
int64_t simulated_machine_allocated(void);

/// @return the number of bytes that SQLite has allocated and not freed, mostly for pages of databases.
int64_t simulated_machine_database_memory(void);

#endif
