#include "CSimulatedMachine.h"

#include <stdlib.h>

// The Swift runtime's own entry points, as in swift/Runtime/Concurrency.h. The hook receives every task that becomes runnable on the
// global executor; default actors run there too.
#define SWIFT_CC __attribute__((swiftcall))

typedef SWIFT_CC void (*enqueue_original)(void *job);
extern SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
extern SWIFT_CC void swift_job_run(void *job, void *executor_identity, uintptr_t executor_implementation);

typedef struct {
  void **jobs;
  size_t first;
  size_t count;
  size_t capacity;
  bool is_active;
} queue;

static _Thread_local queue own;

static SWIFT_CC void enqueue(void *job, enqueue_original original) {
  if (!own.is_active) {
    original(job);
    return;
  }
  if (own.count == own.capacity) {
    size_t capacity = own.capacity ? own.capacity * 2 : 64;
    void **jobs = malloc(capacity * sizeof *jobs);
    if (!jobs) abort();
    for (size_t index = 0; index < own.count; index++) jobs[index] = own.jobs[(own.first + index) % own.capacity];
    free(own.jobs);
    own.jobs = jobs;
    own.first = 0;
    own.capacity = capacity;
  }
  own.jobs[(own.first + own.count) % own.capacity] = job;
  own.count++;
}

void simulated_executor_begin(void) {
  swift_task_enqueueGlobal_hook = enqueue;
  own.is_active = true;
}

void simulated_executor_end(void) { own.is_active = false; }

bool simulated_executor_is_active(void) { return own.is_active; }

bool simulated_executor_run_one(void) {
  if (own.count == 0) return false;
  void *job = own.jobs[own.first];
  own.first = (own.first + 1) % own.capacity;
  own.count--;
  // Without an executor, the task runs on the generic one.
  swift_job_run(job, NULL, 0);
  return true;
}
