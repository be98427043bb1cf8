import CLibGit2
import Testing

@testable import GitSource

@Suite struct LibGit2Tests {
  @Test("libgit2 keeps at most 32 MiB of objects in memory")
  func cache() {
    LibGit2.start()
    var (used, most) = (0, 0)
    #expect(unsafe dragoman_git_get_cache(&used, &most) == 0)
    #expect(most == LibGit2.cacheSize && most == 32 << 20)
  }
}
