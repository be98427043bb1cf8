// What Swift's own view of <spawn.h> leaves out: glibc declares it only with _GNU_SOURCE.
#ifndef DRAGOMAN_CSPAWN_SHIM_H
#define DRAGOMAN_CSPAWN_SHIM_H

#include <spawn.h>

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline int dragoman_close_from(posix_spawn_file_actions_t *actions, int from) {
  return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

#endif
