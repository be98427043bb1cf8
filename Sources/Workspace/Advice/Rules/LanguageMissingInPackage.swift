import Localization

extension AdviceRule {
  static let languageMissingInPackage = AdviceRule(
    "language-missing-in-package", .warning, "A package lacks a language of the app in the same repository",
    reason: """
      The app then shows a mixture: its own texts in the user's language, and the package's texts in the source language.
      """,
    bad: "the app has de and fr, the package Packages/Kit only fr",
    good: "the package also has de and fr",
    find: { subject in
      let project = subject.snapshot.project
      let offered = languagesOfApp(subject)
      guard !offered.isEmpty else { return [] }
      let used = packageTargets(usedByAppsOf: project)
      var packages: [TreePath: [ProjectCatalog]] = [:]
      for target in project.targets where used.contains(target.id) {
        guard case .package(let manifest) = target.kind else { continue }
        packages[manifest, default: []] += project.catalogs.filter { $0.targets.contains(target.id) }
      }
      return packages.sorted { $0.key < $1.key }.compactMap { manifest, catalogs in
        let read = catalogs.sorted { $0.path < $1.path }.compactMap { subject.snapshot.catalogs[$0.path] }
        let isTranslated = read.contains { catalog in catalog.entries.values.contains { $0.shouldTranslate } }
        guard let first = read.first, isTranslated, read.count == Set(catalogs.map(\.path)).count else { return nil }
        // A language whose file cannot be read counts as present.
        let own = read.reduce(into: Set<LocaleIdentifier>()) { $0.formUnion($1.languages.union($1.unread.keys)) }
        let missing = offered.filter { language in !own.contains { covers($0, language) } }.sorted().map(\.rawValue)
        guard !missing.isEmpty else { return nil }
        let names = missing.joined(separator: ", ")
        return Remark(
          location: .file(manifest, line: line(of: "defaultLocalization", in: manifest, of: subject)),
          catalog: first.path,
          key: UnitKey(names), message: "the package lacks \(names), which the app has",
          hint: "add \(missing.count == 1 ? "the language" : "the languages") to the catalogs of the package")
      }
    })

  /// Returns the languages into which most texts of the apps are translated.
  private static func languagesOfApp(_ subject: AdviceSubject) -> Set<LocaleIdentifier> {
    let apps = Set(
      subject.snapshot.project.targets.filter { if case .xcode = $0.kind { true } else { false } }.map(\.id))
    let catalogs = Set(
      subject.snapshot.project.catalogs.filter { !apps.isDisjoint(with: $0.targets) }.map(\.path))
    var total = 0
    var counts: [LocaleIdentifier: Int] = [:]
    for unit in subject.units where catalogs.contains(unit.catalog) {
      total += 1
      for language in unit.entry.translations.keys { counts[language, default: 0] += 1 }
    }
    return Set(counts.filter { $0.value * 2 > total }.keys)
  }

  private static func packageTargets(usedByAppsOf project: ProjectDescription) -> Set<TargetID> {
    let targets = Dictionary(project.targets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var pending = project.targets.filter { if case .xcode = $0.kind { true } else { false } }.map(\.id)
    var seen = Set(pending)
    while let next = pending.popLast() {
      for id in targets[next]?.dependencies ?? [] where seen.insert(id).inserted { pending.append(id) }
    }
    return seen
  }

  /// Returns whether texts in one language can serve users of another language: both are the same language in the same script.
  private static func covers(_ own: LocaleIdentifier, _ language: LocaleIdentifier) -> Bool {
    if LanguageMatch.isSame(own, language) { return true }
    guard own.language == language.language else { return false }
    let script = { (language: LocaleIdentifier) in language.rawValue.split(separator: "-").first { $0.utf8.count == 4 }
    }
    return script(own) == script(language)
  }

  private static func line(of word: String, in path: TreePath, of subject: AdviceSubject) -> Int {
    guard let bytes = try? subject.snapshot.tree.read(path) else { return 1 }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (lines.firstIndex { $0.contains(word) } ?? 0) + 1
  }
}
