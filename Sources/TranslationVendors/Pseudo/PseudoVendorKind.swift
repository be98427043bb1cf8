package import Localization

/// The vendor `pseudo` as pipeline files name it.
package enum PseudoVendorKind: VendorKind {
  package static let name = "pseudo"
  package static let summary = "Answers immediately with pseudo-localized texts, to try a pipeline or a layout."
  package static let capabilities = VendorCapabilities(exchange: .texts, plurals: true)
  package static let translates = false
  package static let options = [
    VendorOption(
      "styles", .list,
      "How texts change: \(PseudoStyle.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")), as in Xcode's pseudolanguages.",
      default: "[accented, lengthened]")
  ]

  /// One for each pipeline: two would answer the same languages alike.
  package static func place(of settings: VendorSettings) -> String? { "pseudo" }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let slot = settings.number == 1 ? name : "\(name)-\(settings.number)"
    var styles: Set<PseudoStyle> = [.accented, .lengthened]
    if let given = settings.options.list("styles") {
      styles = try Set(
        given.map { text in
          guard let style = PseudoStyle(rawValue: text) else {
            throw VendorError(
              kind: .configuration, at: "styles of the vendor pseudo",
              detail: "there is no style \(text); use \(PseudoStyle.allCases.map(\.rawValue).joined(separator: ", "))")
          }
          return style
        })
    }
    return PseudoVendor(
      name: settings.givenName ?? slot, slot: slot, styles: styles, stateFolder: environment.stateFolder)
  }
}
