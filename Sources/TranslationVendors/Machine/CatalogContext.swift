internal import CatalogFormats
internal import Localization

/// The source texts of one catalog. An engine gets the neighbours of a text as its context.
struct CatalogContext {
  /// Neighbours on either side.
  static let reach = 2

  private let keys: [UnitKey]
  private let positions: [UnitKey: Int]
  private let forms: [UnitKey: Translation]

  /// - Parameter content: the catalog, reduced to the source language. Units that it does not have, or all if it cannot be read, are
  ///   taken from the file.
  init(_ file: ExchangeFile, content: [UInt8]?) {
    var forms = content.map { Self.forms(in: $0, file) } ?? [:]
    for (key, units) in Dictionary(grouping: file.units, by: \.key) where forms[key] == nil {
      forms[key] = Self.translation(of: units)
    }
    self.forms = forms
    keys = forms.keys.sorted()
    positions = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
  }

  func context(of key: UnitKey, round: String, language: LocaleIdentifier) -> EngineContext {
    EngineContext(round: round, language: language, forms: forms[key], neighbours: neighbours(of: key))
  }

  private func neighbours(of key: UnitKey) -> [EngineContext.Neighbour] {
    guard let position = positions[key] else { return [] }
    let around = max(0, position - Self.reach)...min(keys.count - 1, position + Self.reach)
    return around.compactMap { index in
      guard index != position, let text = text(of: keys[index]), !text.isEmpty else { return nil }
      return EngineContext.Neighbour(key: keys[index], text: text)
    }
  }

  /// The text that represents all forms.
  private func text(of key: UnitKey) -> String? {
    guard let forms = forms[key], case .text(let text)? = forms.text.nearest(to: [])?.words else { return nil }
    return text
  }

  private static func forms(in content: [UInt8], _ file: ExchangeFile) -> [UnitKey: Translation] {
    let path = TreePath(trusted: file.original)
    guard let format = CatalogFormatRegistry.standard.format(for: path),
      let catalog = try? format.read(CatalogFiles(content, at: path, sourceLanguage: file.sourceLanguage))
    else { return [:] }
    var forms: [UnitKey: Translation] = [:]
    for (key, entry) in catalog.entries where entry.shouldTranslate {
      forms[key] = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage).translation
    }
    return forms
  }

  private static func translation(of units: [ExchangeUnit]) -> Translation {
    let main = units.first { !$0.path.isInSubstitution }
    var translation =
      switch main?.path.steps.first {
      case .plural?: Translation(text: .plural([:]))
      case .device?: Translation(text: .device([:]))
      default: Translation(main?.key.text ?? "", state: .new)
      }
    for unit in units {
      guard let source = unit.source else { continue }
      translation.set(VariedLeaf(source, state: .translated), at: unit.path)
    }
    return translation
  }
}
