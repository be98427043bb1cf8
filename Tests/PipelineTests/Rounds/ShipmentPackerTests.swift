import CatalogFormats
import Localization
import Simulation
import Testing

@testable import Pipeline

struct ShipmentPackerTests {
  private let pipeline: TestPipeline

  init() throws { pipeline = try TestPipeline() }

  private func record(_ keys: [UnitKey], from commit: CommitID) -> ShipmentRecord {
    ShipmentRecord(
      id: ShipmentID(rawValue: 1), round: 3, vendor: "v", language: "de", sourceLanguage: "en",
      units: keys.map { (UnitID(catalog: TestPipeline.catalog, key: $0), PinDigest(Made.pin($0)), commit) })
  }

  private func pack(_ record: ShipmentRecord, takesUses: Bool = false) async throws -> Shipment? {
    let context = pipeline.context()
    try await pipeline.heads(context)
    var packer = ShipmentPacker(context, for: TestVendor(name: "v", takesUses: takesUses))
    return try await packer.shipment(record)
  }

  private func keys(_ shipment: Shipment?) -> [String] { (shipment?.files.flatMap(\.units) ?? []).map(\.key.text) }

  @Test("a shipment has the recorded units, and the catalog with only its source language")
  func packed() async throws {
    let commit = pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Fly": "Fliegen"]))
    let shipment = try #require(try await pack(record(["Feed"], from: commit)))
    #expect(keys(shipment) == ["Feed"])
    #expect(shipment.round == "3" && shipment.pipeline == "birds" && shipment.language == "de")
    let source = try #require(shipment.sourceContents[TestPipeline.catalog])
    #expect(!String(decoding: source, as: UTF8.self).contains("Fliegen"))
  }

  @Test("units are taken from a head with the same source text if the recorded commit is missing")
  func commitGone() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    #expect(keys(try await pack(record(["Feed", "Fly"], from: Made.id("9")))).sorted() == ["Feed", "Fly"])
  }

  @Test("a unit that no head has is omitted, and a shipment without units is not made")
  func unitGone() async throws {
    pipeline.commit(TestPipeline.tree(["Feed"]))
    #expect(keys(try await pack(record(["Feed", "Gone"], from: Made.id("9")))) == ["Feed"])
    #expect(try await pack(record(["Gone"], from: Made.id("9"))) == nil)
  }

  @Test("a unit whose source text changed is not sent in place of the recorded one")
  func sourceChanged() async throws {
    var tree = TestPipeline.tree([])
    tree.setLines([SourceLine(table: "Localizable", key: "Feed", value: "Feed me")], of: "App")
    pipeline.commit(tree)
    #expect(try await pack(record(["Feed"], from: Made.id("9"))) == nil)
  }

  @Test("a shipment lists the files that use each unit, for vendors that show file names")
  func uses() async throws {
    let commit = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let used = try #require(try await pack(record(["Feed"], from: commit), takesUses: true))
    #expect(used.uses == [UnitID(catalog: TestPipeline.catalog, key: "Feed"): [ProjectPlaces.strings(of: "App")]])
    #expect(try await pack(record(["Feed"], from: commit))?.uses == [:])
  }

  @Test("a translation whose forms differ from the source text is packed with the forms of the source text")
  func newForms() {
    func texts(_ source: Translation, _ target: Translation) -> [String] {
      let catalog = Catalog(
        path: TestPipeline.catalog, sourceLanguage: "en",
        entries: ["a": CatalogEntry(translations: ["en": source, "de": target])])
      return catalog.units(["a"], for: "de").map { unit in
        "\(unit.path.text) \(unit.source?.summary ?? "-") \(unit.target?.text.summary ?? "-")"
      }
    }
    func form(_ text: String) -> VariedText { .text(StringUnit(state: .translated, value: text)) }
    let plural = Translation(text: .plural([.one: form("a bird"), .other: form("birds")]))
    let device = Translation(text: .device([Device(rawValue: "mac"): form("Click"), .other: form("Tap")]))
    #expect(texts(plural, Translation("Vögel")) == ["plural.one a bird -", "plural.other birds -"])
    #expect(texts(device, Translation("Tippen")) == ["device.mac Click -", "device.other Tap -"])
    #expect(texts(Translation("Birds"), Translation("Vögel")) == [" Birds Vögel"])
    let german = Translation(text: .plural([.one: form("Vogel"), .other: form("Vögel")]))
    #expect(texts(plural, german) == ["plural.one a bird Vogel", "plural.other birds Vögel"])
    #expect(texts(Translation("Birds"), german) == [" Birds -"])
    #expect(texts(device, german) == ["device.mac Click -", "device.other Tap -"])
    // The source text contains a number, so the translation may have separate plural forms.
    #expect(
      texts(Translation("%lld birds"), german) == ["plural.one %lld birds Vogel", "plural.other %lld birds Vögel"])
    let nested = Translation(
      text: .text(StringUnit(state: .translated, value: "%#@n@")),
      substitutions: ["n": Substitution(argumentNumber: 1, formatSpecifier: "lld", forms: german.text)])
    #expect(texts(Translation("%lld birds"), nested) == [" %lld birds -"])
  }

  @Test("the units of one commit are always packed into the same bytes")
  func repeatable() async throws {
    let commit = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let first = try await pack(record(["Fly", "Feed"], from: commit))
    let second = try await pack(record(["Feed", "Fly"], from: commit))
    #expect(first?.files == second?.files && first?.sourceContents == second?.sourceContents)
  }
}
