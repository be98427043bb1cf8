import LedgerStore
import Localization
import TestSupport
import Testing

@testable import Pipeline

/// Vendors that refuse or fail, and their fallbacks.
extension VendorOrderTests {
  @Test("a refused unit goes to the fallback and stays with it")
  func refused() async throws {
    let context = context(fallback: true)
    first.refuse(["a": "cannot"])
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context, times: 3)
    #expect(first.sentKeys == ["a", "b"] && second.sentKeys == ["a"])
    second.give(["a": "A"])
    first.give(["b": "B"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("A", .translated) && german("b") == CatalogText("B", .translated))
    #expect(try await books("first") == "2/1/0/1")
    #expect(try await books("second") == "1/1/0/0")
  }

  @Test("a refused unit stays outstanding if there is no other vendor")
  func refusedByTheLast() async throws {
    let context = context(fallback: true)
    first.refuse(["a": "cannot"])
    second.refuse(["a": "neither can I"])
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context, times: 4)
    #expect(try await books("first") == "1/0/0/1")
    #expect(try await books("second") == "1/0/1/0")
  }

  @Test("units in a language that a vendor lacks go to the fallback without delay")
  func unknownLanguage() async throws {
    let context = context(fallback: true)
    first.willPush = { throw Failure(refusesLanguage: true) }
    pipeline.commit(TestPipeline.tree(["a"]))
    try await run(context, times: 2)
    #expect(second.sentKeys == ["a"])
    #expect(try await books("first") == "1/0/0/1")
    #expect(try await pipeline.store.jobs(of: TestPipeline.name).allSatisfy { $0.failingSince == nil })
  }

  @Test("a vendor that fails for too long loses its units, and gets new units when it works again")
  func failing() async throws {
    let context = context(fallback: true)
    pipeline.commit(TestPipeline.tree(["a"]))
    first.willPush = { throw Failure() }
    first.willFind = { throw Failure() }
    try await run(context, times: 3)
    #expect(second.sentKeys.isEmpty)
    #expect(try await books("first") == "1/0/1/0")
    pipeline.clock.advance(by: 3600)
    try await run(context, times: 3)
    #expect(second.sentKeys == ["a"])
    #expect(try await books("first") == "1/0/0/1")
    // New strings also go to the fallback as long as the first vendor fails.
    pipeline.commit(TestPipeline.tree(["a", "b"]))
    try await run(context, times: 2)
    #expect(second.sentKeys == ["a", "b"] && first.sentKeys.isEmpty)
    first.willPush = {}
    first.willFind = {}
    try await run(context, times: 2)
    pipeline.commit(TestPipeline.tree(["a", "b", "c"]))
    try await run(context, times: 2)
    #expect(first.sentKeys == ["c"] && second.sentKeys == ["a", "b"])
    second.give(["a": "A"])
    try await run(context, times: 2)
    #expect(german("a") == CatalogText("A", .translated))
  }
}

private struct Failure: DisposableError {
  var refusesLanguage = false
  var disposition: Disposition { refusesLanguage ? .permanent : .retryAfter(.zero) }
}
