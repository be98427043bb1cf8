// libgit2, and what Swift cannot see of it: `git_libgit2_opts` is variadic, so each option that we set has a function here.
#ifndef DRAGOMAN_CLIBGIT2_SHIM_H
#define DRAGOMAN_CLIBGIT2_SHIM_H

#include <git2.h>
#include <git2/sys/repository.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/transport.h>

static inline int dragoman_git_set_search_path(int level, const char *path) {
  return git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, path);
}

static inline int dragoman_git_set_owner_validation(int enabled) {
  return git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, enabled);
}

static inline int dragoman_git_set_extensions(const char **extensions, size_t count) {
  return git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, count);
}

static inline int dragoman_git_set_pack_windows(size_t window, size_t total) {
  int code = git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, window);
  return code < 0 ? code : git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, total);
}

static inline int dragoman_git_set_cache_limit(git_object_t type, size_t size) {
  return git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, type, size);
}

static inline int dragoman_git_set_cache_size(ssize_t size) {
  return git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, size);
}

static inline int dragoman_git_get_cache(ssize_t *used, ssize_t *most) {
  return git_libgit2_opts(GIT_OPT_GET_CACHED_MEMORY, used, most);
}

static inline int dragoman_git_set_strict_hash_verification(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, enabled);
}

// Not declared without _GNU_SOURCE, which Swift's importer does not set.
extern int syncfs(int descriptor);
static inline int dragoman_sync_file_system(int descriptor) { return syncfs(descriptor); }

// Starts to write a file's data to the disk, without waiting for it.
extern int sync_file_range(int descriptor, long long offset, long long count, unsigned int flags);
static inline void dragoman_start_writing(int descriptor) { (void)sync_file_range(descriptor, 0, 0, 2); }

// The functions of our transports that libgit2 calls, and their owner. libgit2 hands back the first member.
typedef struct {
  git_smart_subtransport head;
  void *owner;
} dragoman_subtransport;

typedef struct {
  git_smart_subtransport_stream head;
  void *owner;
} dragoman_stream;

static inline int dragoman_git_enable_fsync(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, enabled);
}

static inline int dragoman_git_set_open_packs(size_t count) {
  return git_libgit2_opts(GIT_OPT_SET_MWINDOW_FILE_LIMIT, count);
}

#endif
