import Testing

@testable import GitSource

@Suite struct MirrorStoresTests {
  @Test("unused stores are removed from memory, and stores in use are shared")
  func unusedStores() {
    let workers = GitWorkers()
    let used = (0..<100).map { workers.store(folder: "/nowhere/used-\($0).git") }
    for number in 0..<10_000 { _ = workers.store(folder: "/nowhere/\(number).git") }
    #expect(workers.storeCount <= 2 * used.count)
    for (number, store) in used.enumerated() {
      #expect(workers.store(folder: "/nowhere/used-\(number).git") === store)
    }
  }
}
