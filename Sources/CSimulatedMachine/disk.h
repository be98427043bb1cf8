// The declarations that the two parts of the disk share: its contents (disk.c), and SQLite's access to it (files.c).
#ifndef DISK_H
#define DISK_H

#include "CSimulatedMachine.h"

#include <sqlite3.h>

enum { SECTOR = 512, MAXIMUM_REGIONS = 64 };

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
  simulated_disk *disk;
  /// NULL once the process that opened it is dead, or the disk is gone.
  node *node;
  int lock;
  uint32_t shared;
  uint32_t exclusive;
  bool is_mapped;
  handle *next;
};

/// Bytes that are added by growing are zero.
bool simulated_image_resize(image *image, int64_t size);

/// Records that bytes were written and not synced yet.
bool simulated_node_mark(node *node, int64_t from, int64_t to);

/// The disk of a path under `/simulated-disk/`; NULL if there is none.
simulated_disk *simulated_disk_of_path(const char *path);
bool simulated_disk_has_path(const char *path);
node *simulated_disk_find(simulated_disk *disk, const char *path);
node *simulated_disk_make(simulated_disk *disk, const char *path);
void simulated_disk_delete(simulated_disk *disk, node *node);
void simulated_node_free_regions(node *node);

#endif
