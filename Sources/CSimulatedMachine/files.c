// The disk as SQLite's file system.

#include "disk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static sqlite3_vfs *original;

// MARK: Files

/// The disk of a live handle; NULL for others.
static simulated_disk *alive(handle *open) {
  return open->node && !open->disk->is_dead ? open->disk : NULL;
}

static int file_close(sqlite3_file *file) {
  handle *open = (handle *)file;
  if (open->node) {
    for (handle **place = &open->node->handles; *place; place = &(*place)->next) {
      if (*place == open) {
        *place = open->next;
        break;
      }
    }
  }
  return SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *into, int count, sqlite3_int64 offset) {
  handle *open = (handle *)file;
  if (!alive(open)) return SQLITE_IOERR_READ;
  const image *image = &open->node->written;
  int64_t there = image->size - offset;
  if (there >= count) {
    memcpy(into, image->bytes + offset, (size_t)count);
    return SQLITE_OK;
  }
  if (there < 0) there = 0;
  if (there) memcpy(into, image->bytes + offset, (size_t)there);
  memset((uint8_t *)into + there, 0, (size_t)(count - there));
  return SQLITE_IOERR_SHORT_READ;
}

/// Counts a write. Returns `SQLITE_OK` if the disk accepts it, or the error.
static int begin_write(simulated_disk *disk) {
  if (disk->is_full) return SQLITE_FULL;
  if (disk->writes_left == 0) {
    disk->is_dead = true;
    return SQLITE_IOERR_WRITE;
  }
  if (disk->writes_left > 0) disk->writes_left--;
  disk->writes++;
  return SQLITE_OK;
}

static int file_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
  handle *open = (handle *)file;
  simulated_disk *disk = alive(open);
  if (!disk) return SQLITE_IOERR_WRITE;
  int code = begin_write(disk);
  if (code != SQLITE_OK) return code;
  node *node = open->node;
  int64_t end = offset + count;
  if (end > node->written.size && !simulated_image_resize(&node->written, end)) return SQLITE_NOMEM;
  memcpy(node->written.bytes + offset, from, (size_t)count);
  return simulated_node_mark(node, offset, end) ? SQLITE_OK : SQLITE_NOMEM;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  handle *open = (handle *)file;
  simulated_disk *disk = alive(open);
  if (!disk) return SQLITE_IOERR_TRUNCATE;
  return simulated_image_resize(&open->node->written, size) ? SQLITE_OK : SQLITE_NOMEM;
}

static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  handle *open = (handle *)file;
  simulated_disk *disk = alive(open);
  if (!disk) return SQLITE_IOERR_FSYNC;
  disk->syncs++;
  node *node = open->node;
  int64_t size = node->written.size;
  if (!simulated_image_resize(&node->synced, size)) return SQLITE_NOMEM;
  for (int64_t sector = 0; sector < node->dirty.size; sector++) {
    if (!node->dirty.bytes[sector]) continue;
    int64_t from = sector * SECTOR;
    int64_t to = from + SECTOR < size ? from + SECTOR : size;
    if (to > from) memcpy(node->synced.bytes + from, node->written.bytes + from, (size_t)(to - from));
  }
  node->dirty.size = 0;
  return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  handle *open = (handle *)file;
  if (!alive(open)) return SQLITE_IOERR_FSTAT;
  *size = open->node->written.size;
  return SQLITE_OK;
}

static int file_lock(sqlite3_file *file, int level) {
  handle *open = (handle *)file;
  if (!alive(open)) return SQLITE_IOERR_LOCK;
  if (open->lock >= level) return SQLITE_OK;
  for (handle *other = open->node->handles; other; other = other->next) {
    if (other == open) continue;
    bool conflicts = level == SQLITE_LOCK_SHARED      ? other->lock >= SQLITE_LOCK_PENDING
                     : level == SQLITE_LOCK_EXCLUSIVE ? other->lock >= SQLITE_LOCK_SHARED
                                                      : other->lock >= SQLITE_LOCK_RESERVED;
    if (!conflicts) continue;
    if (level == SQLITE_LOCK_EXCLUSIVE && other->lock < SQLITE_LOCK_RESERVED) open->lock = SQLITE_LOCK_PENDING;
    return SQLITE_BUSY;
  }
  open->lock = level;
  return SQLITE_OK;
}

static int file_unlock(sqlite3_file *file, int level) {
  handle *open = (handle *)file;
  if (open->lock > level) open->lock = level;
  return SQLITE_OK;
}

static int file_check_reserved(sqlite3_file *file, int *result) {
  handle *open = (handle *)file;
  *result = 0;
  if (!alive(open)) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  for (handle *other = open->node->handles; other; other = other->next) {
    if (other->lock >= SQLITE_LOCK_RESERVED) *result = 1;
  }
  return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file) {
  (void)file;
  return SECTOR;
}

