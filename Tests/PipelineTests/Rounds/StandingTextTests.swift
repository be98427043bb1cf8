import LedgerStore
import Localization
import Pipeline
import Simulation
import Testing

/// The text of a string that was sent with several source texts, at a vendor that keeps strings.
@Suite(.timeLimit(.minutes(10))) struct StandingTextTests {
  private let unit = UnitID(catalog: TestPipeline.catalog, key: "Feed")

  private func tree(_ value: String, de: [String: String] = [:]) -> FileTree {
    var tree = TestPipeline.tree(["Feed"], de: de)
    tree.setLines([SourceLine(table: "Localizable", key: "Feed", value: value)], of: "App")
    return tree
  }

  /// Returns a text with forms for `mac` and for all other devices.
  private func varied(_ mac: String, _ other: String) -> Translation {
    Translation(
      text: .device([
        Device(rawValue: "mac"): .text(StringUnit(state: .translated, value: mac)),
        Device(rawValue: "other"): .text(StringUnit(state: .translated, value: other)),
      ]))
  }

  private func tree(_ translations: Translations) -> FileTree {
    var tree = TestPipeline.tree(["Feed"])
    var catalog = Catalog(path: TestPipeline.catalog, sourceLanguage: "en")
    catalog.entries["Feed"] = CatalogEntry(translations: translations)
    tree.write(catalog)
    return tree
  }

  /// Makes the vendor return the sent units with targets.
  private func answer(_ pipeline: TestPipeline, _ text: (ExchangeUnit) -> String) {
    pipeline.vendor.give(
      pipeline.vendor.shipments.flatMap(\.files).flatMap(\.units).map { unit in
        var answered = unit
        answered.target = ExchangeTarget(.text(text(unit)))
        return answered
      })
  }

  private func targets(_ files: [ExchangeFile]) -> [ExchangeText?] { files.flatMap(\.units).map(\.target?.text) }

  /// The source text changes, is translated and changes back. Its translation is known, so no text is sent again.
  @Test("a restored source text and its translation are sent to the vendor once")
  func cameBack() async throws {
    let pipeline = try TestPipeline(keepsStrings: true)
    let context = pipeline.context(TestPipeline.definition { $0.deliver.mode = .push })
    pipeline.commit(tree("Feed"))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    #expect(pipeline.vendor.settled.isEmpty, "the string has had only one source text")
    pipeline.commit(tree("Feed it", de: ["Feed": "Füttern"]))
    try await pipeline.run(context)
    let out = try #require(pipeline.vendor.settled.last)
    #expect(out.outstanding == [unit] && out.returned.isEmpty && out.translations.isEmpty)
    pipeline.vendor.give(["Feed": "Füttere es"], of: ["Feed": "Feed it"])
    try await pipeline.run(context)
    let shipments = pipeline.vendor.shipments.count
    pipeline.commit(tree("Feed", de: ["Feed": "Füttere es"]))
    try await pipeline.run(context)
    let told = try #require(pipeline.vendor.settled.last)
    #expect(told.sources.flatMap(\.units).map(\.source) == [.text("Feed")])
    #expect(told.outstanding.isEmpty && told.returned == [unit] && told.formerPaths == [unit: [.root]])
    #expect(targets(told.translations) == [.text("Füttern")] && targets(told.others) == [.text("Füttere es")])
    #expect(pipeline.vendor.shipments.count == shipments, "no unit is sent again")
    let looks = pipeline.vendor.settled.count
    pipeline.commit(tree("Feed", de: ["Feed": "Füttern"]))
    try await pipeline.run(context)
    #expect(pipeline.vendor.settled.count == looks, "the texts for the vendor did not change")
  }

  @Test("texts that differ between branches, or that no branch has, are not sent to the vendor")
  func differing() async throws {
    let pipeline = try TestPipeline(keepsStrings: true)
    let context = pipeline.context(
      TestPipeline.definition {
        $0.repository = RepositorySettings(url: "/birds.git", branches: ["main", "next"].map { BranchPattern($0) })
      })
    let main = pipeline.commit(tree("Feed"))
    try await pipeline.run(context)
    pipeline.commit(tree("Feed it"))
    try await pipeline.run(context)
    #expect(try await context.standingTexts(at: "v").sources.flatMap(\.units).map(\.source) == [.text("Feed it")])
    pipeline.commit(tree("Feed"), to: "next", on: [main])
    try await pipeline.heads(context)
    #expect(try await context.standingTexts(at: "v").sources.isEmpty, "the branches have different source texts")
    pipeline.commit(TestPipeline.tree([]))
    pipeline.commit(TestPipeline.tree([]), to: "next")
    try await pipeline.heads(context)
    #expect(try await context.standingTexts(at: "v").sources.isEmpty, "no branch has the string")
  }

  @Test("forms that only the translation of a former text has are not sent to the vendor")
  func lostForms() async throws {
    let pipeline = try TestPipeline(keepsStrings: true)
    func both(_ language: String) -> Translation { varied("Click \(language)", "Tap \(language)") }
    pipeline.commit(tree(["en": both("en")]))
    try await pipeline.run(pipeline.context())
    answer(pipeline) { "\($0.path.text) de" }
    try await pipeline.run(pipeline.context())
    pipeline.commit(tree(["en": both("en"), "de": both("de")]))
    try await pipeline.run(pipeline.context())
    pipeline.commit(tree(["en": Translation("Feed them"), "de": both("de")]))
    try await pipeline.run(pipeline.context())
    let told = try #require(pipeline.vendor.settled.last)
    #expect(told.outstanding == [unit])
    #expect(told.shapes.flatMap(\.units).map(\.path) == [.root])
    #expect(told.formerPaths[unit].map { Set($0.map(\.text)) }?.isSuperset(of: ["device.mac", "device.other"]) == true)
  }

  @Test("the forms of a deleted key are sent to the vendor")
  func goneForms() async throws {
    let pipeline = try TestPipeline(keepsStrings: true)
    pipeline.commit(tree(["en": varied("Feed with a click", "Feed")]))
    try await pipeline.run(pipeline.context())
    #expect(
      Set(pipeline.vendor.shipments.flatMap(\.files).flatMap(\.units).map(\.path.text)) == [
        "device.mac", "device.other",
      ])
    answer(pipeline) { _ in "Füttern" }
    try await pipeline.run(pipeline.context())
    pipeline.commit(TestPipeline.tree([]))
    try await pipeline.run(pipeline.context())
    #expect(pipeline.vendor.retired.keys.map(\.key) == ["Feed"])
    #expect(
      pipeline.vendor.retired.values.first.map { Set($0.map(\.text)) }?.isSuperset(of: ["device.mac", "device.other"])
        == true)
  }

  @Test("the vendor shows a restored string again, and hides a deleted string")
  func recalled() async throws {
    let pipeline = try TestPipeline(keepsStrings: true)
    let context = pipeline.context(TestPipeline.definition { $0.deliver.mode = .push })
    pipeline.commit(tree("Feed"))
    try await pipeline.run(context)
    answer(pipeline) { _ in "Füttern" }
    try await pipeline.run(context)
    for time in 1...2 {
      pipeline.commit(TestPipeline.tree([]))
      try await pipeline.run(context)
      let retired = try await pipeline.store.returnedUnits(of: TestPipeline.name, vendor: "v", retired: true)
      #expect(retired.keys.map(\.key) == ["Feed"])
      #expect(pipeline.vendor.settled.count == time - 1)
      pipeline.commit(tree("Feed"))
      try await pipeline.run(context)
      let told = try #require(pipeline.vendor.settled.last)
      #expect(pipeline.vendor.settled.count == time && told.returned == [unit])
      #expect(targets(told.translations) == [.text("Füttern")])
      #expect(
        try await pipeline.store.returnedUnits(of: TestPipeline.name, vendor: "v", retired: true).isEmpty)
    }
    #expect(pipeline.vendor.shipments.count == 1, "no unit is sent again")
  }
}
