internal import Localization

/// The vendor settings that all platforms share in pipeline files.
package struct PlatformSettings: Hashable, Sendable {
  /// The action for strings that are no longer on any branch.
  package enum Removal: String, Hashable, Sendable, CaseIterable { case keep, archive, delete }

  /// The lowest state in which a translation is accepted.
  package enum Take: String, Hashable, Sendable, CaseIterable { case suggested, translated, reviewed }

  /// The maximum number of files that a comment names.
  private static let mostFiles = 3

  package var removal: Removal
  package var take: Take
  /// Whether comments name the source files that use a string.
  package var namesFiles: Bool
  /// An identifier of the settings that affect which strings the platform accepts (``VendorSettings/fingerprint``). Refused strings are sent again
  /// when the identifier changes.
  package var fingerprint: String

  package static let options = [
    VendorOption(
      "take", .choice(Take.allCases.map(\.rawValue)),
      "The lowest state at the vendor in which translations are accepted. Suggested translations arrive as needs_review.",
      default: Take.translated.rawValue),
    VendorOption(
      "removed", .choice(Removal.allCases.map(\.rawValue)),
      "What happens to strings that are no longer on any branch.", default: Removal.archive.rawValue),
    VendorOption(
      "places", .flag, "Whether the names of source files that use a string are added to its comment.",
      default: "false"),
  ]

  package init(_ settings: VendorSettings) {
    removal = settings.options.text("removed").flatMap(Removal.init) ?? .archive
    take = settings.options.text("take").flatMap(Take.init) ?? .translated
    namesFiles = settings.options.flag("places") ?? false
    fingerprint = settings.fingerprint
  }

  /// Returns a comment for translators. With ``namesFiles``, a last line with the names of source files is added: “Used in App/Bird.swift,
  /// App/Nest.swift and 2 more.”
  func comment(_ text: String?, uses: Set<TreePath>) -> String? {
    guard namesFiles, !uses.isEmpty else { return text }
    let names = uses.sorted().prefix(Self.mostFiles).map(\.text.withVisibleControls).joined(separator: ", ")
    let rest = uses.count - Self.mostFiles
    let line = "Used in \(names)\(rest > 0 ? " and \(rest) more" : "")."
    return [text ?? "", line].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Returns the XLIFF state and state qualifier for a translation; `nil` if ``take`` excludes translations in this state.
  func state(of state: PlatformState) -> (state: String, qualifier: String?)? {
    let least: PlatformState =
      switch take {
      case .suggested: .suggested
      case .translated: .translated
      case .reviewed: .reviewed
      }
    guard state >= least || (take == .suggested && state == .needsReview) else { return nil }
    return state >= .translated ? ("translated", nil) : ("needs-review-translation", ExchangeTarget.takenForReview)
  }
}
