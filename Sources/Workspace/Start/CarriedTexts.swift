import Localization

/// The texts that new catalogs take from existing catalogs of other targets.
///
/// Code of a library can show texts of the app that uses the library, so a gate accepts a string of the library that is in the app's catalog.
/// But a build adds every string of a target to the target's own catalog as soon as there is one. Without the app's translations, those strings
/// would be translated a second time, from their keys.
struct CarriedTexts {
  /// The copied entries, by the path of the new catalog and by key. They are optional only because ``Catalog/replace(_:)`` requires it; none is
  /// `nil`.
  private(set) var entries: [TreePath: [UnitKey: CatalogEntry?]] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  /// Finds the texts that new catalogs take from existing catalogs.
  /// - Parameter snapshot: the project with the new catalogs, which are empty, and with the strings of its code.
  init(for new: [TreePath], in snapshot: ProjectSnapshot) {
    let strings = Dictionary(grouping: snapshot.extraction.strings, by: \.catalog)
    // Texts of an Info.plist, such as the name of an app, belong to one target.
    for path in new where !TablePlaces.isInfoPlist(path.stem) {
      guard let catalog = snapshot.catalogs[path] else { continue }
      let keys = Set((strings[path] ?? []).map(\.key))
      carry(keys, into: catalog, from: Self.sources(for: catalog, in: snapshot, except: Set(new)), snapshot.project)
    }
  }

  private mutating func carry(
    _ keys: Set<UnitKey>, into catalog: Catalog, from sources: [Catalog], _ project: ProjectDescription
  ) {
    var carried: [UnitKey: CatalogEntry?] = [:]
    var used: Set<TreePath> = []
    for key in keys {
      let holding = sources.filter { $0.entries[key] != nil }
      let source = holding.first { $0.entries[key]?.translations.isEmpty == false } ?? holding.first
      guard let source, var entry = source.entries[key] else { continue }
      // The string is in the code of this target, although the code of the other target may not have it. If code provides a text, sync sets the
      // extraction state.
      if entry.extractionState != .extractedWithValue { entry.extractionState = nil }
      carried[key] = .some(entry)
      used.insert(source.path)
    }
    guard let first = used.min() else { return }
    entries[catalog.path] = carried
    let others = used.count == 1 ? "" : " and " + counted(used.count - 1, "other catalog")
    let isOne = carried.count == 1
    let counted = keys.count == 1 ? "its only string" : "\(carried.count) of its \(keys.count) strings"
    let hint = "code of a package shows texts of this catalog only with `bundle: .module`; otherwise it shows the app's"
    diagnostics.append(
      Diagnostic(
        path: catalog.path.text, severity: .warning,
        message: "\(counted) \(isOne ? "is" : "are") also in \(first)\(others); "
          + "\(isOne ? "its" : "their") translations are copied from there",
        hint: Self.isOfPackage(catalog.path, in: project) ? hint : nil))
  }

  /// Returns the catalogs of the same table with the same source language, sorted by path, of the targets that use a catalog's targets. If no target
  /// is known to use a package's target, these are the catalogs of all targets, as for a gate.
  private static func sources(
    for catalog: Catalog, in snapshot: ProjectSnapshot, except new: Set<TreePath>
  ) -> [Catalog] {
    let project = snapshot.project
    let owners = Set(project.catalogs.first { $0.path == catalog.path }?.targets ?? [])
    let byID = TargetClosure.byID(project)
    let others = project.targets.filter { !owners.contains($0.id) && !$0.catalogs.isEmpty }
    let users = others.filter { target in
      TargetClosure.closure(of: [target], in: byID).contains { owners.contains($0.id) }
    }
    let chosen = users.isEmpty && isOfPackage(catalog.path, in: project) ? others : users
    return Set(chosen.compactMap { $0.catalogs[catalog.table] }).subtracting(new).sorted()
      .compactMap { snapshot.catalogs[$0] }.filter { $0.sourceLanguage == catalog.sourceLanguage }
  }

  private static func isOfPackage(_ path: TreePath, in project: ProjectDescription) -> Bool {
    let owners = Set(project.catalogs.first { $0.path == path }?.targets ?? [])
    return project.targets.contains { target in
      guard owners.contains(target.id), case .package = target.kind else { return false }
      return true
    }
  }
}
