import Foundation
import LedgerStore
import Localization
import SQLiteStore
import TestSupport
import Testing

@testable import Pipeline

/// Shipments after a vendor has failed to respond to one shipment, and strings that a vendor refuses.
@Suite(.timeLimit(.minutes(10))) struct PushStageTests {
  private struct Fault: DisposableError {
    var disposition: Disposition
  }

  @Test(
    "an upload whose lookup fails does not block new shipments, and is looked up again",
    arguments: [Disposition.permanent, .askPerson])
  func lookUpFails(_ disposition: Disposition) async throws {
    let pipeline = try TestPipeline()
    let context = pipeline.context()
    pipeline.commit(TestPipeline.tree(["Old"]))
    // The upload gets no response, and the uploaded string is removed later.
    pipeline.vendor.willPush = { throw Fault(disposition: .permanent) }
    try await pipeline.run(context)
    pipeline.vendor.willPush = {}
    pipeline.vendor.willFind = { throw Fault(disposition: disposition) }
    pipeline.commit(TestPipeline.tree(["New"]))
    let failures = Log<StageFailure>()
    try await pipeline.run(context, isThorough: true, observer: WorkerObserver(failed: { failures.add($0) }))
    #expect(pipeline.vendor.sentKeys == ["New"])
    #expect(failures.elements.contains { $0.stage == .push && $0.error is Fault })
    #expect(try await pipeline.store.unsentShipments(of: TestPipeline.name, vendor: "v").map(\.isWanted) == [false])
    pipeline.vendor.willFind = {}
    try await pipeline.run(context, isThorough: true)
    #expect(try await pipeline.store.unsentShipments(of: TestPipeline.name, vendor: "v").isEmpty)
    #expect(pipeline.vendor.sentKeys == ["New"])
  }

  @Test("strings that the vendor refuses are not counted as sent")
  func refused() async throws {
    let pipeline = try TestPipeline()
    pipeline.vendor.refuse(["Fly": "this word is not allowed"])
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let details = Log<String>()
    try await pipeline.run(
      pipeline.context(),
      observer: WorkerObserver(progress: {
        if $0.stage == .push, $0.state == .ended, let detail = $0.detail { details.add(detail) }
      }))
    #expect(details.elements == ["1 sent to v, 1 refused"])
  }

  @Test("after a vendor did not respond, the next shipment is not tried either")
  func unreachable() async throws {
    let pipeline = try TestPipeline()
    let context = pipeline.context(TestPipeline.definition { $0.languages = ["de", "fr"] })
    pipeline.commit(TestPipeline.tree(["Feed"]))
    let calls = Log<Void>()
    pipeline.vendor.willPush = {
      calls.add(())
      throw Fault(disposition: .retry)
    }
    try await pipeline.run(context)
    #expect(calls.elements.count == 1)
  }
}
