#if canImport(CMalloc)
  private import CMalloc
  private import Glibc
#endif

/// Tunes the C library's allocator for work that allocates and frees millions of small blocks on its own threads.
///
/// With its default settings, glibc grows a thread's heap one page per system call, returns pages that are needed again at once, and
/// collects small blocks to merge them all together while a thread waits. This made an extraction one sixth slower. Freed memory now stays
/// with the process up to the trim threshold below, which is the most that one extraction used at once.
package enum Allocation {
  /// Limits the number of heaps that the threads of the process share to one for two processors. By default glibc makes up to eight for each
  /// processor, and each keeps memory that the others cannot use: a fifth of what a round in a catalog of 5,000 keys needed. Threads rarely
  /// wait for a shared heap, because each keeps small blocks for itself. Heaps that threads already have stay, so call it first.
  package static func limitHeaps() {
    #if canImport(CMalloc) && os(Linux)
      _ = mallopt(M_ARENA_MAX, Int32(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)))
    #endif
  }

  /// Returns unused memory of all heaps to the system, which glibc otherwise does only at the end of a heap.
  package static func giveBack() {
    #if canImport(CMalloc) && os(Linux)
      _ = malloc_trim(0)
    #endif
  }

  /// Sets the allocator's parameters, once per process.
  static func tune() { _ = isTuned }

  private static let isTuned: Bool = {
    #if canImport(CMalloc) && os(Linux)
      let settings: [(parameter: Int32, value: Int32)] = [
        (M_MXFAST, 0), (M_TOP_PAD, 16 << 20), (M_TRIM_THRESHOLD, 256 << 20), (M_MMAP_THRESHOLD, 32 << 20),
      ]
      return settings.allSatisfy { mallopt($0.parameter, $0.value) == 1 }
    #else
      return false
    #endif
  }()
}
