import CatalogFormats
import Localization
import ProjectLayout

extension TableGroup {
  /// The conversion of the group's files as they are in a tree.
  /// - Throws: what keeps a file from being read, or that the catalog is there already.
  func conversion(in state: ProjectSnapshot) throws(InputFault) -> TableConversion {
    // Also one that cannot be read, or is a symbolic link: its content is not known, and nothing may be written over it.
    let stands =
      state.project.catalogs.contains { $0.path == path } || (try? state.tree.entry(at: path)) != nil
    do {
      return try TableConversion(
        files(in: state), to: path, sourceLanguage: catalogs.first?.sourceLanguage ?? state.project.sourceLanguage,
        strings: strings(in: state), isOfInterface: interface != nil, stands: stands)
    } catch {
      // Most are told with the project's diagnostics already.
      let told = Set(state.diagnostics)
      let faults = error.diagnostics.filter { !told.contains($0) }
      throw faults.isEmpty
        ? InputFault(
          Diagnostic(
            path: catalogs.first?.path.text ?? path.text, severity: .error,
            message: "convert table \(table): it cannot be read, so it stays as it is")) : InputFault(faults)
    }
  }

  /// The files of a table, the one that counts at run time first: rules before texts, a language's own file before that of `Base.lproj`.
  private func files(in state: ProjectSnapshot) throws(InputFault) -> [TableConversion.File] {
    var files: [TableConversion.File] = []
    var faults: [Diagnostic] = []
    func read(_ path: TreePath, _ language: LocaleIdentifier) {
      do {
        files.append(TableConversion.File(path: path, language: language, bytes: try state.tree.read(path)))
      } catch {
        faults.append(error.diagnostic)
      }
    }
    if let strings = catalogs.last, interface == nil, !catalogs.contains(where: { $0.path.ending == "stringsdict" }) {
      for path in rulesWithoutSource(of: strings, in: state) {
        if let language = LocaleIdentifier(regionName: path.parent.stem) { read(path, language) }
      }
    }
    for described in catalogs {
      if described.path.isInterface, state.catalogs[described.path] == nil {
        faults.append(
          Diagnostic(
            path: described.path.text, severity: .error, message: "convert table \(table): the file cannot be read"))
      }
      if let twin = described.twin { read(twin, described.sourceLanguage) }
      if !described.path.isInterface { read(described.path, described.sourceLanguage) }
      for (language, path) in described.localizations.sorted(by: { $0.key < $1.key })
      // A file that no build takes comes into none by a conversion; Xcode leaves it, too.
      where !path.isInterface && !described.unlisted.contains(path) { read(path, language) }
    }
    guard faults.isEmpty else { throw InputFault(faults) }
    return files
  }

  /// The `.stringsdict` files of a table of which the source language has none: English says with one text what Russian needs forms for.
  private func rulesWithoutSource(of strings: ProjectCatalog, in state: ProjectSnapshot) -> [TreePath] {
    let folders = (try? state.tree.list(strings.path.folderOfLanguages)) ?? []
    return folders.filter { $0.kind == .folder && $0.path.ending == "lproj" }.compactMap { folder in
      let path = folder.path.appending(strings.table + ".stringsdict")
      guard let entry = try? state.tree.entry(at: path), entry.isFile else { return nil }
      return path
    }
  }

  /// The strings of code that go to the table; of an interface file its texts.
  private func strings(in state: ProjectSnapshot) -> [ExtractedString] {
    guard let interface else {
      let sources = Set(catalogs.map(\.path)).union([path])
      return state.extraction.strings.filter { sources.contains($0.catalog) }
    }
    guard let catalog = state.catalogs[interface] else { return [] }
    return catalog.entries.sorted { $0.key < $1.key }.compactMap { key, entry in
      guard case .text(let unit)? = entry.translations[catalog.sourceLanguage]?.text else { return nil }
      return ExtractedString(
        catalog: interface, table: table, key: key, value: unit.value, comment: entry.comment, origin: .interfaceBuilder
      )
    }
  }
}
