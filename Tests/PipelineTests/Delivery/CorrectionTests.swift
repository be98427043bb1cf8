import Foundation
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// Translations that people change at a vendor after they were returned.
struct CorrectionTests {
  private let pipeline: TestPipeline
  private let context: PipelineContext

  init() async throws {
    pipeline = try TestPipeline()
    context = pipeline.context(TestPipeline.definition { $0.deliver = DeliverSettings(mode: .push) })
    pipeline.commit(TestPipeline.tree(["Feed", "Trip", "Fly"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern", "Trip": "Reise"])
    try await pipeline.run(context)
    #expect(pipeline.german("Feed", on: "main") == "Füttern")
  }

  private func ask() async throws {
    context.corrections.request("v")
    try await pipeline.run(context)
  }

  @Test("a correction and its reversal each replace the delivered text, and each is recorded once")
  func arrives() async throws {
    for text in ["Speisen", "Füttern", "Speisen"] {
      pipeline.vendor.correct("Feed", to: text)
      try await ask()
      #expect(pipeline.german("Feed", on: "main") == text)
      let deliveries = try await pipeline.deliveries().count
      try await ask()
      #expect(try await pipeline.deliveries().count == deliveries)
    }
    #expect(pipeline.german("Trip", on: "main") == "Reise")
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Fly", "Trip"])
    let books = try await pipeline.store.rounds(of: TestPipeline.name).flatMap(\.books)
    #expect(books.allSatisfy(\.isBalanced) && books.map(\.outstanding) == [1] && books.map(\.returned) == [2])
  }

  @Test(
    "corrections are requested at the first poll, on demand and once a day, only for texts the vendor returned before")
  func turns() async throws {
    #expect(pipeline.vendor.asked.isEmpty, "no text had been returned at the first poll")
    try await pipeline.run(context)
    #expect(pipeline.vendor.asked.isEmpty)
    try await ask()
    #expect(pipeline.vendor.asked == [["Feed", "Trip"]])
    try await pipeline.run(context)
    #expect(pipeline.vendor.asked.count == 1)
    pipeline.clock.advance(by: 86_400)
    pipeline.vendor.give(["Fly": "Fliegen"])
    try await pipeline.run(context)
    // A return from the same poll is new, so no correction is requested for its text.
    #expect(pipeline.vendor.asked == [["Feed", "Trip"], ["Feed", "Trip"]])
    try await ask()
    #expect(pipeline.vendor.asked.last == ["Feed", "Fly", "Trip"])
  }

  @Test("corrections are not requested for outdated source texts or languages of other vendors")
  func current() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Füttern"]))
    try await pipeline.run(context)
    try await ask()
    #expect(pipeline.vendor.asked == [["Feed"]])
    let elsewhere = pipeline.context(
      TestPipeline.definition {
        $0.deliver = DeliverSettings(mode: .push)
        $0.vendors = [VendorDefinition(kind: "memory", languages: ["fr"])]
      })
    elsewhere.corrections.request("v")
    try await pipeline.run(elsewhere)
    #expect(pipeline.vendor.asked.count == 1)
  }

  @Test("corrections are also requested for texts that are not delivered yet")
  func unmerged() async throws {
    pipeline.remote.refuse("main", saying: "protected")
    pipeline.vendor.give(["Fly": "Fliegen"])
    try await pipeline.run(context)
    pipeline.vendor.correct("Fly", to: "Abheben")
    try await ask()
    pipeline.remote.refuse("main", saying: nil)
    pipeline.clock.advance(by: 3600)
    try await pipeline.run(context, isThorough: true)
    #expect(pipeline.german("Fly", on: "main") == "Abheben")
  }

  @Test("a text that a person changed is kept, and the correction is held")
  func person() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Trip", "Fly"], de: ["Feed": "Futter geben", "Trip": "Reise"]))
    try await pipeline.run(context)
    pipeline.vendor.correct("Feed", to: "Speisen")
    try await ask()
    #expect(pipeline.german("Feed", on: "main") == "Futter geben")
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(held.map(\.text) == ["Speisen"] && held.map(\.reason) == [.changedInRepository("Futter geben")])
    try await ask()
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name) == held)
  }

  @Test(
    "a correction whose source text was also changed at the vendor is reported, unless a branch has a different text"
  )
  func editedSource() async throws {
    let context = pipeline.context(
      TestPipeline.definition {
        $0.deliver = DeliverSettings(mode: .push)
        $0.repository.branches = ["main", "release"].map { BranchPattern($0) }
      })
    pipeline.vendor.edit("Feed")
    pipeline.vendor.correct("Feed", to: "Speisen")
    context.corrections.request("v")
    #expect(
      try await pipeline.findings(context).contains(
        "the source text of “Feed” of \(TestPipeline.catalog) differs at the vendor, so its corrected translation into de "
          + "was not accepted"))
    #expect(pipeline.german("Feed", on: "main") == "Füttern")
    var other = TestPipeline.tree(["Feed", "Trip", "Fly"])
    var catalog = Catalog(path: TestPipeline.catalog, sourceLanguage: "en")
    catalog.entries["Feed"] = CatalogEntry()
    catalog.entries["Feed"]?.translations["en"] = Translation("Feed them")
    other.write(catalog)
    pipeline.commit(other, to: "release")
    context.corrections.request("v")
    #expect(try await !pipeline.findings(context).contains { $0.contains("source text") })
  }

  @Test("a correction that a force-push dropped is delivered again, although the earlier text is on the branch")
  func forcePushed() async throws {
    let before = try #require(pipeline.remote.head(of: "main"))
    pipeline.vendor.correct("Feed", to: "Speisen")
    try await ask()
    try await pipeline.run(context)
    #expect(pipeline.german("Feed", on: "main") == "Speisen")
    pipeline.remote.move("main", to: before)
    try await pipeline.run(context)
    #expect(pipeline.german("Feed", on: "main") == "Speisen")
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Fly", "Trip"])
  }

  @Test(
    "after a force-push back to an unmerged return, the correction that replaced it is delivered again")
  func forcePushedToUnmerged() async throws {
    let pipeline = try TestPipeline()
    let context = pipeline.context(TestPipeline.definition { $0.deliver = DeliverSettings(mode: .branch) })
    pipeline.commit(TestPipeline.tree(["Feed"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    pipeline.vendor.correct("Feed", to: "Speisen")
    context.corrections.request("v")
    try await pipeline.run(context)
    #expect(pipeline.german("Feed") == "Speisen")
    // A person rebases both commits onto main and deletes the delivery branch.
    let first = pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]))
    pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Speisen"]))
    pipeline.remote.move(TestPipeline.target, to: nil)
    try await pipeline.run(context, isThorough: true)
    pipeline.remote.move("main", to: first)
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(pipeline.german("Feed") == "Speisen")
    #expect(pipeline.vendor.sentKeys == ["Feed"])
  }

  @Test("a correction that arrives while the branch lacks the string is delivered once the branch has the string again")
  func whileGone() async throws {
    let before = try #require(pipeline.remote.head(of: "main"))
    pipeline.commit(TestPipeline.tree(["Trip", "Fly"], de: ["Trip": "Reise"]))
    // “Fly” is outstanding, so the vendor is polled and returns the correction.
    pipeline.vendor.give(["Feed": "Speisen"])
    try await pipeline.run(context)
    #expect(try await pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
    pipeline.remote.move("main", to: before)
    try await pipeline.run(context, isThorough: true)
    try await pipeline.run(context, isThorough: true)
    #expect(pipeline.german("Feed", on: "main") == "Speisen")
    #expect(pipeline.vendor.sentKeys.sorted() == ["Feed", "Fly", "Trip"])
  }

  @Test("a correction that a person reverted is held, and so are later corrections")
  func reverted() async throws {
    pipeline.vendor.correct("Feed", to: "Speisen")
    try await ask()
    try await pipeline.run(context)
    pipeline.commit(TestPipeline.tree(["Feed", "Trip", "Fly"], de: ["Feed": "Füttern", "Trip": "Reise"]))
    try await pipeline.run(context)
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(held.map(\.text) == ["Speisen"] && held.first?.reason?.removal != nil)
    pipeline.vendor.correct("Feed", to: "Speisen!")
    try await ask()
    #expect(pipeline.german("Feed", on: "main") == "Füttern")
    let both = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(both.contains { $0.text == "Speisen!" && $0.reason == .changedInRepository("Füttern") })
  }

  @Test("corrections are requested again at the next poll after a vendor fails, and its returns are accepted")
  func fails() async throws {
    pipeline.vendor.failCorrections(
      PipelineError(.refused, operation: "ask", detail: "too busy", disposition: .retry))
    pipeline.vendor.give(["Fly": "Fliegen"])
    pipeline.vendor.correct("Feed", to: "Speisen")
    context.corrections.request("v")
    let found = try await pipeline.findings(context)
    #expect(found.contains { $0.contains("corrected translations") && $0.contains("too busy") }, "\(found)")
    #expect(pipeline.german("Fly", on: "main") == "Fliegen" && pipeline.german("Feed", on: "main") == "Füttern")
    pipeline.vendor.failCorrections(nil)
    try await pipeline.run(context)
    #expect(pipeline.german("Feed", on: "main") == "Speisen")
  }

  @Test("a webhook of the vendor causes corrections to be requested")
  func webhook() async throws {
    let context = pipeline.context(
      TestPipeline.definition { $0.vendors[0].webhook = .environment("HOOK") }, time: pipeline.waitingTime)
    let now = pipeline.clock.now
    #expect(context.corrections.begin("v", at: now))
    context.corrections.end("v", at: now)
    let listener = Task { await VendorListener(context: context).run() }
    context.vendorLooks.request("v")
    while !context.corrections.begin("v", at: now) { await context.signal.wait() }
    listener.cancel()
    await listener.value
  }

  @Test("correction requests take at most a tenth of the time, and an unfinished request is repeated")
  func pace() {
    let turns = CorrectionTurns()
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(turns.begin("a", at: start) && turns.begin("b", at: start))
    #expect(turns.begin("a", at: start), "the request did not end, so it is repeated")
    turns.end("a", at: start + 60)
    turns.request("a")
    #expect(!turns.begin("a", at: start + 60 + 539))
    #expect(turns.begin("a", at: start + 60 + 540))
    turns.end("a", at: start + 600)
    #expect(!turns.begin("a", at: start + 600 + 80_000))
    #expect(turns.begin("a", at: start + 600 + 86_400))
    turns.end("a", at: start + 600 + 86_400)
    #expect(turns.begin("a", at: start), "the clock was set back")
  }
}
