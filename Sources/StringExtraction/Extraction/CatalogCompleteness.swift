import IncrementalLinking
import Localization

/// A check for catalogs that may have keys that extraction cannot find, with the reasons. Sync only adds keys to these catalogs.
struct CatalogCompleteness {
  let project: ProjectDescription
  let selected: [ProjectTarget]
  let facts: SourceFacts
  let others: NonSwiftSources
  /// A diagnostic for each target that has a call whose table is not a literal.
  let computedTables: [TargetID: Diagnostic]

  func incomplete() -> [TreePath: [Diagnostic]] {
    var found: [TreePath: [Diagnostic]] = [:]
    let selectedIDs = Set(selected.map(\.id))
    let faults = facts.files.compactMapValues(\.fault)
    let hasFaults = !faults.isEmpty || project.targets.contains { !Self.faults(of: $0).isEmpty }
    for target in project.targets where target.feedsCatalogs {
      // The declarations of a dependency determine which literals are localizable. Therefore a file of a dependency that was not read completely
      // counts like such a file of the target.
      let sources = hasFaults ? TargetClosure.closure(of: [target], in: project) : []
      var reasons = target.unknownSources
      for source in sources {
        if source.id != target.id { reasons += Self.faults(of: source) }
        reasons += source.swiftSources.compactMap { faults[$0.path] }
      }
      if !selectedIDs.contains(target.id) {
        reasons.append(note(Self.place(of: target), "target \(target.name) feeds this catalog, but was not selected"))
      }
      if let computed = computedTables[target.id] { reasons.append(computed) }
      if !target.takesNewKeys, !target.swiftSources.isEmpty {
        reasons.append(
          note(
            Self.place(of: target),
            "SWIFT_EMIT_LOC_STRINGS of target \(target.name) is not YES and LOCALIZED_STRING_SWIFTUI_SUPPORT is NO, so Xcode "
              + "extracts no key from its code")
        )
      }
      if target.areCodeStringsUncertain, !target.swiftSources.isEmpty {
        reasons.append(
          note(
            Self.place(of: target),
            "a settings file of target \(target.name) is not in the repository, so it is unknown whether "
              + "SWIFT_EMIT_LOC_STRINGS is YES"))
      }
      for (catalog, gaps) in others.gaps(of: target) { found[catalog, default: []] += gaps }
      guard !reasons.isEmpty else { continue }
      for catalog in target.catalogs.values where !isOfFoundInterface(catalog) {
        found[catalog, default: []] += reasons
      }
    }
    for catalog in project.catalogs where catalog.isStringCatalog {
      if let reason = reason(for: catalog) { found[catalog.path, default: []].append(reason) }
    }
    return found
  }

  /// Returns whether a catalog is in `mul.lproj` and its storyboard, xib or intent definition was found. Only this file has strings for such a
  /// catalog, so faults in code do not matter for it.
  private func isOfFoundInterface(_ catalog: TreePath) -> Bool {
    catalog.parent.name == "mul.lproj" && others.fedCatalogs.contains(catalog)
  }

  /// Returns the reasons why sources of a target are unknown. Notes are left out, because they are not about missing sources but about the catalogs
  /// to which known sources belong.
  private static func faults(of target: ProjectTarget) -> [Diagnostic] {
    target.unknownSources.filter { $0.severity != .note }
  }

  /// Returns the reason why the catalog itself may be incomplete; `nil` if there is none.
  private func reason(for catalog: ProjectCatalog) -> Diagnostic? {
    if catalog.targets.isEmpty {
      return note(
        catalog.path, "no known target feeds this catalog",
        hint: "add it to a target, or set its strings to Manual in Xcode if no code uses them")
    }
    if !others.fedCatalogs.contains(catalog.path) {
      if catalog.path.parent.name == "mul.lproj" {
        return note(
          catalog.path,
          "no storyboard, xib or intent definition of this name was found, and only such a file feeds this catalog")
      }
      if InfoPlistKeys.isTable(catalog.table) {
        return note(catalog.path, "no target was found whose Info.plist this catalog translates")
      }
    }
    return nil
  }

  /// Returns the folder of a target, or the file that declares the target if its folder is the root of the tree.
  private static func place(of target: ProjectTarget) -> TreePath {
    guard target.folder.isRoot else { return target.folder }
    switch target.kind {
    case .xcode(let path), .package(let path): return path
    case .folder: return "."
    }
  }

  private func note(_ path: TreePath, _ message: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(path: path.text, severity: .note, message: message, hint: hint)
  }
}
