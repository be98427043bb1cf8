package import Localization

/// The vendor that pipeline files call `pseudo`.
package enum PseudoVendorKind: VendorKind {
  package static let name = "pseudo"
  package static let summary = "Answers immediately with pseudo-localized texts, to try a pipeline or a layout."
  package static let capabilities = VendorCapabilities(exchange: .texts, plurals: true)
  package static let translates = false
  package static let options = [
    VendorOption(
      "styles", .list,
      "The changes to texts: \(PseudoStyle.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")), as in Xcode's pseudolanguages.",
      default: "[accented, lengthened]")
  ]

  /// Returns the same place for all settings, so a pipeline has at most one pseudo vendor. Two pseudo vendors would return the same answers.
  package static func place(of settings: VendorSettings) -> String? { "pseudo" }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    let slot = settings.number == 1 ? name : "\(name)-\(settings.number)"
    return PseudoVendor(
      name: settings.givenName ?? slot, slot: slot, styles: try styles(settings), stateFolder: environment.stateFolder)
  }

  package static func check(_ settings: VendorSettings) throws(VendorError) { _ = try styles(settings) }

  private static func styles(_ settings: VendorSettings) throws(VendorError) -> Set<PseudoStyle> {
    guard let given = settings.options.list("styles") else { return [.accented, .lengthened] }
    let all = PseudoStyle.allCases.map(\.rawValue).joined(separator: ", ")
    func fault(_ detail: String) -> VendorError {
      VendorError(kind: .configuration, at: "styles of the vendor pseudo", detail: "\(detail); use \(all)")
    }
    guard !given.isEmpty else { throw fault("the list is empty") }
    var styles: Set<PseudoStyle> = []
    for text in given {
      guard let style = PseudoStyle(rawValue: text) else { throw fault("unknown style \(text)") }
      styles.insert(style)
    }
    return styles
  }
}
