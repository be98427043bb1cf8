import Localization
import StructuredText

/// A target of an Xcode project as the project file declares it.
struct XcodeTarget: Sendable {
  /// A file that a build phase takes, with its file reference.
  struct File: Sendable {
    var path: TreePath
    var reference: OldStyleNode
    /// The group of a localized file; its children are the languages.
    var variants: OldStyleNode?
  }

  /// A target that this one needs.
  enum Dependency: Hashable, Sendable {
    /// In the same project.
    case target(OldStyleNode)
    /// In another project, by name.
    case remote(project: TreePath, name: String)
    /// Any target, of any project, that builds a product with this name: `Kit.framework`.
    case product(String)
    /// A product of a package, which the project names by a reference. Xcode 15 and earlier wrote none for packages of the repository.
    case package(String, reference: OldStyleNode?)
  }

  let node: OldStyleNode
  let name: String
  /// For example `com.apple.product-type.application`; `nil` for a target that builds nothing itself.
  let productType: String?
  /// The name of its product: `App.app`.
  let product: String?
  /// The files of the compile phases; for a localized file, one per language.
  private(set) var compiled: [File] = []
  /// The files of the resource phases.
  private(set) var resources: [File] = []
  private(set) var headers: [File] = []
  /// The groups of the synchronized folders that the target takes.
  private(set) var folders: [OldStyleNode] = []
  private(set) var dependencies: [Dependency] = []
  /// Its build phases, for objects that reference a target through one of them.
  private(set) var phases: [OldStyleNode] = []

  /// Whether the product is not a bundle, and so cannot contain files by language.
  var isWithoutBundle: Bool {
    productType.map { $0.hasSuffix(".tool") || $0.contains(".library.") || $0.hasSuffix(".objfile") } ?? false
  }

  /// Whether it tests other targets. Its texts are never translated.
  var isTest: Bool {
    guard let type = productType else { return false }
    return type.hasPrefix("com.apple.product-type.bundle.unit-test")
      || type.hasPrefix("com.apple.product-type.bundle.ui-testing")
      || type.hasPrefix("com.apple.product-type.bundle.ocunit-test")
      || type.hasPrefix("com.apple.product-type.tool.swiftpm-test")
  }

  /// Whether other targets can use its declarations.
  var isLibrary: Bool {
    productType.map { $0.contains(".framework") || $0.contains(".library.") || $0.hasSuffix(".objfile") } ?? false
  }

  /// Whether it is built into an app, with a bundle of its own.
  var isExtension: Bool {
    productType.map { $0.contains("-extension") || $0.hasSuffix(".xpc-service") } ?? false
  }

  init(_ node: OldStyleNode, of objects: ProjectObjects, paths: ProjectPaths, _ diagnostics: inout [Diagnostic]) {
    self.node = node
    name = objects.text("name", of: node) ?? objects.text("productName", of: node) ?? ""
    productType = objects.text("productType", of: node)
    product = objects.object("productReference", of: node).flatMap {
      (objects.text("path", of: $0) ?? objects.text("name", of: $0)).map { TreePath(trusted: $0).name }
    }
    folders = objects.objects("fileSystemSynchronizedGroups", of: node)
    for reference in objects.references("buildPhases", of: node) {
      guard let phase = objects.object(reference) else {
        diagnostics.append(objects.note("target \(name) names a missing build phase", at: reference))
        continue
      }
      phases.append(phase)
      let files = PhaseFiles(phase, of: objects, paths: paths, target: name)
      diagnostics += files.diagnostics
      if objects.isKind("PBXSourcesBuildPhase", phase) {
        compiled += files.files
      } else if objects.isKind("PBXResourcesBuildPhase", phase) {
        resources += files.files
      } else if objects.isKind("PBXHeadersBuildPhase", phase) {
        headers += files.files
      } else if objects.isKind("PBXFrameworksBuildPhase", phase) {
        dependencies += files.products
      }
    }
    readDependencies(of: objects, paths: paths)
  }

  private mutating func readDependencies(of objects: ProjectObjects, paths: ProjectPaths) {
    for product in objects.objects("packageProductDependencies", of: node) {
      if let dependency = Dependency(packageProduct: product, of: objects) { dependencies.append(dependency) }
    }
    for dependency in objects.objects("dependencies", of: node) {
      if let target = objects.object("target", of: dependency) {
        dependencies.append(.target(target))
      } else if let product = objects.object("productRef", of: dependency) {
        if let dependency = Dependency(packageProduct: product, of: objects) { dependencies.append(dependency) }
      } else if let proxy = objects.object("targetProxy", of: dependency),
        let name = objects.text("remoteInfo", of: proxy) ?? objects.text("name", of: dependency),
        let portal = objects.object("containerPortal", of: proxy), let project = paths[portal]
      {
        dependencies.append(.remote(project: project.appending("project.pbxproj"), name: name))
      }
    }
    var seen: Set<Dependency> = []
    dependencies = dependencies.filter { seen.insert($0).inserted }
  }
}

extension XcodeTarget.Dependency {
  /// - Returns: `nil` for a product without a name.
  fileprivate init?(packageProduct product: OldStyleNode, of objects: ProjectObjects) {
    guard let name = objects.text("productName", of: product) else { return nil }
    self = .package(name, reference: objects.object("package", of: product))
  }
}

/// The files and products that a build phase names.
private struct PhaseFiles {
  private(set) var files: [XcodeTarget.File] = []
  private(set) var products: [XcodeTarget.Dependency] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ phase: OldStyleNode, of objects: ProjectObjects, paths: ProjectPaths, target: String) {
    for reference in objects.references("files", of: phase) {
      guard let entry = objects.object(reference) else {
        diagnostics.append(
          objects.note("a build phase of target \(target) names a missing file", at: reference))
        continue
      }
      if let product = objects.object("productRef", of: entry) {
        if let dependency = XcodeTarget.Dependency(packageProduct: product, of: objects) { products.append(dependency) }
        continue
      }
      guard let file = objects.object("fileRef", of: entry) else {
        diagnostics.append(
          objects.note(
            "a build phase of target \(target) names a file with a missing reference",
            at: objects.list.value("fileRef", of: entry) ?? entry))
        continue
      }
      if objects.isKind("PBXReferenceProxy", file)
        || objects.list.value("sourceTree", of: file).map({ objects.list.text($0, equals: "BUILT_PRODUCTS_DIR") })
          == true
      {
        if let path = objects.text("path", of: file) { products.append(.product(TreePath(trusted: path).name)) }
        continue
      }
      // A localized file is a group: each of its children is a file.
      let isGroup = objects.isKind("PBXVariantGroup", file)
      for member in isGroup ? objects.objects("children", of: file) : [file] {
        guard let path = paths[member] else { continue }
        files.append(XcodeTarget.File(path: path, reference: member, variants: isGroup ? file : nil))
      }
    }
  }
}
