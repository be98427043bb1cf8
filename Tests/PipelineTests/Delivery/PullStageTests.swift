import LedgerStore
import Localization
import SQLiteStore
import TestSupport
import Testing

@testable import Pipeline

struct PullStageTests {
  @Test("a bundle that cannot be archived does not block other bundles, and is archived at the next attempt")
  func oneBundleFails() async throws {
    let pipeline = try TestPipeline()
    let context = pipeline.context(TestPipeline.definition { $0.deliver = DeliverSettings(mode: .push) })
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"]))
    try await pipeline.run(context, isThorough: true)
    let vendor = pipeline.vendor
    vendor.give(["Feed": "Füttern"])
    vendor.give(["Trip": "Reise"])
    vendor.willAcknowledge = { reference in
      guard reference == "1.xliff" else { return }
      throw PipelineError(.refused, operation: "put away 1.xliff", detail: "no space", disposition: .retry)
    }
    for _ in 0..<2 {
      pipeline.clock.advance(by: 60)
      try await pipeline.run(context, isThorough: true)
    }
    #expect(pipeline.german("Trip", on: "main") == "Reise" && pipeline.german("Feed", on: "main") == "Füttern")
    func acknowledged(_ digest: String) async throws -> Bool? {
      try await pipeline.store.bundle(of: TestPipeline.name, vendor: vendor.name, digest: digest)?.isAcknowledged
    }
    #expect(try await acknowledged("digest 1") == false)
    #expect(try await acknowledged("digest 2") == true)
    let pull = try #require(try await pipeline.store.jobs(of: TestPipeline.name).first { $0.stage == .pull })
    #expect(String(describing: pull).contains("no space"))

    vendor.willAcknowledge = { _ in }
    pipeline.clock.advance(by: 3600)
    try await pipeline.run(context, isThorough: true)
    #expect(try await acknowledged("digest 1") == true)
  }

  @Test("an outstanding string that is hidden at the vendor is reported", arguments: [true, false])
  func hidden(_ isOnce: Bool) async throws {
    let pipeline = try TestPipeline(keepsStrings: true)
    var context = pipeline.context()
    pipeline.commit(TestPipeline.tree(["Feed", "Trip"]))
    #expect(try await !pipeline.findings(context).contains { $0.contains("hidden") })
    pipeline.vendor.hide("Feed")
    if isOnce {
      context = pipeline.context()
      context.isOnce = true
    }
    pipeline.clock.advance(by: 2 * 86_400)
    try await pipeline.store.wake(TestPipeline.name, stage: nil, scope: nil)
    #expect(
      try await pipeline.findings(context).contains(
        "“Feed” of \(TestPipeline.catalog) is outstanding, but hidden or archived at the vendor, so nobody translates it"
      ))
  }
}
