import Localization
import Testing
import TranslationVendors

extension PlatformConformance {
  /// A source text that changes back before the other one was translated is set back at the platform, and nothing else changes.
  func setsSourcesBack() async throws {
    let (scene, reference) = (try scene(), try scene())
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    for scene in [scene, reference] { _ = try await scene.make().push(Self.shipment(language: "uk")) }
    let receipt = try await scene.make().push(Self.shipment(language: "uk", birds: "Little bird"))
    #expect(scene.content().contains("Little bird"))
    try await scene.make().withdraw([bird], of: receipt, language: "uk")
    #expect(scene.content().contains("Little bird"), "another text is still to be translated")
    var file = Self.shipment(language: "uk").files[0]
    file.units = [ExchangeUnit(key: "Bird", path: .root, source: .text("Bird"))]
    scene.bench.settle(bird, file)
    for _ in 0..<2 { try await scene.make().withdraw([bird], of: receipt, language: "uk") }
    #expect(scene.content() == reference.content())
  }
}
