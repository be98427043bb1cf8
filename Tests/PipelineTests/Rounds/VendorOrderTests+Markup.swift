import LedgerStore
import Localization
import Testing
import Workspace

@testable import Pipeline

/// Tags and links in returned texts.
extension VendorOrderTests {
  @Test("a text with a broken tag or link from any vendor is held; a text that lost a tag or link is reported")
  func markup() async throws {
    let texts = [
      "Tap <b>here</b>": "<b>Hier tippen", "Tap <i>here</i>": "Hier tippen",
      "Read the [terms](https://example.com/t)": "Die [AGB] (https://example.com/t) lesen",
      "See [help](https://example.com/h)": "Siehe Hilfe", "Tap <b>now</b>": "<b>Jetzt</b> tippen",
    ]
    pipeline.commit(TestPipeline.tree(texts.keys.sorted()))
    let context = context()
    try await run(context)
    first.give(texts)
    let warnings = try await pipeline.findings(context, isThorough: true)
    try await run(context)
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(
      Dictionary(uniqueKeysWithValues: held.map { ($0.unit.key.text, $0.reason) }) == [
        "Tap <b>here</b>": .markupBroken("the tag <b> is not closed"),
        "Read the [terms](https://example.com/t)": .markupBroken("the link to https://example.com/t is broken"),
      ])
    #expect(german("Tap <b>now</b>") == CatalogText("<b>Jetzt</b> tippen", .translated))
    #expect(german("Tap <i>here</i>") == CatalogText("Hier tippen", .translated))
    #expect(warnings.contains("\(TestPipeline.catalog): de: Tap <i>here</i>: the tag <i> is missing"))
    #expect(warnings.contains("\(TestPipeline.catalog): de: See [help](https://example.com/h): a link is missing"))
    #expect(!warnings.contains { $0.contains("Tap <b>") })
  }
}
