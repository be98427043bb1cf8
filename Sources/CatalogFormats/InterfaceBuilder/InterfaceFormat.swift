package import Localization

/// The format of storyboards, xibs and intent definitions that have one `.strings` file for each target language (xcode-formats.md G).
///
/// The source texts are in the interface file, which is never written. If a language has a copy of the interface file in place of a
/// `.strings` file, its texts are read from the copy, which is not written either. Keys in a language's file that the source lacks are kept.
package struct InterfaceFormat: CatalogFormat {
  private let reader: any SourceTextReader

  /// - Parameter reader: finds the texts in the interface file.
  package init(reader: any SourceTextReader) { self.reader = reader }

  package var name: String { "Interface Builder" }

  package var isKeptInStep: Bool { false }

  package func recognizes(_ path: TreePath) -> Bool { path.isInterface }

  package func read(_ files: CatalogFiles) throws(InputFault) -> Catalog {
    var catalog = Catalog(path: files.path, sourceLanguage: files.sourceLanguage)
    catalog.unread = try LanguageFiles.each(of: files) { file, language throws(InputFault) in
      guard file.path != files.path else {
        for text in try reader.texts(of: file.bytes, at: file.path) {
          // If a key occurs twice, the first text counts.
          guard catalog.entries[text.key] == nil else { continue }
          catalog.entries[text.key] = CatalogEntry(
            comment: text.comment, extractionState: .extractedWithValue,
            translations: [files.sourceLanguage: Translation(text.value)])
        }
        return
      }
      for (key, value) in try texts(of: file, &catalog.warnings) where catalog.entries[key] != nil {
        catalog.entries[key]?.translations[language] = Translation(value)
      }
    }
    return catalog
  }

  private func texts(
    of file: (path: TreePath, bytes: [UInt8]), _ warnings: inout [Diagnostic]
  ) throws(InputFault) -> [UnitKey: String] {
    if file.path.isInterface {
      return Dictionary(try reader.texts(of: file.bytes, at: file.path).map { ($0.key, $0.value) }) { first, _ in first
      }
    }
    let table = try StringsFile.read(file.bytes, at: file.path)
    warnings += table.warnings.shortened
    return table.values.mapValues(\.value)
  }

  package func write(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: [UInt8]] {
    let current = try read(files)
    var refusals: [Diagnostic] = []
    for key in Set(catalog.entries.keys).union(current.entries.keys).sorted() {
      let (new, old) = (catalog.entries[key], current.entries[key])
      if new?.translations[files.sourceLanguage] != old?.translations[files.sourceLanguage] {
        refusals.append(
          refusal(files.path, "the text of \"\(key)\" is in the interface file itself", "change it in Xcode"))
      }
    }
    var written: [TreePath: [UInt8]] = [:]
    for language in catalog.languages.union(current.languages).sorted() where language != files.sourceLanguage {
      let edits = edits(from: current, to: catalog, in: language, at: files.path, &refusals)
      guard !edits.isEmpty else { continue }
      if let fault = current.unread[language] {
        refusals += fault.diagnostics
        continue
      }
      let path = files.path(for: language)
      if path.isInterface {
        refusals.append(
          refusal(
            path, "'\(language)' has a copy of the interface file instead of a .strings file",
            "change it to Localizable Strings in Xcode's file inspector"))
      } else if let bytes = files.bytes[path] {
        let edited = try StringsFile.read(bytes, at: path).edited(edits)
        if edited != bytes { written[path] = edited }
      } else {
        written[path] = newFile(edits)
      }
    }
    guard refusals.isEmpty else { throw InputFault(refusals) }
    return written
  }

  /// Returns the changes to the file of one language.
  private func edits(
    from current: Catalog, to catalog: Catalog, in language: LocaleIdentifier, at path: TreePath,
    _ refusals: inout [Diagnostic]
  ) -> [UnitKey: StringsEdit] {
    var edits: [UnitKey: StringsEdit] = [:]
    for (key, entry) in current.entries {
      let (old, new) = (entry.translations[language], catalog.entries[key]?.translations[language])
      guard old != new else { continue }
      guard let new else {
        edits[key] = .remove
        continue
      }
      guard case .text(let unit) = new.text, new.substitutions.isEmpty else {
        refusals.append(
          refusal(
            path,
            "cannot write the key \"\(key)\" in '\(language)': it has several forms, but a .strings file can hold only one",
            nil))
        continue
      }
      if case .text(let known)? = old?.text, known.value.isExactly(unit.value) { continue }
      edits[key] = .value(unit.value, comment: entry.comment)
    }
    return edits
  }

  /// Returns a new file, sorted by key like the files that Xcode creates (xcode-formats.md F).
  private func newFile(_ edits: [UnitKey: StringsEdit]) -> [UInt8] {
    StringsFile.new(
      edits.sorted { $0.key < $1.key }.compactMap { key, edit in
        guard case .value(let value, let comment) = edit else { return nil }
        return (key, value, comment)
      })
  }

  private func refusal(_ path: TreePath, _ cause: String, _ hint: String?) -> Diagnostic {
    Diagnostic(path: path.text, severity: .error, message: cause, hint: hint)
  }

  package func sourceCopy(of files: CatalogFiles) throws(InputFault) -> [UInt8] { try files.readSource() }
}
