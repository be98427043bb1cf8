import Localization
import ProjectLayout

/// A catalog of one key in one language.
func catalog(_ languages: String..., source: String = "en") -> String {
  let localizations = languages.map {
    "\"\($0)\" : { \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"x\" } }"
  }
  return """
    { "sourceLanguage" : "\(source)", "strings" : { "localizations" : { "comment" : "a { \\" [ in a text",
      "localizations" : { \(localizations.joined(separator: ", ")) } } }, "version" : "1.0" }
    """
}

/// A manifest whose `Package` has these arguments after its name; `before` and `after` stand around it.
func manifest(_ arguments: String, before: String = "", after: String = "", tools: String = "5.9") -> String {
  """
  // swift-tools-version: \(tools)
  import PackageDescription
  \(before)
  let package = Package(name: "Kit", defaultLocalization: "en", \(arguments))
  \(after)
  """
}

func layout(_ texts: [String: String], excluding: [String] = []) throws -> ProjectDescription {
  try RepositoryLayout().project(in: InMemoryTree(texts: texts), excluding: excluding)
}

extension ProjectDescription {
  /// A target by id.
  subscript(id: String) -> ProjectTarget? { targets.first { $0.id.rawValue == id } }

  var ids: [String] { targets.map(\.id.rawValue) }

  func feeders(of catalog: TreePath) -> [String]? {
    catalogs.first { $0.path == catalog }?.targets.map(\.rawValue)
  }
}

extension ProjectTarget {
  var sources: [String] { swiftSources.map(\.path.text) }
}
