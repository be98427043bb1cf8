package import Localization
internal import StructuredText

/// Apple's String Catalogs, `.xcstrings` (xcode-formats.md A).
package struct StringCatalogFormat: CatalogFormat {
  package init() {}

  package var name: String { "String Catalog" }

  package var isKeptInStep: Bool { true }

  package func recognizes(_ path: TreePath) -> Bool { path.ending == "xcstrings" }

  package func read(_ files: CatalogFiles) throws(InputFault) -> Catalog {
    try read(files.readSource(), at: files.path)
  }

  package func write(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: [UInt8]] {
    try splice(catalog, over: files).mapValues(\.bytes)
  }

  package func splice(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: FileContent] {
    let written = try splice(catalog, over: files.sourceBytes)
    let isSame = files.sourceBytes.map { written.isExactly($0) } ?? false
    return isSame ? [:] : [files.path: written]
  }

  package func sourceCopy(of files: CatalogFiles) throws(InputFault) -> [UInt8] {
    try SourceCopy.print(CatalogTree(files))
  }

  /// Reads one catalog file. Throws all faults of the file, including duplicate keys.
  package func read(_ bytes: [UInt8], at path: TreePath) throws(InputFault) -> Catalog {
    try CatalogReader.read(CatalogTree(bytes, at: path, duplicates: .collected))
  }

  /// Splices the changes into `original`. Unchanged values keep their bytes, and new values get the layout of the file. A UTF-16 file, which
  /// Xcode can read too, stays in UTF-16.
  ///
  /// A localization that cannot be interpreted stays unchanged. `version` is kept unless the written content needs a higher one
  /// (xcode-formats.md A5).
  /// - Parameter original: the file's bytes; `nil` for a new file.
  /// - Throws: `InputFault` with the faults of `original` if its syntax or a changed entry cannot be read; otherwise with every change that Xcode
  ///   would lose or not compile, or that the structure of the old entry does not allow.
  package func write(_ catalog: Catalog, over original: [UInt8]?) throws(InputFault) -> [UInt8] {
    try splice(catalog, over: original).bytes
  }

  private func splice(_ catalog: Catalog, over original: [UInt8]?) throws(InputFault) -> FileContent {
    guard let original else { return FileContent(try NewCatalog(catalog).printed()) }
    // The comparison is usually fast: a catalog shares the bytes from which it was read, and arrays that share storage are equal without a
    // comparison of their elements.
    if let origin = catalog.origin as? StringCatalogOrigin, origin.tree.file == original {
      return try origin.tree.stored(CatalogSplice.write(catalog, over: origin.tree, since: origin))
    }
    let tree = try CatalogTree(original, at: catalog.path)
    return try tree.stored(CatalogSplice.write(catalog, over: tree, since: nil))
  }

  /// Returns a catalog file with only the source language, in UTF-8, as Xcode writes it.
  package func sourceCopy(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [UInt8] {
    try SourceCopy.print(CatalogTree(bytes, at: path))
  }
}
