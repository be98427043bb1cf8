import LedgerStore
import Localization
import Pipeline
import Simulation
import Testing

/// Source texts that change after their translation from a plural to a single text, or to forms for devices.
struct ChangedFormTests {
  private let bench: VendorOrderTests

  init() throws { bench = try VendorOrderTests() }

  private static func text(_ words: String) -> VariedText { .text(StringUnit(state: .translated, value: words)) }

  static let plural = Translation(text: .plural([.one: text("%lld bird"), .other: text("%lld birds")]))
  static let device = Translation(text: .device([Device(rawValue: "mac"): text("Click"), .other: text("Tap")]))
  static let substituted = Translation(
    text: text("%#@n@ here"),
    substitutions: [
      "n": Substitution(
        argumentNumber: 1, formatSpecifier: "lld",
        forms: .plural([.one: text("%arg egg"), .other: text("%arg eggs")]))
    ])
  static let plain = Translation("Birds")

  private func commit(_ source: Translation, de: Translation?) {
    var tree = bench.tree(["a": "a"])
    guard var catalog = tree.catalog(at: TestPipeline.catalog) else { return }
    catalog.entries["a"]?.translations["en"] = source
    catalog.entries["a"]?.translations["de"] = de
    tree.write(catalog)
    bench.pipeline.commit(tree)
  }

  private var german: Translation? {
    bench.pipeline.remote.tree(of: "main")?.catalog(at: TestPipeline.catalog)?.entries["a"]?
      .translations["de"]
  }

  private static func translated(_ translation: Translation, _ word: String) -> Translation {
    translation.mapLeaves { _, leaf in VariedLeaf(.text(leaf.words.plain + word), state: .translated) }
  }

  @Test(
    "a text whose forms change is sent with the new forms, and the answer replaces the former translation",
    arguments: [
      (plural, plain), (plural, device), (plural, substituted), (device, plural), (device, substituted),
      (substituted, plain), (substituted, plural),
    ])
  func changed(former: Translation, source: Translation) async throws {
    let context = bench.context()
    let old = Self.translated(former, " alt")
    commit(former, de: old)
    try await bench.run(context)
    #expect(bench.first.sentKeys.isEmpty)
    commit(source, de: old)
    try await bench.run(context, times: 2)
    let sent = bench.first.shipments.flatMap(\.files).flatMap(\.units)
    #expect(sent.map(\.path) == source.leaves.map(\.path))
    #expect(german == old)
    bench.first.give(Self.answers(bench.first.shipments, " neu"))
    try await bench.run(context, times: 3)
    #expect(german == Self.translated(source, " neu"))
    #expect(bench.first.shipments.count == 1)
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
    #expect(try await bench.books("first") == "1/1/0/0")
  }

  @Test(
    "a text that loses its forms is sent without forms, although its translation could keep them",
    arguments: [
      (device, plain), (plural, Translation("%lld birds in all")),
      (
        Translation(text: .device([Device(rawValue: "mac"): text("Click"), .other: text("Tap")])),
        Translation(text: .device([.other: text("Press")]))
      ),
    ])
  func lostForms(former: Translation, source: Translation) async throws {
    let context = bench.context()
    commit(former, de: nil)
    try await bench.run(context)
    bench.first.give(Self.answers(bench.first.shipments, " alt"))
    try await bench.run(context, times: 2)
    let old = try #require(german)
    #expect(old == Self.translated(former, " alt"))
    commit(source, de: old)
    try await bench.run(context, times: 2)
    #expect(bench.first.shipments.count == 2)
    #expect(bench.first.shipments.last?.files.flatMap(\.units).map(\.path) == source.leaves.map(\.path))
    bench.first.give(Self.answers(bench.first.shipments.suffix(1), " neu"))
    try await bench.run(context, times: 3)
    #expect(german == Self.translated(source, " neu"))
    #expect(bench.first.shipments.count == 2)
    #expect(try await bench.pipeline.store.heldUnits(of: TestPipeline.name).isEmpty)
  }

  private static func answers(_ shipments: some Sequence<Shipment>, _ word: String) -> [ExchangeUnit] {
    shipments.flatMap(\.files).flatMap(\.units).map { unit in
      var unit = unit
      unit.target = ExchangeTarget(.text((unit.source?.plain ?? "") + word))
      return unit
    }
  }
}
