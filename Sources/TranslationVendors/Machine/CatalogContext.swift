internal import CatalogFormats
internal import Localization

/// The source texts of one catalog, from which engines get the context of a text: the text's forms and neighbours.
struct CatalogContext {
  /// The number of neighbours before and after a text.
  static let reach = 2

  private let keys: [UnitKey]
  private let positions: [UnitKey: Int]
  private let forms: [UnitKey: Translation]

  /// - Parameters:
  ///   - file: the exchange file. The file provides the source texts of units that `content` lacks.
  ///   - content: the catalog, reduced to the source language. If the catalog is `nil` or cannot be read, all source texts come from `file`.
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

  /// Returns one text of a unit, which represents all its forms; `nil` for an unknown unit or a list of phrases.
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
