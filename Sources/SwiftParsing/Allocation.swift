#if canImport(CMalloc)
  private import CMalloc
  private import Glibc
#endif

/// Settings of the C library's allocator for work that allocates and frees millions of small blocks on its own threads.
///
/// With its default settings, glibc grows a thread's heap by one page per system call, returns pages to the system that are needed again immediately,
/// and collects small blocks and merges all of them while a thread waits. This made an extraction one sixth slower. With the settings below, the
/// process keeps freed memory up to the trim threshold, which is the maximum that one extraction used.
package enum Allocation {
  /// Limits the number of heaps that the threads of the process share to one more than there are processors. By default, glibc creates up to eight
  /// heaps for each processor. Each heap keeps memory that the other heaps cannot use, which was a fifth of the memory for a round in a catalog of
  /// 5,000 keys. With fewer heaps than threads that parse, the threads wait for each other: one heap on two processors made an extraction a third
  /// slower. Existing heaps are kept, so this function must be called first.
  package static func limitHeaps() {
    #if canImport(CMalloc) && os(Linux)
      _ = mallopt(M_ARENA_MAX, Int32(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 1))
    #endif
  }

  /// Gives unused memory of all heaps back to the system. Without this call, glibc gives back only memory at the end of a heap.
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
