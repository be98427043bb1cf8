package import Localization

/// Maps units to vendors.
///
/// A unit goes to the first vendor that lists its language and takes its catalog, or else to the first that lists no languages and takes
/// its catalog.
package struct VendorRoutes: Sendable {
  private struct Route: Sendable {
    var vendor: String
    var scope: CatalogScope
  }

  private let named: [LocaleIdentifier: [Route]]
  private let rest: [Route]
  private let all: Set<String>

  /// - Parameter vendors: names of vendors with their definitions, in the order of the pipeline file.
  package init(_ vendors: [(name: String, definition: VendorDefinition)]) {
    var named: [LocaleIdentifier: [Route]] = [:]
    var rest: [Route] = []
    for (name, definition) in vendors {
      let route = Route(vendor: name, scope: definition.scope)
      guard let languages = definition.languages else {
        rest.append(route)
        continue
      }
      for language in languages { named[language, default: []].append(route) }
    }
    self.named = named
    self.rest = rest
    all = Set(vendors.filter { $0.definition.units == .all }.map(\.name))
  }

  /// - Parameter catalog: under its newest name.
  /// - Returns: `nil` if no vendor takes the catalog in this language.
  package func vendor(for language: LocaleIdentifier, of catalog: TreePath) -> String? {
    ((named[language] ?? []) + rest).first { $0.scope.covers(catalog) }?.vendor
  }

  /// Whether some vendor takes other catalogs in a language, but none takes this one.
  package func leavesOut(_ catalog: TreePath, in language: LocaleIdentifier) -> Bool {
    let routes = (named[language] ?? []) + rest
    return !routes.isEmpty && !routes.contains { $0.scope.covers(catalog) }
  }

  /// Whether the vendor receives every unit, not only untranslated ones.
  package func wantsAll(_ vendor: String) -> Bool { all.contains(vendor) }

  package var anyWantsAll: Bool { !all.isEmpty }
}
