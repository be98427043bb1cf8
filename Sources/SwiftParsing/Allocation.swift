#if canImport(CMalloc)
  private import CMalloc
#endif

/// Tunes the C library's allocator for work that allocates and frees millions of small blocks on its own threads.
///
/// With its default settings, glibc grows a thread's heap one page per system call, returns pages that are needed again at once, and
/// collects small blocks to merge them all together while a thread waits. This made an extraction one sixth slower. Freed memory now stays
/// with the process up to the trim threshold below, which is the most that one extraction used at once.
enum Allocation {
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
