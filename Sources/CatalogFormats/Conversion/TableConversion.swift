package import Localization
internal import StructuredText

/// The conversion of all `.strings` and `.stringsdict` files of a table to one String Catalog.
package struct TableConversion {
  /// A file of the table.
  package struct File: Sendable {
    package var path: TreePath
    package var language: LocaleIdentifier
    package var bytes: [UInt8]

    package init(path: TreePath, language: LocaleIdentifier, bytes: [UInt8]) {
      self.path = path
      self.language = language
      self.bytes = bytes
    }
  }

  /// The path of the catalog.
  package let path: TreePath
  package private(set) var catalog: Catalog
  /// The changes to the tree: the new catalog, and the files that are removed or keep only some entries. If a String Catalog can contain none of the
  /// files' entries, at most files without entries are removed.
  package private(set) var edits = TreeEdits()
  package private(set) var diagnostics: [Diagnostic] = []
  private let isOfInterface: Bool

  private enum Content {
    case strings(StringsFile)
    case rules(StringsDictFile)
  }

  /// Converts the files of a table.
  /// - Parameters:
  ///   - files: the table's files in order of precedence at run time: `.stringsdict` before `.strings`, a language's own file before the file
  ///     in `Base.lproj`.
  ///   - strings: the strings of the table that are found in code; for a storyboard or xib, all its texts.
  ///   - isOfInterface: whether the files translate a storyboard or xib.
  ///   - stands: whether `path` already exists.
  ///   - existing: the existing catalog at `path`, if it can be read. If it has all texts of the files, an earlier conversion was interrupted,
  ///     and the catalog is not written again.
  /// - Throws: `InputFault` with all faults of files that cannot be read; if `path` exists but is not a readable catalog with all texts of the files
  ///   and their source language; or if the new files cannot be written or read back.
  package init(
    _ files: [File], to path: TreePath, sourceLanguage: LocaleIdentifier, strings: [ExtractedString],
    isOfInterface: Bool = false, stands: Bool = false, existing: Catalog? = nil
  ) throws(InputFault) {
    self.path = path
    self.isOfInterface = isOfInterface
    catalog = Catalog(path: path, sourceLanguage: sourceLanguage)
    let contents = try Self.read(files)
    let kept = Self.kept(contents, &diagnostics)
    let readings = zip(files, contents).map { file, content in
      let isSource = file.language == sourceLanguage
      return switch content {
      case .strings(let strings): strings.reading(as: file.language, isSource: isSource)
      case .rules(let rules): rules.reading(as: file.language, isSource: isSource, without: kept)
      }
    }
    // If there is nothing to convert, the files have no texts, or only texts that a String Catalog cannot hold, for example because an earlier
    // conversion left these texts in the files.
    guard readings.contains(where: { !$0.file.texts.isEmpty }) else {
      if !stands {
        diagnostics.append(
          Diagnostic(
            path: files.first?.path.text ?? path.text, severity: .note,
            message: "table \(path.stem) has no text that a String Catalog can hold, so its files are kept"))
      } else if existing != nil {
        // Only files without any entry are removed.
        for content in contents { _ = try leave(content, kept) }
      }
      return
    }
    let result = CatalogConversion.convert(
      readings.map(\.file), to: path, sourceLanguage: sourceLanguage, strings: strings, addsAll: isOfInterface)
    catalog = result.catalog
    if stands {
      try checkHolds(existing, sourceLanguage: sourceLanguage)
    } else {
      diagnostics += readings.flatMap(\.overruled)
      tell(of: result)
      let bytes = try StringCatalogFormat().write(catalog, over: nil)
      try checkReadsBack(bytes)
      edits.write(bytes, to: path)
    }
    for (content, reading) in zip(contents, readings) {
      let staying = try leave(content, kept)
      guard !stands else { continue }
      diagnostics += reading.comments.filter { !staying.contains(UnitKey($0.text)) }.map(\.diagnostic)
    }
  }

  // MARK: Reading

  private static func read(_ files: [File]) throws(InputFault) -> [Content] {
    var contents: [Content] = []
    var faults: [Diagnostic] = []
    for file in files {
      do {
        contents.append(
          file.path.ending == "stringsdict"
            ? .rules(try StringsDictFile.read(file.bytes, at: file.path))
            : .strings(try StringsFile.read(file.bytes, at: file.path)))
      } catch {
        faults += error.diagnostics
      }
    }
    guard faults.isEmpty else { throw InputFault(faults) }
    return contents
  }

  /// Returns the keys for which at least one `.stringsdict` file has a value that a String Catalog cannot contain. These keys stay in the
  /// `.stringsdict` files of all languages.
  private static func kept(_ contents: [Content], _ diagnostics: inout [Diagnostic]) -> Set<UnitKey> {
    var kept: Set<UnitKey> = []
    for case .rules(let rules) in contents {
      for (key, diagnostic) in rules.staying {
        kept.insert(key)
        diagnostics.append(diagnostic)
      }
    }
    return kept
  }

  // MARK: Reporting

  private mutating func tell(of result: CatalogConversion.Result) {
    for (text, language) in result.overruled {
      let cause =
        text.place.path.parent.stem == "Base"
        ? "the language's own file has a different text, which counts at run time"
        : "a file that takes precedence at run time has a different text"
      diagnostics.append(
        text.place.warning(
          "dropped the text of the key \"\(text.key)\" in '\(language)', because \(cause). Dropped text: "
            + MergeNode.quoted(text.translation.summary, most: .max)))
    }
    for comment in result.replaced {
      // The one-line comments that ibtool writes are generated again from the interface file.
      if isOfInterface, comment.text.hasPrefix("Class = \""), !comment.text.contains(where: \.isNewline) { continue }
      diagnostics.append(
        comment.place.warning(
          "dropped a comment of the key \"\(comment.key)\", because the code has a different comment. Dropped comment: "
            + MergeNode.quoted(comment.text, most: .max)))
    }
  }

  // MARK: Writing

  /// The maximum number of differences from an existing catalog that are reported one by one.
  private static let mostDifferences = 20

  /// Checks that an existing catalog has every text of the files and their source language, so that removing the files loses nothing.
  private func checkHolds(_ existing: Catalog?, sourceLanguage: LocaleIdentifier) throws(InputFault) {
    func fault(_ difference: String, _ hint: String) -> InputFault {
      InputFault(
        Diagnostic(
          path: path.text, severity: .error,
          message: "table \(path.stem) already has a String Catalog\(difference), so it was not converted", hint: hint))
    }
    guard let existing else {
      throw fault(" or another file in its place", "repair or move that file, and keep its texts")
    }
    // The hint does not advise removing the catalog, because it can be the only file that still has the texts of some languages.
    let hint = "make the texts of this key the same in both, or remove it from the files, then convert the table again"
    var differences: [String] = []
    for (key, entry) in catalog.entries.sorted(by: { $0.key < $1.key }) {
      guard let old = existing.entries[key] else {
        differences.append(" without the key \"\(key)\" of its files")
        continue
      }
      for (language, text) in entry.translations.sorted(by: { $0.key < $1.key })
      where old.translations[language] != text {
        differences.append(", which has a different text in '\(language)' for the key \"\(key)\" than its files")
      }
    }
    guard differences.isEmpty else {
      var faults = differences.prefix(Self.mostDifferences).flatMap { fault($0, hint).diagnostics }
      let others = differences.count - faults.count
      if others > 0 {
        faults.append(
          Diagnostic(
            path: path.text, severity: .error,
            message: "\(counted(others, "other text")) of table \(path.stem) "
              + (others == 1 ? "differs" : "differ") + " from the files"))
      }
      throw InputFault(faults)
    }
    guard existing.sourceLanguage == sourceLanguage else {
      throw fault(" in another source language", "set the source language of the catalog to \(sourceLanguage)")
    }
  }

  /// Checks that reading the printed catalog gives the same entries. Otherwise no file is removed.
  private func checkReadsBack(_ bytes: [UInt8]) throws(InputFault) {
    let read = try StringCatalogFormat().read(bytes, at: path)
    for (key, entry) in catalog.entries where read.entries[key] != entry {
      throw InputFault(
        Diagnostic(
          path: path.text, severity: .error,
          message: "reading back the new catalog of table \(path.stem) gave a different text for the key \"\(key)\", "
            + "so nothing was changed. Please report this as a bug"))
    }
  }

  /// Removes a file of the table, or only the keys that do not have to stay in it.
  /// - Returns: the comments that stay in the file.
  private mutating func leave(_ content: Content, _ kept: Set<UnitKey>) throws(InputFault) -> Set<UnitKey> {
    switch content {
    case .strings(let strings):
      let staying = strings.staying
      guard !staying.isEmpty else {
        edits.remove(strings.path)
        return []
      }
      diagnostics.append(
        Diagnostic(
          path: strings.path.text, severity: .warning,
          message: "the file was kept, because it has values that are not text",
          hint: "fix these values, then remove the file"))
      let removed = Set(strings.entries.map(\.key)).subtracting(staying)
      guard !removed.isEmpty else { return strings.comments }
      let bytes = try strings.edited(Dictionary(uniqueKeysWithValues: removed.map { ($0, StringsEdit.remove) }))
      edits.write(bytes, to: strings.path)
      return try StringsFile.read(bytes, at: strings.path).comments
    case .rules(let rules):
      let keys = Set(rules.list.members.map { UnitKey($0.key) })
      let removed = keys.subtracting(kept)
      guard removed != keys else {
        edits.remove(rules.path)
        return []
      }
      guard !removed.isEmpty else { return rules.list.comments.texts }
      let changes = Dictionary(uniqueKeysWithValues: removed.map { ($0, Translation?.none) })
      let bytes = try rules.edited(changes)
      edits.write(bytes, to: rules.path)
      return try StringsDictFile.read(bytes, at: rules.path).list.comments.texts
    }
  }
}
