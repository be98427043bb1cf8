import Localization
import TestSupport
import Testing
import TranslationVendors

/// Branches with different texts for one key.
extension PlatformConformance {
  private static let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")

  /// Returns a shipment with a text for “Bird” that one branch has while other branches have other texts.
  private static func shipment(bird text: String, named name: String, others: [String]) -> Shipment {
    var shipment = shipment(language: "uk", birds: text)
    let units = others.map { other in
      Self.shipment(language: "uk", birds: other).files[0].units.filter { $0.key == bird.key }
    }
    shipment.rivals = [bird: TextRivals(text: name, others: units)]
    return shipment
  }

  private static func texts(_ found: PullResult) -> [String] {
    found.bundles.flatMap(\.files).flatMap(\.units).filter { $0.key == bird.key }.compactMap(\.source).map {
      if case .text(let text) = $0 { text } else { "" }
    }.sorted()
  }

  /// Checks that one branch's text does not remove another branch's text or translations, and that the translations for both branches are returned.
  /// A text that only one branch has left keeps its variant, a variant without a branch is hidden, and a text that no branch has is replaced.
  func keepsVariants() async throws {
    let scene = try scene()
    let ours = Self.shipment(language: "uk")
    let side = Self.shipment(bird: "Side bird", named: "0123456789abcdef", others: ["Bird"])
    let first = try await scene.make().push(ours)
    scene.translate("uk")
    let second = try await scene.make().push(side)
    #expect(first.variants == nil && second.variants?.map(\.unit) == [Self.bird])
    let variants = Set(second.variants ?? [])
    #expect(scene.content().contains("Side bird"))
    let work = Self.outstanding([(ours, first), (side, second)])
    #expect(try await Self.texts(scene.make().pull(work)) == ["Bird"])

    // No text is sent twice, and texts whose request got no response are found.
    let content = scene.content()
    let again = try await scene.make().push(side)
    #expect(again.wasThere && again.variants == second.variants && scene.content() == content)
    #expect(try await scene.make().push(ours).wasThere && scene.content() == content)
    #expect(try await scene.make().find(side)?.variants == second.variants)
    #expect(try await scene.make().stocks(of: work.parts()) == [VendorStock(), VendorStock()])
    scene.translate("uk")
    #expect(try await Self.texts(scene.make().pull(work)) == ["Bird", "Side bird"])

    // After a merge only the variant's text is left, and the variant stays a separate string.
    let merged = Self.shipment(bird: "Side bird", named: "0123456789abcdef", others: [])
    let before = scene.content()
    #expect(try await scene.make().push(merged).variants == second.variants && scene.content() == before)

    // The variant is hidden when no branch has its text, and shown when a branch has it again.
    #expect(try await scene.make().shown(variants) == variants)
    try await scene.make().retire(variants)
    #expect(try await scene.make().shown(variants) == [])
    #expect(try await scene.make().stocks(of: work.parts()).first == VendorStock())
    #expect(try await scene.make().push(side).variants == second.variants)
    #expect(try await scene.make().shown(variants) == variants)

    // The platform still has a text that no branch has any more. The new text replaces it.
    let next = Self.shipment(bird: "Big bird", named: "fedcba9876543210", others: ["Small bird"])
    #expect(try await scene.make().push(next).variants == nil && scene.content().contains("Big bird"))
  }
}
