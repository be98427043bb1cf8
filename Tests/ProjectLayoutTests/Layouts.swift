import Localization
import ProjectLayout

/// Returns a catalog that has one key in these languages.
func catalog(_ languages: String..., source: String = "en") -> String {
  let localizations = languages.map {
    "\"\($0)\" : { \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"x\" } }"
  }
  return """
    { "sourceLanguage" : "\(source)", "strings" : { "localizations" : { "comment" : "a { \\" [ in a text",
      "localizations" : { \(localizations.joined(separator: ", ")) } } }, "version" : "1.0" }
    """
}

/// Returns a manifest whose `Package` has these arguments after its name and `defaultLocalization`. `before` and `after` are added around the
/// `Package`.
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
  /// The target with this id.
  subscript(id: String) -> ProjectTarget? { targets.first { $0.id.rawValue == id } }

  var ids: [String] { targets.map(\.id.rawValue) }

  func feeders(of catalog: TreePath) -> [String]? {
    catalogs.first { $0.path == catalog }?.targets.map(\.rawValue)
  }
}

extension ProjectTarget {
  var sources: [String] { swiftSources.map(\.path.text) }
}

/// Returns a project file that has these objects in addition to the project and its main group.
/// - Parameters:
///   - children: the identifiers of the main group's children.
///   - targets: the identifiers of the targets.
///   - settings: the build settings of the project.
///   - project: further members of the project object.
func pbxproj(
  _ objects: String = "", children: String = "", targets: String = "", settings: String = "", project: String = ""
) -> String {
  """
  // !$*UTF8*$!
  {
    archiveVersion = 1; objectVersion = 77; rootObject = ROOT;
    objects = {
      ROOT = { isa = PBXProject; buildConfigurationList = ROOTLIST; mainGroup = MAIN; targets = (\(targets));
        \(project.contains("developmentRegion") ? "" : "developmentRegion = en; knownRegions = (en, Base);") \(project) };
      ROOTLIST = { isa = XCConfigurationList; buildConfigurations = (ROOTDEBUG); defaultConfigurationName = Debug; };
      ROOTDEBUG = { isa = XCBuildConfiguration; name = Debug; buildSettings = { \(settings) }; };
      MAIN = { isa = PBXGroup; children = (\(children)); sourceTree = "<group>"; };
  \(objects)
    };
  }
  """
}

/// Returns a target with one configuration, whose build phases include files by their identifiers.
/// - Parameter more: further members of the target.
func target(
  _ id: String, _ name: String, type: String = "application", sources: [String] = [], resources: [String] = [],
  frameworks: [String] = [], settings: String = "", base: String = "", more: String = ""
) -> String {
  func list(_ files: [String]) -> String { files.map { "\(id)_\($0)" }.joined(separator: ", ") }
  let builds = Set(sources + resources + frameworks).map {
    "\(id)_\($0) = { isa = PBXBuildFile; fileRef = \($0); };"
  }
  return """
        \(id) = { isa = PBXNativeTarget; name = "\(name)"; productType = "com.apple.product-type.\(type)";
          buildConfigurationList = \(id)LIST; buildPhases = (\(id)SRC, \(id)RES, \(id)FWK); \(more) };
        \(id)LIST = { isa = XCConfigurationList; buildConfigurations = (\(id)DEBUG); };
        \(id)DEBUG = { isa = XCBuildConfiguration; name = Debug; \(base) buildSettings = { \(settings) }; };
        \(id)SRC = { isa = PBXSourcesBuildPhase; files = (\(list(sources))); };
        \(id)RES = { isa = PBXResourcesBuildPhase; files = (\(list(resources))); };
        \(id)FWK = { isa = PBXFrameworksBuildPhase; files = (\(list(frameworks))); };
        \(builds.sorted().joined(separator: "\n"))
    """
}

/// Returns a file reference.
func file(_ id: String, _ path: String, tree: String = "<group>", type: String = "text") -> String {
  "\(id) = { isa = PBXFileReference; lastKnownFileType = \"\(type)\"; path = \"\(path)\"; sourceTree = \"\(tree)\"; };"
}

/// Returns a synchronized group for a folder.
func folder(_ id: String, _ path: String, exceptions: String = "", more: String = "") -> String {
  """
  \(id) = { isa = PBXFileSystemSynchronizedRootGroup; path = "\(path)"; exceptions = (\(exceptions)); sourceTree = "<group>"; \(more) };
  """
}
