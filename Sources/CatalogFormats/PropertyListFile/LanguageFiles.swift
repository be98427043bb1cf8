internal import Localization

/// Reads and writes the files of a catalog that has one file per language.
enum LanguageFiles {
  /// A file to write, and the keys that may have changed in its language.
  struct Target {
    var path: TreePath
    /// The existing content; `nil` if the file does not exist yet.
    var bytes: [UInt8]?
    var changedKeys: [UnitKey]
  }

  /// Reads every existing file: first the source language's file, then the other files, sorted by language.
  /// - Returns: the languages whose files cannot be read, each with the faults of its file.
  /// - Throws: `InputFault` with the faults of all files, if the source language's file is missing or cannot be read. Each fault contains the
  ///   path of its file.
  static func each(
    of files: CatalogFiles, _ read: ((path: TreePath, bytes: [UInt8]), LocaleIdentifier) throws(InputFault) -> Void
  ) throws(InputFault) -> [LocaleIdentifier: InputFault] {
    var unread = files.unread.mapValues { InputFault($0.diagnostic) }
    var source: InputFault?
    do throws(InputFault) {
      try read((files.path, try files.readSource()), files.sourceLanguage)
    } catch {
      source = error
    }
    for (language, path) in files.localizations.sorted(by: { $0.key < $1.key }) where path != files.path {
      guard let bytes = files.bytes[path] else { continue }
      do throws(InputFault) {
        try read((path, bytes), language)
      } catch {
        unread[language] = error
      }
    }
    if let source {
      throw InputFault(source.diagnostics + unread.sorted { $0.key < $1.key }.flatMap(\.value.diagnostics))
    }
    return unread
  }

  /// Returns the new content of the file of every language that has changes.
  /// - Parameters:
  ///   - asRead: the entries in the existing files.
  ///   - unread: the languages whose files cannot be read.
  ///   - write: returns the new bytes of a file, or `nil` to write no file.
  /// - Throws: `InputFault` with the faults of all files. A change to a file that cannot be read, or that belongs to another language, is a fault,
  ///   because such a file is never overwritten.
  static func write(
    _ catalog: Catalog, over files: CatalogFiles, asRead: [UnitKey: CatalogEntry],
    unread: [LocaleIdentifier: InputFault],
    _ write: (Target, LocaleIdentifier) throws(InputFault) -> [UInt8]?
  ) throws(InputFault) -> [TreePath: [UInt8]] {
    var written: [TreePath: [UInt8]] = [:]
    var faults: [Diagnostic] = []
    var changed: [LocaleIdentifier: [UnitKey]] = [:]
    let keys = ChangedEntries.keys(catalog.entries, since: asRead) ?? Set(asRead.keys).union(catalog.entries.keys)
    for key in keys {
      let (old, new) = (asRead[key], catalog.entries[key])
      guard old != new else { continue }
      for language in Set((old?.translations ?? [:]).keys).union((new?.translations ?? [:]).keys) {
        let isComment = language == files.sourceLanguage && !(old?.comment).isExactly(new?.comment)
        if isComment || old?.translations[language] != new?.translations[language] {
          changed[language, default: []].append(key)
        }
      }
    }
    for (language, keys) in changed.sorted(by: { $0.key < $1.key }) {
      if let fault = unread[language] {
        faults += fault.diagnostics
        continue
      }
      let path = files.path(for: language)
      guard files.language(of: path).map({ $0 == language }) ?? true else {
        faults += keys.sorted().map { refusal($0, language, at: path, "the file belongs to another language") }
        continue
      }
      let old = files.bytes[path]
      do throws(InputFault) {
        let bytes = try write(Target(path: path, bytes: old, changedKeys: keys.sorted()), language)
        if let bytes, bytes != old { written[path] = bytes }
      } catch {
        faults += error.diagnostics
      }
    }
    guard faults.isEmpty else { throw InputFault(faults) }
    return written
  }

  static func refusal(_ key: UnitKey, _ language: LocaleIdentifier, at path: TreePath, _ reason: String) -> Diagnostic {
    Diagnostic(
      path: path.text, severity: .error, message: "cannot write the key \"\(key)\" in '\(language)': \(reason)")
  }
}

extension Catalog {
  /// Adds a translation from the file of one language. An entry keeps the comment of the first file that has the key. The source language's
  /// file is read first.
  mutating func take(_ translation: Translation, comment: String?, of key: UnitKey, in language: LocaleIdentifier) {
    // The entries are moved out of the catalog while they change. If the catalog also had them, each change would copy all entries.
    var all = entries
    entries = [:]
    all[key, default: CatalogEntry(comment: comment)].translations[language] = translation
    entries = all
  }
}
