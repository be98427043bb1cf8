#if canImport(CMalloc)
  private import CMalloc
#endif

/// How the C library's allocator serves work that makes and frees millions of small pieces on threads of its own.
///
/// As it comes, glibc grows a thread's heap a page at a time by a system call each, gives pages back that are wanted a moment later, and
/// puts small pieces aside to join them all at once while one thread waits. An extraction took a sixth longer for it. Memory that was
/// freed stays with the process up to the limit below; it is the most that one extraction used at once.
enum Allocation {
  /// Tunes the allocator of this process, once.
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
