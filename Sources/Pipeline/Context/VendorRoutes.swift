package import Localization

/// Maps languages to vendors: to the vendor that lists the language, or else to the one that lists no languages.
package struct VendorRoutes: Sendable {
  private let named: [LocaleIdentifier: String]
  private let rest: String?
  private let all: Set<String>

  /// - Parameter vendors: names of vendors with their definitions, in the order of the pipeline file.
  package init(_ vendors: [(name: String, definition: VendorDefinition)]) {
    var named: [LocaleIdentifier: String] = [:]
    for (name, definition) in vendors {
      for language in definition.languages ?? [] where named[language] == nil { named[language] = name }
    }
    self.named = named
    rest = vendors.first { $0.definition.languages == nil }?.name
    all = Set(vendors.filter { $0.definition.units == .all }.map(\.name))
  }

  package func vendor(for language: LocaleIdentifier) -> String? { named[language] ?? rest }

  /// Whether the vendor receives every unit, not only untranslated ones.
  package func wantsAll(_ vendor: String) -> Bool { all.contains(vendor) }

  package var anyWantsAll: Bool { !all.isEmpty }
}
