import Localization

/// The languages of a project, collected from all files that state a language.
struct ProjectLanguages {
  private(set) var sourceLanguage: LocaleIdentifier
  private(set) var languages: Set<LocaleIdentifier>
  private(set) var diagnostics: [Diagnostic] = []

  /// A file and the source language that it states.
  typealias Claim = (path: TreePath, language: LocaleIdentifier)

  /// - Parameters:
  ///   - packages: the `defaultLocalization` of each package that has catalogs.
  ///   - otherPackages: the same for all other packages. These are used only if no other file states a source language.
  ///   - projects: the `developmentRegion` of each Xcode project.
  init(packages: [Claim], catalogs: [Claim], projects: [Claim], otherPackages: [Claim], found: Set<LocaleIdentifier>) {
    let sources = [packages, catalogs, projects, otherPackages]
    let deciding = sources.first { !$0.isEmpty } ?? []
    sourceLanguage = Self.mostFrequent(deciding) ?? "en"
    languages = found.union([sourceLanguage])
    // A catalog with a different source language adds this language, because the other catalogs are translated into it.
    for claim in catalogs where claim.language.language != sourceLanguage.language { languages.insert(claim.language) }
    for claim in packages + catalogs + projects where claim.language != sourceLanguage {
      diagnostics.append(
        Diagnostic(
          path: claim.path.text, severity: .warning,
          message: "the source language is \(claim.language) here, but Dragoman uses "
            + "\(sourceLanguage)"
            + (deciding.first { $0.language == sourceLanguage }.map { ", because of \($0.path)" } ?? "")))
    }
  }

  private static func mostFrequent(_ claims: [Claim]) -> LocaleIdentifier? {
    let counts = Dictionary(grouping: claims, by: \.language).mapValues(\.count)
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
