package import Localization
internal import StructuredText

/// Compiles a String Catalog like `xcstringstool compile`.
package struct CatalogCompiler {
  private let catalog: Catalog
  private let places: CatalogPlaces?
  private var result: CompiledCatalog
  /// The language that was compiled last into each folder, by the name of the folder.
  private var spellings: [String: LocaleIdentifier] = [:]

  /// Reads and compiles a catalog. Diagnostics about its texts have positions in the file.
  /// - Parameter languages: the languages to compile; `nil` compiles all languages of the catalog.
  /// - Throws: `InputFault` if the file cannot be read.
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

  /// Compiles a catalog.
  ///
  /// The rules follow the observed output of Xcode's compiler (26.6). Translations in every state are compiled, including translations of stale and
  /// of untranslatable entries. In the source language, texts whose forms are all `new` and keys without a text are skipped, because the program
  /// falls back to the texts in code. In entries that a person maintains (`manual`), such texts and keys are compiled too.
  /// - Parameter languages: the languages to compile; `nil` compiles all languages of the catalog.
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

  /// Returns the reasons why Xcode cannot compile a catalog that could be read: the parts of its file that Apple's compiler rejects, or else the
  /// first error of each translation, sorted by key and language.
  package static func faults(of catalog: Catalog) -> [Diagnostic] {
    let places = (catalog.origin as? StringCatalogOrigin).map { CatalogPlaces($0.tree) }
    if let missing = places?.unreadableParts(in: nil), !missing.isEmpty { return missing }
    var found: [(key: UnitKey, language: LocaleIdentifier, fault: CompileFault)] = []
    for (key, entry) in catalog.entries {
      entry.translations.forEachVaried { language, translation in
        guard isCompiled(translation, of: entry, in: language, of: catalog) else { return }
        var form = VariedForm(
          translation, source: SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage))
        _ = form.compiled()
        if let fault = form.faults.first(where: \.isError) { found.append((key, language, fault)) }
      }
    }
    return found.sorted { ($0.key, $0.language) < ($1.key, $1.language) }.map { key, language, fault in
      fault.diagnostic(
        catalog.path, language, key, at: places?.position(of: key, in: language, at: fault.path))
    }
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
    // Xcode accepts a catalog with an empty source language if the catalog has no texts.
    guard !translations.isEmpty else { return }
    // The language becomes a folder name, so it must be checked, because catalogs are untrusted input.
    guard let folder = LocaleFolder.name(of: language) else {
      result.diagnostics.append(
        Diagnostic(
          path: catalog.path.text, severity: .error,
          message: "\(language.rawValue.debugDescription) is not a language",
          hint: "languages are BCP 47 tags such as de, pt-BR or zh-Hans"))
      return
    }
    // Two spellings of one language (`he`, `iw`) share a folder. The texts of the first spelling win.
    if let other = spellings.updateValue(language, forKey: folder) {
      result.diagnostics.append(
        Diagnostic(
          path: catalog.path.text, severity: .warning,
          message: "\(other) and \(language) are compiled into the same folder, \(folder).lproj",
          hint: "the texts of \(other) are used where both have one; rename one of the languages"))
    }
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
    return Self.isCompiled(translation, of: entry, in: language, of: catalog) ? translation : nil
  }

  /// Returns whether a translation is compiled. Unless the entry is `manual`, a source text whose forms are all `new` is not compiled, because code
  /// contains the same text.
  private static func isCompiled(
    _ translation: Translation, of entry: CatalogEntry, in language: LocaleIdentifier, of catalog: Catalog
  ) -> Bool {
    language != catalog.sourceLanguage || entry.extractionState == .manual
      || translation.leaves.contains { $0.leaf.state != .new }
  }
}
