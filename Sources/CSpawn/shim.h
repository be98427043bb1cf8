// What Swift's own view of <spawn.h> and <fcntl.h> leaves out: glibc declares it only with _GNU_SOURCE.
#ifndef DRAGOMAN_CSPAWN_SHIM_H
#define DRAGOMAN_CSPAWN_SHIM_H

#include <spawn.h>

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline int dragoman_close_from(posix_spawn_file_actions_t *actions, int from) {
  return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

/// F_SETLEASE of fcntl: sets or removes a lease on a file. Linux has the same number on all architectures (F_LINUX_SPECIFIC_BASE).
static const int dragoman_set_lease = 1024;

#endif
