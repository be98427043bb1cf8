internal import Localization

/// The settings that pipeline files have for all platforms.
package struct PlatformSettings: Hashable, Sendable {
  /// What to do with strings that no branch has any more.
  package enum Removal: String, Hashable, Sendable, CaseIterable { case keep, archive, delete }

  /// The lowest state in which a translation is accepted.
  package enum Take: String, Hashable, Sendable, CaseIterable { case suggested, translated, reviewed }

  /// The maximum number of files that a comment names.
  private static let mostFiles = 3

  package var removal: Removal
  package var take: Take
  /// Whether comments name the source files that use a string.
  package var namesFiles: Bool
  /// Names the vendor's settings. A string that the platform refused is sent again after they changed.
  package var fingerprint: String

  package static let options = [
    VendorOption(
      "take", .choice(Take.allCases.map(\.rawValue)),
      "The lowest state at the vendor in which translations are taken. Suggested ones arrive as needs_review.",
      default: Take.translated.rawValue),
    VendorOption(
      "removed", .choice(Removal.allCases.map(\.rawValue)),
      "What happens to strings that no branch has any more.", default: Removal.archive.rawValue),
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

  /// A comment as translators read it: “Used in App/Bird.swift, App/Nest.swift and 2 more.” is its last line, if the settings say so.
  func comment(_ text: String?, uses: Set<TreePath>) -> String? {
    guard namesFiles, !uses.isEmpty else { return text }
    let names = uses.sorted().prefix(Self.mostFiles).map(\.text.withVisibleControls).joined(separator: ", ")
    let rest = uses.count - Self.mostFiles
    let line = "Used in \(names)\(rest > 0 ? " and \(rest) more" : "")."
    return [text ?? "", line].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// How XLIFF writes the state of a translation that is taken; `nil` for one that is not.
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
