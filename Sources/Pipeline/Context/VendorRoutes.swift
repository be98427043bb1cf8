package import Localization

/// The mapping from units to vendors.
///
/// A unit goes to the first vendor that lists its language and takes its catalog; otherwise, to the first vendor that lists no languages
/// and takes its catalog. A vendor that another vendor names under `then` or `fallback` is the first vendor of units only in the languages
/// that it lists itself.
package struct VendorRoutes: Sendable {
  private struct Member: Sendable {
    var vendor: String
    var scope: CatalogScope
  }

  /// The steps that begin with one vendor. Each step contains a vendor and, in order, this vendor's fallbacks.
  private typealias Chain = [[Member]]

  private let named: [LocaleIdentifier: [Chain]]
  private let rest: [Chain]
  private let all: Set<String>
  /// Whether any vendor has a `then`.
  package let haveSteps: Bool

  /// - Parameter vendors: names of vendors with their definitions, in the order of the pipeline file.
  package init(_ vendors: [(name: String, definition: VendorDefinition)]) {
    var named: [LocaleIdentifier: [Chain]] = [:]
    var rest: [Chain] = []
    let definitions = Dictionary(vendors.map { ($0.name, $0.definition) }) { first, _ in first }
    let followers = Set(vendors.flatMap { [$0.definition.then, $0.definition.fallback].compactMap(\.self) })
    for (name, definition) in vendors {
      let chain = Self.chain(from: name, definitions)
      guard let languages = definition.languages else {
        if !followers.contains(name) { rest.append(chain) }
        continue
      }
      for language in languages { named[language, default: []].append(chain) }
    }
    self.named = named
    self.rest = rest
    all = Set(vendors.filter { $0.definition.units == .all }.map(\.name))
    haveSteps = vendors.contains { $0.definition.then != nil }
  }

  /// Returns the chain that begins with a vendor: the steps follow `then`, and the vendors of each step follow `fallback`. Each of these
  /// sequences ends before a vendor that it already contains or that is not defined; pipeline files with such errors are refused earlier.
  private static func chain(from name: String, _ definitions: [String: VendorDefinition]) -> Chain {
    func follow(_ first: String, _ next: (VendorDefinition) -> String?) -> [String] {
      var names: [String] = []
      var current: String? = first
      while let name = current, !names.contains(name), let definition = definitions[name] {
        names.append(name)
        current = next(definition)
      }
      return names
    }
    return follow(name, \.then).map { step in
      follow(step, \.fallback).map { Member(vendor: $0, scope: definitions[$0]?.scope ?? CatalogScope()) }
    }
  }

  /// Returns the route of a catalog's units in a language.
  /// - Parameter catalog: the catalog's newest path.
  /// - Returns: `nil` if no vendor takes the catalog in this language.
  package func route(for language: LocaleIdentifier, of catalog: TreePath) -> VendorRoute? {
    guard let chain = chains(for: language).first(where: { Self.takes($0, catalog) }) else { return nil }
    return VendorRoute(steps: chain.map { step in step.filter { $0.scope.covers(catalog) }.map(\.vendor) })
  }

  /// Returns the languages in which units can reach a vendor: directly, or from other vendors by `then` and `fallback`. A vendor that takes
  /// every catalog in a language leaves no units for the vendors after it.
  /// - Parameter languages: the known languages of the pipeline. The languages that its vendors list are added.
  package func languages(of vendor: String, among languages: [LocaleIdentifier]) -> [LocaleIdentifier] {
    let others = Set(named.keys).subtracting(languages).sorted()
    return (languages + others).filter { language in
      for chain in chains(for: language) {
        if chain.contains(where: { step in step.contains { $0.vendor == vendor } }) { return true }
        if chain.first?.first?.scope.isEverything ?? false { return false }
      }
      return false
    }
  }

  /// Returns whether some vendor takes other catalogs in a language, but none takes this catalog.
  package func leavesOut(_ catalog: TreePath, in language: LocaleIdentifier) -> Bool {
    let chains = chains(for: language)
    return !chains.isEmpty && !chains.contains { Self.takes($0, catalog) }
  }

  private func chains(for language: LocaleIdentifier) -> [Chain] { (named[language] ?? []) + rest }

  /// Returns whether a chain takes a catalog. This depends on `catalogs` and `tables` of the first vendor. The settings of the other
  /// vendors only restrict which units these vendors get.
  private static func takes(_ chain: Chain, _ catalog: TreePath) -> Bool {
    chain.first?.first?.scope.covers(catalog) ?? false
  }

  /// Returns whether the vendor receives every unit, not only untranslated units.
  package func wantsAll(_ vendor: String) -> Bool { all.contains(vendor) }

  package var anyWantsAll: Bool { !all.isEmpty }
}
