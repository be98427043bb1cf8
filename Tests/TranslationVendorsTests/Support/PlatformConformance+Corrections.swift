import Localization
import TestSupport
import Testing
import TranslationVendors

/// Changes that people make to returned translations at the platform.
extension PlatformConformance {
  /// Checks that only translations whose text or state differs from the newest return are returned, and only if their source text is that of the
  /// newest return.
  func returnsCorrections() async throws {
    let scene = try scene()
    #expect(try scene.make().isAskedAgain)
    let shipment = Self.shipment(language: "de")
    let receipt = try await scene.make().push(shipment)
    scene.translate("de")
    let returned = try #require(
      try await scene.make().pull(Self.outstanding([(shipment, receipt)])).bundles.first?.files.first)
    let content = scene.content()
    var others: Set<UnitID> = []
    func corrections(_ change: (inout ExchangeUnit) -> Void) async throws -> [ExchangeUnit] {
      var part = OutstandingWork.Part(shipment: shipment, receipt: receipt)
      part.shipment.sourceContents = [:]
      part.shipment.files = [returned]
      for index in returned.units.indices { change(&part.shipment.files[0].units[index]) }
      let result = try await scene.make().corrections(of: [part])
      #expect(result.refusals.isEmpty && result.diagnostics.isEmpty, "\(result.diagnostics)")
      others = result.otherSources["de"] ?? []
      #expect(result.bundles.allSatisfy { $0.reference == receipt.reference })
      return result.bundles.flatMap(\.files).flatMap(\.units)
    }
    #expect(try await corrections { _ in }.isEmpty)
    let words = try await corrections { if $0.key == "Bird" { $0.target?.text = .text("Vögelein") } }
    #expect(words.map(\.key) == ["Bird"] && words.map(\.target?.text) == [returned["Bird"]?.target?.text])
    let state = try await corrections {
      guard $0.key == "Bird" else { return }
      $0.target?.state = "needs-review-translation"
      $0.target?.stateQualifier = ExchangeTarget.takenForReview
    }
    #expect(state.map(\.key) == ["Bird"] && state.map(\.target?.finishedState) == [.translated])
    let forms = try await corrections {
      if $0.key == "%lld birds", $0.path == [.plural(.other)] { $0.target?.text = .text("%lld Vögelein") }
    }
    #expect(!forms.isEmpty && forms.allSatisfy { $0.key == "%lld birds" })
    #expect(forms.count == returned.units.count { $0.key == "%lld birds" }, "all forms of a text are returned together")
    #expect(scene.content() == content && others.isEmpty)

    // Another branch sends a different source text. The translation of that text does not count for the first text.
    _ = try await scene.make().push(Self.shipment(language: "de", birds: "Little bird"))
    scene.translate("de")
    let other = try await corrections { if $0.key != "%lld of %@" { $0.target?.text = .text("other") } }
    #expect(!other.contains { $0.key == "Bird" } && other.contains { $0.key == "%lld birds" })
    #expect(
      others == [UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")],
      "corrections that are not accepted are listed")
  }
}

extension ExchangeFile {
  fileprivate subscript(_ key: UnitKey) -> ExchangeUnit? { units.first { $0.key == key } }
}