static int file_characteristics(sqlite3_file *file) {
  (void)file;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// MARK: Shared memory

static int shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **result) {
  handle *open = (handle *)file;
  *result = NULL;
  if (!alive(open)) return SQLITE_IOERR_SHMMAP;
  if (region >= MAXIMUM_REGIONS) return SQLITE_NOMEM;
  open->is_mapped = true;
  void **place = &open->node->regions[region];
  if (!*place && extends) {
    *place = calloc(1, (size_t)size);
    if (!*place) return SQLITE_NOMEM;
  }
  *result = *place;
  return SQLITE_OK;
}

static int shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  handle *open = (handle *)file;
  uint32_t mask = ((1u << count) - 1u) << offset;
  if (flags & SQLITE_SHM_UNLOCK) {
    open->shared &= ~mask;
    open->exclusive &= ~mask;
    return SQLITE_OK;
  }
  simulated_disk *disk = alive(open);
  if (!disk) return SQLITE_IOERR_SHMLOCK;
  bool is_exclusive = flags & SQLITE_SHM_EXCLUSIVE;
  // The first lock is the writer's.
  if (disk->is_locked && is_exclusive && offset == 0) return SQLITE_BUSY;
  for (handle *other = open->node->handles; other; other = other->next) {
    if (other == open) continue;
    if ((other->exclusive & mask) || (is_exclusive && (other->shared & mask))) return SQLITE_BUSY;
  }
  if (is_exclusive) {
    open->exclusive |= mask;
  } else {
    open->shared |= mask;
  }
  return SQLITE_OK;
}

static void shm_barrier(sqlite3_file *file) { (void)file; }

static int shm_unmap(sqlite3_file *file, int deletes) {
  (void)deletes;
  handle *open = (handle *)file;
  open->shared = open->exclusive = 0;
  open->is_mapped = false;
  if (!open->node) return SQLITE_OK;
  for (handle *other = open->node->handles; other; other = other->next) {
    if (other->is_mapped) return SQLITE_OK;
  }
  simulated_node_free_regions(open->node);
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

// MARK: The file system

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *flags_out) {
  (void)vfs;
  if (!simulated_disk_has_path(name)) return original->xOpen(original, name, file, flags, flags_out);
  handle *open = (handle *)file;
  memset(open, 0, sizeof *open);
  simulated_disk *disk = simulated_disk_of_path(name);
  if (!disk || disk->is_dead) return SQLITE_CANTOPEN;
  node *node = simulated_disk_find(disk, name);
  if (!node) {
    if (!(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    if (disk->is_full) return SQLITE_CANTOPEN;
    node = simulated_disk_make(disk, name);
    if (!node) return SQLITE_NOMEM;
  }
  open->disk = disk;
  open->node = node;
  open->next = node->handles;
  node->handles = open;
  open->base.pMethods = &methods;
  if (flags_out) *flags_out = flags;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs;
  if (!simulated_disk_has_path(name)) return original->xDelete(original, name, syncs);
  simulated_disk *disk = simulated_disk_of_path(name);
  if (!disk || disk->is_dead) return SQLITE_IOERR_DELETE;
  node *node = simulated_disk_find(disk, name);
  if (!node) return SQLITE_IOERR_DELETE_NOENT;
  simulated_disk_delete(disk, node);
  return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  if (!simulated_disk_has_path(name)) return original->xAccess(original, name, flags, result);
  simulated_disk *disk = simulated_disk_of_path(name);
  if (!disk || disk->is_dead) return SQLITE_IOERR_ACCESS;
  node *node = simulated_disk_find(disk, name);
  *result = node && (flags != SQLITE_ACCESS_EXISTS || node->written.size > 0);
  return SQLITE_OK;
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *result) {
  (void)vfs;
  if (!simulated_disk_has_path(name)) return original->xFullPathname(original, name, count, result);
  sqlite3_snprintf(count, result, "%s", name);
  return SQLITE_OK;
}

/// A busy handler does not wait: its time passes at once.
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  if (simulated_executor_is_active()) return microseconds;
  return original->xSleep(original, microseconds);
}

static pthread_mutex_t registration = PTHREAD_MUTEX_INITIALIZER;

int simulated_disk_register(void) {
  static sqlite3_vfs own;
  pthread_mutex_lock(&registration);
  int code = SQLITE_OK;
  if (!original) {
    original = sqlite3_vfs_find(NULL);
    own = *original;
    own.pNext = NULL;
    own.zName = "simulated";
    if (own.szOsFile < (int)sizeof(handle)) own.szOsFile = sizeof(handle);
    own.xOpen = vfs_open;
    own.xDelete = vfs_delete;
    own.xAccess = vfs_access;
    own.xFullPathname = vfs_full_path;
    own.xSleep = vfs_sleep;
    code = sqlite3_vfs_register(&own, 1);
  }
  pthread_mutex_unlock(&registration);
  return code;
}
