package import Localization
internal import StructuredText

/// Compiles a String Catalog, as `xcstringstool compile` does.
package struct CatalogCompiler {
  private let catalog: Catalog
  private let places: CatalogPlaces?
  private var result: CompiledCatalog

  /// Reads a catalog and compiles it; what is wrong has its place in the file.
  /// - Parameter languages: only these; `nil`: all that the catalog has.
  /// - Throws: what keeps the file from being read.
  package static func compile(_ bytes: [UInt8], at path: TreePath, languages: Set<LocaleIdentifier>? = nil)
    throws(InputFault) -> CompiledCatalog
  {
    let tree = try CatalogTree(bytes, at: path)
    let catalog = try CatalogReader.read(tree)
    let places = CatalogPlaces(tree)
    var compiled = compile(catalog, languages: languages, places: places)
    compiled.diagnostics = places.unreadableParts(in: languages) + compiled.diagnostics
    return compiled
  }

  /// - Parameter languages: only these; `nil`: all that the catalog has.
  ///
  /// What is compiled (observed in the compiler's output, Xcode 26.6): every translation in whatever state, stale entries and those that
  /// are not to be translated too. Of the source language not what is `new`, nor a key without a text: the code falls back to them by
  /// itself; but both of an entry that a person keeps (`manual`).
  package static func compile(_ catalog: Catalog, languages: Set<LocaleIdentifier>? = nil) -> CompiledCatalog {
    compile(catalog, languages: languages, places: nil)
  }

  private static func compile(_ catalog: Catalog, languages: Set<LocaleIdentifier>?, places: CatalogPlaces?)
    -> CompiledCatalog
  {
    var compiler = CatalogCompiler(catalog, places: places)
    for language in (languages ?? catalog.languages).sorted() { compiler.compile(language) }
    return compiler.result
  }

  private init(_ catalog: Catalog, places: CatalogPlaces?) {
    self.catalog = catalog
    self.places = places
    result = CompiledCatalog(catalog: catalog.path)
  }

  private mutating func compile(_ language: LocaleIdentifier) {
    let translations = catalog.entries.sorted { $0.key < $1.key }.compactMap { key, entry in
      translation(of: key, entry, in: language).map { (key: key, entry: entry, translation: $0) }
    }
    // Xcode takes a catalog whose source language is empty, as long as no text is in it.
    guard !translations.isEmpty else { return }
    // The name becomes a folder's: a catalog may come from anywhere.
    guard let folder = LocaleFolder.name(of: language) else {
      result.diagnostics.append(
        Diagnostic(
          path: catalog.path.text, severity: .error,
          message: "\(language.rawValue.debugDescription) is not a language",
          hint: "languages are BCP 47 tags such as de, pt-BR or zh-Hans"))
      return
    }
    // Two spellings of one language (`he`, `iw`) share a folder: the first has its way.
    var texts = result.languages[folder] ?? CompiledCatalog.Language()
    let taken = Set((texts.plain + texts.varied).map { UnitKey($0.key) })
    for (key, entry, translation) in translations where !taken.contains(key) {
      let source = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
      var form = VariedForm(translation, source: source)
      let entries = form.compiled()
      for fault in form.faults {
        let position = places?.position(of: key, in: language, at: fault.path)
        result.diagnostics.append(fault.diagnostic(catalog.path, language, key, at: position))
      }
      if let plain = entries.plain { texts.plain.append(.init(key.text, .text(plain))) }
      if let varied = entries.varied { texts.varied.append(.init(key.text, varied)) }
    }
    result.languages[folder] = texts
  }

  private func translation(of key: UnitKey, _ entry: CatalogEntry, in language: LocaleIdentifier) -> Translation? {
    guard language == catalog.sourceLanguage, entry.extractionState != .manual else {
      return entry.translations[language] ?? (language == catalog.sourceLanguage ? Translation(key.text) : nil)
    }
    guard let translation = entry.translations[language] else { return nil }
    return translation.leaves.contains { $0.leaf.state != .new } ? translation : nil
  }
}
