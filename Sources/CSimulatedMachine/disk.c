// A disk in memory that distinguishes synced data from data that is only written.

#include "disk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PREFIX[] = "/simulated-disk/";
static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static simulated_disk *disks;

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

/// Bytes that are added by growing are zero.
bool simulated_image_resize(image *image, int64_t size) {
  if (!reserve(image, size)) return false;
  if (size > image->size) memset(image->bytes + image->size, 0, (size_t)(size - image->size));
  image->size = size;
  return true;
}

bool simulated_node_mark(node *node, int64_t from, int64_t to) {
  int64_t last = (to + SECTOR - 1) / SECTOR;
  if (last > node->dirty.size && !simulated_image_resize(&node->dirty, last)) return false;
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

simulated_disk *simulated_disk_of_path(const char *path) {
  if (!path || strncmp(path, PREFIX, sizeof PREFIX - 1) != 0) return NULL;
  return find_disk(strtoll(path + sizeof PREFIX - 1, NULL, 10));
}

bool simulated_disk_has_path(const char *path) { return path && strncmp(path, PREFIX, sizeof PREFIX - 1) == 0; }

node *simulated_disk_find(simulated_disk *disk, const char *path) {
  node *node = disk->nodes;
  while (node && strcmp(node->path, path) != 0) node = node->next;
  return node;
}

node *simulated_disk_make(simulated_disk *disk, const char *path) {
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

void simulated_node_free_regions(node *node) {
  for (int index = 0; index < MAXIMUM_REGIONS; index++) {
    free(node->regions[index]);
    node->regions[index] = NULL;
  }
}

static void free_node(node *node) {
  free(node->written.bytes);
  free(node->synced.bytes);
  free(node->dirty.bytes);
  simulated_node_free_regions(node);
  free(node->path);
  free(node);
}

static void drop_handles(node *node) {
  // Their owners close them; by then they belong to no file.
  for (handle *open = node->handles; open; open = open->next) open->node = NULL;
  node->handles = NULL;
  simulated_node_free_regions(node);
}

static void begin_generation(simulated_disk *disk) {
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
  // A file that was truncated and not synced may get its old length back.
  if (node->written.size < size && *state && (next_random(state) & 1)) size = node->written.size;
  for (int64_t sector = 0; sector < node->dirty.size; sector++) {
    if (!node->dirty.bytes[sector]) continue;
    int64_t from = sector * SECTOR;
    int64_t to = from + SECTOR < node->written.size ? from + SECTOR : node->written.size;
    if (to <= from || !*state || !(next_random(state) & 1)) continue;
    if (to > size) size = to;
    if (size > node->synced.size && !simulated_image_resize(&node->synced, size)) abort();
    memcpy(node->synced.bytes + from, node->written.bytes + from, (size_t)(to - from));
  }
  node->synced.size = size;
  if (!simulated_image_resize(&node->written, size)) abort();
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
    struct node *made = simulated_disk_make(disk, path);
    if (!made || !copy_image(&made->written, &node->written) || !copy_image(&made->synced, &node->written)) return false;
  }
  return true;
}

simulated_disk_figures simulated_disk_measure(const simulated_disk *disk) {
  simulated_disk_figures figures = {.writes = disk->writes, .syncs = disk->syncs, .bytes = 0};
  for (const node *node = disk->nodes; node; node = node->next) figures.bytes += node->written.size;
  return figures;
}

void simulated_disk_delete(simulated_disk *disk, node *gone) {
  for (node **place = &disk->nodes; *place; place = &(*place)->next) {
    if (*place != gone) continue;
    *place = gone->next;
    drop_handles(gone);
    free_node(gone);
    return;
  }
}
