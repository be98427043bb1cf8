internal import Localization

/// A catalog with a file a language: each of its files in turn.
enum LanguageFiles {
  /// A file with the keys of which something may have changed in its language.
  struct Target {
    var path: TreePath
    /// `nil` for a file that is not there yet.
    var bytes: [UInt8]?
    var changedKeys: [UnitKey]
  }

  /// Reads every file that is there, the source language's first, the others by name.
  /// - Returns: the languages whose file cannot be read, with the faults of it.
  /// - Throws: where the source language's file is not there or cannot be read: the faults of all files together, each naming its file.
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

  /// Writes the file of every language in which something differs.
  /// - Parameters:
  ///   - asRead: what its files say.
  ///   - unread: the languages whose file cannot be read.
  ///   - write: gives a file its new bytes; `nil` where there is to be none.
  /// - Throws: the faults of all files together, also of a file that could not be read: nothing is written over it.
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
      path: path.text, severity: .error, message: "'\(language)' of the key \"\(key)\" cannot be written: \(reason)")
  }
}

extension Catalog {
  /// Takes in what one language's file says. Comments are those of the first file that has the key, which is the source language's
  /// where it has it.
  mutating func take(_ translation: Translation, comment: String?, of key: UnitKey, in language: LocaleIdentifier) {
    entries[key, default: CatalogEntry(comment: comment)].translations[language] = translation
  }
}
