package import Localization
internal import StructuredText

/// Apple's String Catalogs, `.xcstrings` (formats.md A).
package struct StringCatalogFormat: CatalogFormat {
  package init() {}

  package var name: String { "String Catalog" }

  package var isKeptInStep: Bool { true }

  package func recognizes(_ path: TreePath) -> Bool { path.ending == "xcstrings" }

  package func read(_ files: CatalogFiles) throws(InputFault) -> Catalog {
    try read(files.readSource(), at: files.path)
  }

  package func write(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: [UInt8]] {
    let written = try write(catalog, over: files.sourceBytes)
    return written == files.sourceBytes ? [:] : [files.path: written]
  }

  package func sourceCopy(of files: CatalogFiles) throws(InputFault) -> [UInt8] {
    try sourceCopy(of: files.readSource(), at: files.path)
  }

  /// Reads one catalog file.
  package func read(_ bytes: [UInt8], at path: TreePath) throws(InputFault) -> Catalog {
    try CatalogReader.read(CatalogTree(bytes, at: path, duplicates: .collected))
  }

  /// Splices the changes into `original`; values that stay keep their bytes, new ones are laid out in the file's own style. What is in
  /// UTF-16, which Xcode reads too, stays so.
  ///
  /// A language whose form is not understood stays. `version` is kept unless what is written needs a higher one (formats.md A5).
  /// - Parameter original: `nil` for a new file.
  /// - Throws: what keeps `original` from being read, or every change that Xcode would lose or not compile.
  package func write(_ catalog: Catalog, over original: [UInt8]?) throws(InputFault) -> [UInt8] {
    guard let original else { return try new(catalog) }
    // Arrays that share their memory are known to be equal at once: that is how a catalog comes back that was read and changed.
    if let origin = catalog.origin as? StringCatalogOrigin, origin.tree.file == original {
      return try origin.tree.encoding.bytes(
        of: CatalogSplice.write(catalog, over: origin.tree, asRead: origin.entries))
    }
    let tree = try CatalogTree(original, at: catalog.path)
    return try tree.encoding.bytes(of: CatalogSplice.write(catalog, over: tree, asRead: [:]))
  }

  private func new(_ catalog: Catalog) throws(InputFault) -> [UInt8] {
    var refusals: [Diagnostic] = []
    var version = CatalogVersion.lowest
    for (key, entry) in catalog.entries.sorted(by: { $0.key < $1.key }) {
      let needed = CatalogVersion.needed(by: entry)
      if CatalogVersion.isLower(version, needed) { version = needed }
      for (language, translation) in entry.translations.sorted(by: { $0.key < $1.key }) {
        guard let refusal = CatalogShape.refusal(of: translation) else { continue }
        refusals.append(
          Diagnostic(
            path: catalog.path.text, severity: .error,
            message: "'\(language)' of the key \"\(key)\" cannot be written: \(refusal)"))
      }
    }
    guard refusals.isEmpty else { throw InputFault(refusals) }
    var output: [UInt8] = []
    JSONPrinter(.xcode).print(CatalogValues.catalog(catalog, version: version), into: &output)
    return output
  }

  /// One catalog file reduced to the source language, in UTF-8 as Xcode writes it.
  package func sourceCopy(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [UInt8] {
    try SourceCopy.print(CatalogTree(bytes, at: path))
  }
}
