// A file system for SQLite in memory that tells what is synced from what is only written.

#include "CSimulatedMachine.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512, SHM_LOCKS = SQLITE_SHM_NLOCK, MAXIMUM_REGIONS = 64 };
static const char PREFIX[] = "/simulated-disk/";

typedef struct {
  uint8_t *bytes;
  int64_t size;
  int64_t capacity;
} image;

typedef struct handle handle;

typedef struct node {
  char *path;
  image written;
  image synced;
  /// One byte a sector: whether it was written since the last sync.
  image dirty;
  handle *handles;
  void *regions[MAXIMUM_REGIONS];
  struct node *next;
} node;

struct simulated_disk {
  int64_t number;
  node *nodes;
  /// Raised by kills and power cuts; handles of an earlier one are dead.
  int64_t generation;
  int64_t writes_left;
  int64_t writes;
  int64_t syncs;
  bool is_dead;
  bool is_full;
  bool is_locked;
  struct simulated_disk *next;
};

struct handle {
  sqlite3_file base;
  /// By number, since a disk may be gone before its last handle.
  int64_t disk;
  int64_t generation;
  node *node;
  int lock;
  uint32_t shared;
  uint32_t exclusive;
  bool is_mapped;
  bool deletes_on_close;
  handle *next;
};

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static simulated_disk *disks;
static sqlite3_vfs *original;

// MARK: Images

static bool reserve(image *image, int64_t size) {
  if (size <= image->capacity) return true;
  int64_t capacity = image->capacity ? image->capacity : 4096;
  while (capacity < size) capacity *= 2;
  uint8_t *bytes = realloc(image->bytes, (size_t)capacity);
  if (!bytes) return false;
  image->bytes = bytes;
  image->capacity = capacity;
  return true;
}

/// Bytes that come in by growing are zero.
static bool resize(image *image, int64_t size) {
  if (!reserve(image, size)) return false;
  if (size > image->size) memset(image->bytes + image->size, 0, (size_t)(size - image->size));
  image->size = size;
  return true;
}

static bool mark(node *node, int64_t from, int64_t to) {
  int64_t last = (to + SECTOR - 1) / SECTOR;
  if (last > node->dirty.size && !resize(&node->dirty, last)) return false;
  for (int64_t sector = from / SECTOR; sector < last; sector++) node->dirty.bytes[sector] = 1;
  return true;
}

// MARK: Disks

static simulated_disk *find_disk(int64_t number) {
  pthread_mutex_lock(&registry_lock);
  simulated_disk *disk = disks;
  while (disk && disk->number != number) disk = disk->next;
  pthread_mutex_unlock(&registry_lock);
  return disk;
}

static simulated_disk *disk_of_path(const char *path) {
  if (!path || strncmp(path, PREFIX, sizeof PREFIX - 1) != 0) return NULL;
  return find_disk(strtoll(path + sizeof PREFIX - 1, NULL, 10));
}

static bool is_simulated(const char *path) { return path && strncmp(path, PREFIX, sizeof PREFIX - 1) == 0; }

static node *find_node(simulated_disk *disk, const char *path) {
  node *node = disk->nodes;
  while (node && strcmp(node->path, path) != 0) node = node->next;
  return node;
}

static node *make_node(simulated_disk *disk, const char *path) {
  node *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->path = strdup(path);
  if (!made->path) {
    free(made);
    return NULL;
  }
  made->next = disk->nodes;
  disk->nodes = made;
  return made;
}

static void free_regions(node *node) {
  for (int index = 0; index < MAXIMUM_REGIONS; index++) {
    free(node->regions[index]);
    node->regions[index] = NULL;
  }
}

static void free_node(node *node) {
  free(node->written.bytes);
  free(node->synced.bytes);
  free(node->dirty.bytes);
  free_regions(node);
  free(node->path);
  free(node);
}

static void drop_handles(node *node) {
  // Their owners close them; by then they belong to no file.
  for (handle *open = node->handles; open; open = open->next) open->node = NULL;
  node->handles = NULL;
  free_regions(node);
}

static void begin_generation(simulated_disk *disk) {
  disk->generation++;
  disk->is_dead = false;
  disk->writes_left = -1;
  for (node *node = disk->nodes; node; node = node->next) drop_handles(node);
}

simulated_disk *simulated_disk_create(int64_t number) {
  simulated_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  disk->number = number;
  disk->writes_left = -1;
  pthread_mutex_lock(&registry_lock);
  disk->next = disks;
  disks = disk;
  pthread_mutex_unlock(&registry_lock);
  return disk;
}

void simulated_disk_destroy(simulated_disk *disk) {
  pthread_mutex_lock(&registry_lock);
  for (simulated_disk **place = &disks; *place; place = &(*place)->next) {
    if (*place == disk) {
      *place = disk->next;
      break;
    }
  }
  pthread_mutex_unlock(&registry_lock);
  while (disk->nodes) {
    node *node = disk->nodes;
    disk->nodes = node->next;
    drop_handles(node);
    free_node(node);
  }
  free(disk);
}

void simulated_disk_kill(simulated_disk *disk) { begin_generation(disk); }

