// Moves the clock of a process by the number of seconds in the first eight bytes of the file $CLOCK_FILE. faults.py preloads this library.
// Clocks that count from the boot are not moved. Deadlines that are times of day are moved back, because the kernel's clock did not jump.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void begin(void) {
  int file = open(getenv("CLOCK_FILE"), O_RDONLY | O_CLOEXEC);
  if (file < 0) abort();
  void *place = mmap(0, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  if (place == MAP_FAILED) abort();
  close(file);
  offset = place;
}

static int64_t now_offset(void) { return offset ? *offset : 0; }

int clock_gettime(clockid_t clock, struct timespec *time) {
  int code = (int)syscall(SYS_clock_gettime, clock, time);
  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += now_offset();
  return code;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
  struct timespec time;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &time);
  value->tv_sec = time.tv_sec;
  value->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *value) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (value) *value = now.tv_sec;
  return now.tv_sec;
}

// Only times of day are larger than this number.
static struct timespec back(const struct timespec *end) {
  struct timespec moved = *end;
  if (moved.tv_sec > 1000000000) moved.tv_sec -= now_offset();
  return moved;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict end) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  struct timespec moved = back(end);
  return real(condition, mutex, &moved);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
  static int (*real)(sem_t *, const struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "sem_timedwait");
  struct timespec moved = back(end);
  return real(semaphore, &moved);
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  struct itimerspec moved = *new;
  if (flags & TFD_TIMER_ABSTIME) moved.it_value = back(&new->it_value);
  return (int)syscall(SYS_timerfd_settime, timer, flags, &moved, old);
}
