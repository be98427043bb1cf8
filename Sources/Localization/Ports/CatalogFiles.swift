/// The files of one catalog, as a format reads and writes them: one file for a String Catalog; for the formats with a file a language
/// (`.strings`, `.stringsdict`, storyboards with a `.strings` a language) the source language's, which names it, and those of the others.
package struct CatalogFiles: Equatable, Sendable {
  /// The catalog, or the source language's file: what XLIFF names in `original`.
  package let path: TreePath
  /// As the project says; a String Catalog says it itself.
  package var sourceLanguage: LocaleIdentifier
  /// The further files that are there, one a language; empty for a String Catalog. The source language is never among them: Xcode takes
  /// the source texts from `path` alone, also where `en.lproj/Main.strings` is beside `Base.lproj/Main.storyboard` (xcode-formats.md B3).
  package var localizations: [LocaleIdentifier: TreePath]
  /// Of the files that are there.
  package var bytes: [TreePath: [UInt8]]
  /// The languages whose file is there and cannot be had, such as a symbolic link; nothing is written in its place.
  package var unread: [LocaleIdentifier: TreeError] = [:]
  /// What a format kept when it read the file that names the catalog, so that it need not read the same bytes again; no part of what the
  /// files are. A format checks that the bytes are those.
  package var origin: (any CatalogOrigin)?

  package static func == (a: Self, b: Self) -> Bool {
    a.path == b.path && a.sourceLanguage == b.sourceLanguage && a.localizations == b.localizations && a.bytes == b.bytes
      && a.unread == b.unread
  }

  package init(
    path: TreePath, sourceLanguage: LocaleIdentifier, localizations: [LocaleIdentifier: TreePath] = [:],
    bytes: [TreePath: [UInt8]] = [:]
  ) {
    self.path = path
    self.sourceLanguage = sourceLanguage
    self.localizations = localizations
    self.bytes = bytes
  }

  /// The files of a catalog that holds all its languages itself.
  /// - Parameter bytes: `nil` where it is not there yet.
  package init(_ bytes: [UInt8]?, at path: TreePath, sourceLanguage: LocaleIdentifier = "en") {
    self.init(path: path, sourceLanguage: sourceLanguage, bytes: bytes.map { [path: $0] } ?? [:])
  }

  /// The bytes of the file that names the catalog; `nil` where it is not there.
  package var sourceBytes: [UInt8]? { bytes[path] }

  /// - Throws: where the file that names the catalog is not there.
  package func readSource() throws(InputFault) -> [UInt8] {
    guard let bytes = sourceBytes else {
      throw InputFault(
        Diagnostic(path: path.text, severity: .error, message: "no such file"))
    }
    return bytes
  }

  /// Where the texts of a language are, or would be: `App/de.lproj/Localizable.strings` beside `App/en.lproj/Localizable.strings`,
  /// `App/de.lproj/Main.strings` beside `App/Base.lproj/Main.storyboard`.
  package func path(for language: LocaleIdentifier) -> TreePath {
    guard path.ending != "xcstrings", language != sourceLanguage else { return path }
    if let known = localizations[language] { return known }
    let isTable = path.ending == "strings" || path.ending == "stringsdict"
    return path.folderOfLanguages.appending("\(language).lproj").appending(isTable ? path.name : path.stem + ".strings")
  }

  /// The one language of which a file holds the texts; `nil` for a String Catalog, and for a file that is none of the catalog's.
  package func language(of file: TreePath) -> LocaleIdentifier? {
    if let language = localizations.first(where: { $0.value == file })?.key { return language }
    return file == path && path.ending != "xcstrings" ? sourceLanguage : nil
  }

  /// The files after a writer's work.
  /// - Parameter languages: those whose files may be new; they are not looked at where no file was written but the catalog's own.
  package func applying(
    _ written: [TreePath: [UInt8]], languages: @autoclosure () -> some Sequence<LocaleIdentifier>
  ) -> CatalogFiles {
    var files = self
    files.bytes.merge(written) { _, new in new }
    guard written.keys.contains(where: { $0 != path }) else { return files }
    for language in languages() where files.localizations[language] == nil {
      let place = path(for: language)
      if place != path, written[place] != nil { files.localizations[language] = place }
    }
    return files
  }
}

extension ProjectCatalog {
  /// The catalog's files without their bytes.
  package var files: CatalogFiles {
    CatalogFiles(path: path, sourceLanguage: sourceLanguage, localizations: localizations)
  }

  /// The file that names the catalog, then those of the languages in the order of their names.
  package var paths: [TreePath] {
    [path] + localizations.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The catalog's files with their bytes; the languages whose file cannot be had are named in `unread`.
  /// - Throws: where the file that names the catalog cannot be had.
  package func files(in tree: any SourceTree) throws(TreeError) -> CatalogFiles {
    var files = files
    files.bytes[path] = try tree.read(path)
    for (language, path) in localizations where path != self.path {
      do { files.bytes[path] = try tree.read(path) } catch { files.unread[language] = error }
    }
    return files
  }
}