static uint64_t next_random(uint64_t *state) {
  uint64_t value = (*state += 0x9E3779B97F4A7C15u);
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

static void lose_unsynced(node *node, uint64_t *state) {
  int64_t size = node->synced.size;
  // A file that was cut off and not synced may have its old length again.
  if (node->written.size < size && *state && (next_random(state) & 1)) size = node->written.size;
  for (int64_t sector = 0; sector < node->dirty.size; sector++) {
    if (!node->dirty.bytes[sector]) continue;
    int64_t from = sector * SECTOR;
    int64_t to = from + SECTOR < node->written.size ? from + SECTOR : node->written.size;
    if (to <= from || !*state || !(next_random(state) & 1)) continue;
    if (to > size) size = to;
    if (size > node->synced.size && !resize(&node->synced, size)) abort();
    memcpy(node->synced.bytes + from, node->written.bytes + from, (size_t)(to - from));
  }
  node->synced.size = size;
  if (!resize(&node->written, size)) abort();
  if (size) memcpy(node->written.bytes, node->synced.bytes, (size_t)size);
  node->dirty.size = 0;
}

void simulated_disk_cut_power(simulated_disk *disk, uint64_t seed) {
  uint64_t state = seed;
  for (node *node = disk->nodes; node; node = node->next) lose_unsynced(node, &state);
  begin_generation(disk);
}

void simulated_disk_die_after(simulated_disk *disk, int64_t writes) { disk->writes_left = writes; }
bool simulated_disk_is_dead(const simulated_disk *disk) { return disk->is_dead; }
void simulated_disk_set_full(simulated_disk *disk, bool is_full) { disk->is_full = is_full; }
void simulated_disk_set_locked(simulated_disk *disk, bool is_locked) { disk->is_locked = is_locked; }

static bool copy_image(image *to, const image *from) {
  if (!reserve(to, from->size)) return false;
  if (from->size) memcpy(to->bytes, from->bytes, (size_t)from->size);
  to->size = from->size;
  return true;
}

bool simulated_disk_copy(simulated_disk *disk, const simulated_disk *from) {
  begin_generation(disk);
  while (disk->nodes) {
    node *node = disk->nodes;
    disk->nodes = node->next;
    free_node(node);
  }
  for (const node *node = from->nodes; node; node = node->next) {
    char path[256];
    const char *rest = strchr(node->path + sizeof PREFIX - 1, '/');
    snprintf(path, sizeof path, "%s%lld%s", PREFIX, (long long)disk->number, rest ? rest : "");
    struct node *made = make_node(disk, path);
    if (!made || !copy_image(&made->written, &node->written) || !copy_image(&made->synced, &node->written)) return false;
  }
  return true;
}

simulated_disk_figures simulated_disk_measure(const simulated_disk *disk) {
  simulated_disk_figures figures = {.writes = disk->writes, .syncs = disk->syncs, .bytes = 0};
  for (const node *node = disk->nodes; node; node = node->next) figures.bytes += node->written.size;
  return figures;
}

// MARK: Files

/// The disk of a handle that is alive, else NULL.
static simulated_disk *alive(handle *open) {
  if (!open->node) return NULL;
  simulated_disk *disk = find_disk(open->disk);
  return disk && disk->generation == open->generation && !disk->is_dead ? disk : NULL;
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

/// Whether the disk takes one more write.
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
  if (end > node->written.size && !resize(&node->written, end)) return SQLITE_NOMEM;
  memcpy(node->written.bytes + offset, from, (size_t)count);
  return mark(node, offset, end) ? SQLITE_OK : SQLITE_NOMEM;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  handle *open = (handle *)file;
  simulated_disk *disk = alive(open);
  if (!disk) return SQLITE_IOERR_TRUNCATE;
  return resize(&open->node->written, size) ? SQLITE_OK : SQLITE_NOMEM;
}

static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  handle *open = (handle *)file;
  simulated_disk *disk = alive(open);
  if (!disk) return SQLITE_IOERR_FSYNC;
  disk->syncs++;
  node *node = open->node;
  int64_t size = node->written.size;
  if (!resize(&node->synced, size)) return SQLITE_NOMEM;
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
  free_regions(open->node);
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
  if (!is_simulated(name)) return original->xOpen(original, name, file, flags, flags_out);
  handle *open = (handle *)file;
  memset(open, 0, sizeof *open);
  simulated_disk *disk = disk_of_path(name);
  if (!disk || disk->is_dead) return SQLITE_CANTOPEN;
  node *node = find_node(disk, name);
  if (!node) {
    if (!(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    if (disk->is_full) return SQLITE_CANTOPEN;
    node = make_node(disk, name);
    if (!node) return SQLITE_NOMEM;
  }
  open->disk = disk->number;
  open->generation = disk->generation;
  open->node = node;
  open->next = node->handles;
  node->handles = open;
  open->base.pMethods = &methods;
  if (flags_out) *flags_out = flags;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs;
  if (!is_simulated(name)) return original->xDelete(original, name, syncs);
  simulated_disk *disk = disk_of_path(name);
  if (!disk || disk->is_dead) return SQLITE_IOERR_DELETE;
  for (node **place = &disk->nodes; *place; place = &(*place)->next) {
    if (strcmp((*place)->path, name) != 0) continue;
    node *gone = *place;
    *place = gone->next;
    drop_handles(gone);
    free_node(gone);
    return SQLITE_OK;
  }
  return SQLITE_IOERR_DELETE_NOENT;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  if (!is_simulated(name)) return original->xAccess(original, name, flags, result);
  simulated_disk *disk = disk_of_path(name);
  if (!disk || disk->is_dead) return SQLITE_IOERR_ACCESS;
  node *node = find_node(disk, name);
  *result = node && (flags != SQLITE_ACCESS_EXISTS || node->written.size > 0);
  return SQLITE_OK;
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *result) {
  (void)vfs;
  if (!is_simulated(name)) return original->xFullPathname(original, name, count, result);
  sqlite3_snprintf(count, result, "%s", name);
  return SQLITE_OK;
}

/// Time in a busy handler passes at once.
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  if (simulated_executor_is_active()) return microseconds;
  return original->xSleep(original, microseconds);
}

int simulated_disk_register(void) {
  static sqlite3_vfs own;
  pthread_mutex_lock(&registry_lock);
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
  pthread_mutex_unlock(&registry_lock);
  return code;
}
