import Localization
import StructuredText

/// A target of an Xcode project in the form in which the project file declares it.
struct XcodeTarget: Sendable {
  /// A file in a build phase, with its file reference.
  struct File: Sendable {
    var path: TreePath
    var reference: OldStyleNode
    /// The variant group of a localized file, whose children are the files of each language; `nil` for other files.
    var variants: OldStyleNode?
  }

  /// Another target or product that this target depends on.
  enum Dependency: Hashable, Sendable {
    /// A target of the same project.
    case target(OldStyleNode)
    /// A target of another project, by name.
    case remote(project: TreePath, name: String)
    /// Any target of any project that builds a product with this name, such as `Kit.framework`.
    case product(String)
    /// A product of a package. `reference` is the project's reference to the package. Xcode 15 and earlier wrote none for packages of the same
    /// repository.
    case package(String, reference: OldStyleNode?)
  }

  let node: OldStyleNode
  let name: String
  /// The product type, such as `com.apple.product-type.application`; `nil` for a target that builds nothing itself.
  let productType: String?
  /// The file name of the product, such as `App.app`; `nil` if there is none.
  let product: String?
  /// The files of the compile phases. A localized file has one entry per language.
  private(set) var compiled: [File] = []
  /// The files of the resources phases.
  private(set) var resources: [File] = []
  private(set) var headers: [File] = []
  /// The groups of the synchronized folders that the target includes.
  private(set) var folders: [OldStyleNode] = []
  private(set) var dependencies: [Dependency] = []
  /// The target's build phases. Some objects reference a target through one of its phases.
  private(set) var phases: [OldStyleNode] = []

  /// Whether the product is not a bundle. Such a product cannot contain localized files.
  var isWithoutBundle: Bool {
    productType.map { $0.hasSuffix(".tool") || $0.contains(".library.") || $0.hasSuffix(".objfile") } ?? false
  }

  /// Whether the target tests other targets. Its texts are never translated.
  var isTest: Bool {
    guard let type = productType else { return false }
    return type.hasPrefix("com.apple.product-type.bundle.unit-test")
      || type.hasPrefix("com.apple.product-type.bundle.ui-testing")
      || type.hasPrefix("com.apple.product-type.bundle.ocunit-test")
      || type.hasPrefix("com.apple.product-type.tool.swiftpm-test")
  }

  /// Whether other targets can use the target's declarations.
  var isLibrary: Bool {
    productType.map { $0.contains(".framework") || $0.contains(".library.") || $0.hasSuffix(".objfile") } ?? false
  }

  /// Whether the product is part of an app but has its own bundle.
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
        diagnostics.append(objects.note("target \(name) references a missing build phase", at: reference))
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
  /// Creates a dependency on a product of a package; `nil` if the product has no name.
  fileprivate init?(packageProduct product: OldStyleNode, of objects: ProjectObjects) {
    guard let name = objects.text("productName", of: product) else { return nil }
    self = .package(name, reference: objects.object("package", of: product))
  }
}

/// The files and products of a build phase.
private struct PhaseFiles {
  private(set) var files: [XcodeTarget.File] = []
  private(set) var products: [XcodeTarget.Dependency] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ phase: OldStyleNode, of objects: ProjectObjects, paths: ProjectPaths, target: String) {
    for reference in objects.references("files", of: phase) {
      guard let entry = objects.object(reference) else {
        diagnostics.append(
          objects.note("a build phase of target \(target) references a missing file", at: reference))
        continue
      }
      if let product = objects.object("productRef", of: entry) {
        if let dependency = XcodeTarget.Dependency(packageProduct: product, of: objects) { products.append(dependency) }
        continue
      }
      guard let file = objects.object("fileRef", of: entry) else {
        diagnostics.append(
          objects.note(
            "a build phase of target \(target) references a file with a missing reference",
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
      // A localized file is a variant group, and each of its children is a file.
      let isGroup = objects.isKind("PBXVariantGroup", file)
      for member in isGroup ? objects.objects("children", of: file) : [file] {
        guard let path = paths[member] else { continue }
        files.append(XcodeTarget.File(path: path, reference: member, variants: isGroup ? file : nil))
      }
    }
  }
}
