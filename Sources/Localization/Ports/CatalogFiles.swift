/// The files of one catalog. A String Catalog has one file. A catalog of another format (such as `.strings`, `.stringsdict`, or an interface file
/// with `.strings`) has the source language's file, which identifies the catalog, and one file for each other language.
package struct CatalogFiles: Equatable, Sendable {
  /// The path of the String Catalog, or of the source language's file. XLIFF contains this path as `original`.
  package let path: TreePath
  /// The source language of the project. A String Catalog declares its own source language.
  package var sourceLanguage: LocaleIdentifier
  /// The existing files of other languages; empty for a String Catalog. The source language is never included, because Xcode reads the source
  /// texts only from `path`, even if both `en.lproj/Main.strings` and `Base.lproj/Main.storyboard` exist (xcode-formats.md B3).
  package var localizations: [LocaleIdentifier: TreePath]
  /// The contents of the existing files, by path.
  package var bytes: [TreePath: [UInt8]]
  /// By language, the errors of files that exist but cannot be read, such as symbolic links. These files are never overwritten.
  package var unread: [LocaleIdentifier: TreeError] = [:]
  /// Data that a format kept when it read the identifying file, to avoid reading the same bytes again. The format checks that the bytes are
  /// unchanged. `==` ignores this property.
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

  /// Creates the files of a catalog that has one file for all languages.
  /// - Parameter bytes: `nil` if the file does not exist yet.
  package init(_ bytes: [UInt8]?, at path: TreePath, sourceLanguage: LocaleIdentifier = "en") {
    self.init(path: path, sourceLanguage: sourceLanguage, bytes: bytes.map { [path: $0] } ?? [:])
  }

  /// The contents of the identifying file; `nil` if it does not exist.
  package var sourceBytes: [UInt8]? { bytes[path] }

  /// Returns the contents of the identifying file.
  /// - Throws: if the file does not exist.
  package func readSource() throws(InputFault) -> [UInt8] {
    guard let bytes = sourceBytes else {
      throw InputFault(
        Diagnostic(path: path.text, severity: .error, message: "no such file"))
    }
    return bytes
  }

  /// Returns the path of a language's file, which need not exist: `App/de.lproj/Localizable.strings` for
  /// `App/en.lproj/Localizable.strings`, `App/de.lproj/Main.strings` for `App/Base.lproj/Main.storyboard`.
  package func path(for language: LocaleIdentifier) -> TreePath {
    guard !path.holdsAllLanguages, language != sourceLanguage else { return path }
    if let known = localizations[language] { return known }
    return path.folderOfLanguages.appending("\(language).lproj")
      .appending(path.isInterface ? path.stem + ".strings" : path.name)
  }

  /// Returns the language of a file; `nil` for a String Catalog and for files of other catalogs.
  package func language(of file: TreePath) -> LocaleIdentifier? {
    if let language = localizations.first(where: { $0.value == file })?.key { return language }
    return file == path && !path.holdsAllLanguages ? sourceLanguage : nil
  }

  /// Returns the catalog's files after a write.
  /// - Parameter languages: languages whose files may be new. Not evaluated if only the identifying file was written.
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

  /// The path of the identifying file, followed by the paths of the other languages' files, sorted by language.
  package var paths: [TreePath] {
    [path] + localizations.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Reads the catalog's files. Languages whose files cannot be read are listed in `unread`.
  /// - Throws: if the identifying file cannot be read.
  package func files(in tree: any SourceTree) throws(TreeError) -> CatalogFiles {
    var files = files
    files.bytes[path] = try tree.read(path)
    for (language, path) in localizations where path != self.path {
      do { files.bytes[path] = try tree.read(path) } catch { files.unread[language] = error }
    }
    return files
  }
}
