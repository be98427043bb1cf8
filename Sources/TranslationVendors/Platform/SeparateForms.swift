internal import Localization

/// Separate forms: forms of source texts for plural categories that the source language does not use, such as `zero` in English. Most
/// platforms keep only the categories that a language uses, so these forms are sent as separate strings.
///
/// A form with the same text as `other` is not treated as a separate form, because it needs no separate translation.
struct SeparateForms: Sendable {
  private var paths: [UnitKey: Set<VariationPath>] = [:]

  /// - Parameter keepsPlurals: whether the plural forms of a text become one string.
  init(of file: ExchangeFile, keepsPlurals: Bool) {
    guard keepsPlurals else { return }
    let kept = Set(PluralRules.shownCategories(of: file.sourceLanguage))
      .union(PluralRules.categories(of: file.sourceLanguage))
    let others = file.units.filter { $0.path.category.map { !kept.contains($0) } ?? false }
    guard !others.isEmpty else { return }
    let keys = Set(others.map(\.key))
    var common: [UnitKey: [VariationPath: ExchangeText]] = [:]
    for unit in file.units where keys.contains(unit.key) && unit.path.category == .other {
      common[unit.key, default: [:]][unit.path] = unit.source
    }
    for unit in others {
      let other = common[unit.key]?[unit.path.sibling(.other)]
      guard let source = unit.source, !source.isEmpty, let other, !other.isExactly(source) else { continue }
      paths[unit.key, default: []].insert(unit.path)
    }
  }

  func contains(_ unit: ExchangeUnit) -> Bool { paths[unit.key]?.contains(unit.path) ?? false }

  /// Returns the names of all possible separate forms of a text with plural forms.
  static func ids(of unit: UnitID, at path: VariationPath) -> [PlatformID] {
    PluralCategory.all.filter { $0 != .other }.map { PlatformID(unit, at: path.appending(.plural($0))) }
  }
}

extension VariationPath {
  /// Returns the path of another plural form of the same text.
  fileprivate func sibling(_ category: PluralCategory) -> VariationPath {
    var path = self
    path.steps[path.steps.count - 1] = .plural(category)
    return path
  }
}
