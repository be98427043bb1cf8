// What ThreadSanitizer must know about Swift's `Mutex`: linked into the programs of `make sanitize SANITIZER=thread`.
//
// The compiler instruments the fast path of `Mutex`, which it inlines, but not the slow path for a mutex that another thread holds: that is
// in libswiftSynchronization.so. Without this file, ThreadSanitizer of Swift 6.3 on Linux reports the state that a contended mutex guards as
// a race. The functions below replace the slow path. They call the library's functions and report the order that these establish.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Functions of the sanitizer's runtime. They are missing in programs that run during the build, such as macros.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Functions with Swift's calling convention. The handle of the mutex is `self`.
#define SWIFT __attribute__((swiftcall))
#define HANDLE __attribute__((swift_context)) void *handle

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void Lock(uint32_t thread, HANDLE);
typedef SWIFT bool TryLock(HANDLE);
typedef SWIFT void Unlock(HANDLE);

SWIFT void lock_slow(uint32_t thread, HANDLE) __asm__(LOCK);
SWIFT bool try_lock_slow(HANDLE) __asm__(TRY_LOCK);
SWIFT void unlock_slow(HANDLE) __asm__(UNLOCK);

/// Returns the library's function with this name. Ends the program if there is none, because another version of Swift may have other names.
static void *original(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(stderr, "Tests/Sanitizers/mutex.c: libswiftSynchronization.so does not have %s\n", name);
    abort();
  }
  return function;
}

SWIFT void lock_slow(uint32_t thread, HANDLE) {
  ((Lock *)original(LOCK))(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool try_lock_slow(HANDLE) {
  bool is_locked = ((TryLock *)original(TRY_LOCK))(handle);
  if (is_locked && __tsan_acquire) __tsan_acquire(handle);
  return is_locked;
}

SWIFT void unlock_slow(HANDLE) {
  if (__tsan_release) __tsan_release(handle);
  ((Unlock *)original(UNLOCK))(handle);
}
