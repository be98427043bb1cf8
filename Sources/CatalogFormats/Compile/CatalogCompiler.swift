package import Localization
internal import StructuredText

/// Compiles a String Catalog, as `xcstringstool compile` does.
package struct CatalogCompiler {
  private let catalog: Catalog
  private var result: CompiledCatalog

  /// - Parameter languages: only these; `nil`: all that the catalog has.
  ///
  /// The source language gets every entry, the key where it has no text of its own; another language those entries that it has a text
  /// for, in whatever state. Stale entries are compiled too: an app may still ask for them.
  package static func compile(_ catalog: Catalog, languages: Set<LocaleIdentifier>? = nil) -> CompiledCatalog {
    var compiler = CatalogCompiler(catalog)
    for language in (languages ?? catalog.languages).sorted() { compiler.compile(language) }
    return compiler.result
  }

  private init(_ catalog: Catalog) {
    self.catalog = catalog
    result = CompiledCatalog(catalog: catalog.path)
  }

  private mutating func compile(_ language: LocaleIdentifier) {
    // The name becomes a folder's: a catalog may come from anywhere.
    guard language.isWellFormed else {
      result.diagnostics.append(
        Diagnostic(
          path: catalog.path.text, severity: .error,
          message: "compile: \(language.rawValue.debugDescription) is no language",
          hint: "languages are BCP 47 tags such as de, pt-BR or zh-Hans"))
      return
    }
    var texts = CompiledCatalog.Language()
    for (key, entry) in catalog.entries.sorted(by: { $0.key < $1.key }) {
      let isSource = language == catalog.sourceLanguage
      guard let translation = entry.translations[language] ?? (isSource ? Translation(key.text) : nil) else { continue }
      let source = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
      var form = VariedForm(translation, source: source)
      let compiled = form.compiled()
      for fault in form.faults {
        result.diagnostics.append(
          Diagnostic(
            path: catalog.path.text, severity: fault.isError ? .error : .warning,
            message: "\(fault.message) (\(language): \(key.text.debugDescription))"))
      }
      switch compiled {
      case .text(let text)?: texts.plain.append(.init(key.text, .text(text)))
      case .dictionary?: if let compiled { texts.varied.append(.init(key.text, compiled)) }
      case nil: break
      }
    }
    result.languages[language] = texts
  }
}
