import Localization
import Testing
import TranslationVendors

/// Units at the platform whose source texts changed and changed back, or lost some of their forms.
extension PlatformConformance {
  /// Checks that a source text that changes back before the other text was translated is restored at the platform, and that nothing else changes.
  func setsSourcesBack() async throws {
    let (scene, reference) = (try scene(), try scene())
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    for scene in [scene, reference] { _ = try await scene.make().push(Self.shipment(language: "uk")) }
    _ = try await scene.make().push(Self.shipment(language: "uk", birds: "Little bird"))
    #expect(scene.content().contains("Little bird"))
    var texts = StandingTexts(sources: [Self.bird()], outstanding: [bird])
    try await scene.make().settle(texts)
    #expect(scene.content().contains("Little bird"), "the other text is still outstanding")
    texts.outstanding = []
    for _ in 0..<2 { try await scene.make().settle(texts) }
    #expect(scene.content() == reference.content())
  }

  /// Checks that a source text that changes back after the other text was translated is restored with its translation, and that people's later
  /// edits are kept.
  func setsTranslationsBack() async throws {
    let scene = try scene()
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    func returned(_ source: String) async throws -> (file: ExchangeFile, part: OutstandingWork.Part) {
      let shipment = Self.shipment(language: "uk", birds: source)
      let receipt = try await scene.make().push(shipment)
      scene.translate("uk")
      var file = try #require(
        try await scene.make().pull(Self.outstanding([(shipment, receipt)])).bundles.first?.files.first)
      file.units.removeAll { $0.key != "Bird" }
      var part = OutstandingWork.Part(shipment: shipment, receipt: receipt)
      part.shipment.files[0].units.removeAll { $0.key != "Bird" }
      return (file, part)
    }
    let first = try await returned("Bird")
    let other = try await returned("Little bird")
    #expect(first.file.units.map(\.target?.text) != other.file.units.map(\.target?.text))
    let texts = StandingTexts(
      sources: [Self.bird()], returned: [bird], formerPaths: [bird: [.root]], translations: [first.file],
      others: [other.file])
    for _ in 0..<2 { try await scene.make().settle(texts) }
    // An import into Localazy does not replace a translation, so the other text's translation would count for this text (docs/vendors/localazy.md).
    guard try scene.make().kind != "localazy" else {
      #expect(try await scene.make().stock(of: first.part) == VendorStock(changed: [bird]))
      var delivered = first.part
      delivered.shipment.files = [first.file]
      #expect(try await scene.make().corrections(of: [delivered]).bundles.isEmpty)
      return
    }
    #expect(try await scene.make().stock(of: first.part) == VendorStock())
    let shown = try await scene.make().pull(OutstandingWork { [first.part] }).bundles.first?.files.first
    #expect(shown?.units.map(\.target?.text) == first.file.units.map(\.target?.text))
    var delivered = first.part
    delivered.shipment.files = [first.file]
    let corrections = try await scene.make().corrections(of: [delivered]).bundles.flatMap(\.files).flatMap(\.units)
    #expect(corrections.allSatisfy { $0.target?.text == first.file.units[0].target?.text })
    // A finished translation that differs from the wanted one counts as a person's edit, even if it equals the translation of the other text.
    var swapped = texts
    swapped.translations = [Self.bird(other.file.units[0].target)]
    swapped.others = [first.file]
    let content = scene.content()
    try await scene.make().settle(swapped)
    #expect(scene.content() == content)
  }

  /// Checks that separate forms are hidden when their text no longer has them, and when the text's key is removed.
  func hidesFormerForms() async throws {
    let scene = try scene()
    let tap = UnitID(catalog: "App/Localizable.xcstrings", key: "tap.it")
    let paths = ["mac", "other"].map { [.device(Device(rawValue: $0))] as VariationPath }
    func part(_ paths: [VariationPath]) async throws -> OutstandingWork.Part {
      var shipment = Self.shipment(language: "uk")
      shipment.files[0].units += paths.map {
        ExchangeUnit(key: "tap.it", path: $0, source: .text("Tap it \($0.text)"))
      }
      let receipt = try await scene.make().push(shipment)
      shipment.files[0].units.removeAll { $0.key != "tap.it" }
      return OutstandingWork.Part(shipment: shipment, receipt: receipt)
    }
    let (varied, plain) = (try await part(paths), try await part([.root]))
    #expect(try await scene.make().stocks(of: [varied, plain]) == [VendorStock(), VendorStock()])
    let former = Set(paths + [.root])
    var texts = StandingTexts(
      sources: plain.shipment.files, shapes: varied.shipment.files, outstanding: [tap], formerPaths: [tap: former])
    try await scene.make().settle(texts)
    #expect(
      try await scene.make().stocks(of: [varied, plain]) == [VendorStock(), VendorStock()],
      "a translation has these forms")
    texts.shapes = plain.shipment.files
    for _ in 0..<2 { try await scene.make().settle(texts) }
    #expect(try await scene.make().stocks(of: [varied, plain]).map { $0?.missing } == [[tap], []])
    let again = try await part(paths)
    #expect(try await scene.make().stock(of: again) == VendorStock())
    try await scene.make().retire([tap: former])
    #expect(try await scene.make().stocks(of: [again, plain]).allSatisfy { $0?.missing == [tap] })
  }

  private static func bird(_ target: ExchangeTarget? = nil) -> ExchangeFile {
    var file = shipment(language: "uk").files[0]
    file.units = [ExchangeUnit(key: "Bird", path: .root, source: .text("Bird"))]
    file.units[0].target = target
    return file
  }
}
