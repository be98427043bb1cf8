import Localization
import SwiftSyntax

/// A converter of the value of a manifest's `Package(…)` to a description of the package and its targets. A language or a part of a target that
/// cannot be read becomes a diagnostic. Products that cannot be read are omitted. If a dependency on another package cannot be read,
/// `mayUseOtherPackages` is set.
struct ManifestModel {
  private let converter: SourceLocationConverter
  private(set) var manifest: PackageManifest

  init(path: TreePath, toolsVersion: ToolsVersion?, converter: SourceLocationConverter) {
    self.converter = converter
    manifest = PackageManifest(path: path, toolsVersion: toolsVersion)
  }

  mutating func read(_ package: ManifestCall) {
    manifest.name = package["name"]?.text
    readLanguage(package["defaultLocalization"])
    for value in package["products"]?.elements ?? [] {
      guard let call = value.call, let name = call["name"]?.text else { continue }
      manifest.products[name, default: []] += call["targets"]?.elements?.compactMap(\.text) ?? []
    }
    readPackages(package["dependencies"])
    guard let targets = package["targets"], !targets.isNull else { return }
    guard let elements = targets.elements else {
      manifest.openTargets.append(report(targets, "the list of targets"))
      return
    }
    for element in elements { readTarget(element) }
  }

  private mutating func readLanguage(_ value: ManifestValue?) {
    guard let value, !value.isNull else { return }
    if let text = value.text ?? value.call?["stringLiteral"]?.text ?? value.call?.unlabelled?.text {
      manifest.defaultLocalization = LocaleIdentifier(text)
    } else {
      manifest.isLanguageOpen = true
      _ = report(value, "defaultLocalization")
    }
  }

  private mutating func readPackages(_ value: ManifestValue?) {
    guard let value, !value.isNull else { return }
    guard let elements = value.elements else {
      manifest.mayUseOtherPackages = true
      return
    }
    for element in elements {
      guard let call = element.call, call.name == "package" || call.name == "Package" else {
        manifest.mayUseOtherPackages = true
        continue
      }
      guard let path = call["path"] else {
        manifest.usesRemotePackages = true
        continue
      }
      guard let text = path.text else {
        manifest.mayUseOtherPackages = true
        _ = report(path, "the path of a package", severity: .note)
        continue
      }
      // A path outside the repository does not refer to a package in the repository.
      guard let folder = TreePath(checking: manifest.folder.appending(text).text) else { continue }
      let place = converter.location(for: element.position)
      manifest.localPackages.append(
        PackageManifest.LocalPackage(
          folder: folder, name: call["name"]?.text, line: place.line, column: place.column))
    }
  }

  private mutating func readTarget(_ value: ManifestValue) {
    guard let call = value.call, let kind = Self.kind(of: call.name, type: call["type"]) else {
      manifest.openTargets.append(report(value, "a target"))
      return
    }
    guard let nameValue = call["name"] else {
      manifest.openTargets.append(report(value, "a target without a name"))
      return
    }
    guard let name = nameValue.text else {
      manifest.openTargets.append(report(nameValue, "the name of a target"))
      return
    }
    let place = converter.location(for: value.position)
    var target = ManifestTarget(kind: kind, name: name, line: place.line, column: place.column)
    // A binary target has no sources, so its path, which manifests often compute, does not matter.
    if kind != .binary, let path = call["path"], !path.isNull {
      if let text = path.text {
        target.location = .path(text)
      } else {
        target.location = .unknown
        target.unknown.append(report(path, "the path of target \(name)"))
      }
    }
    if let sources = call["sources"], !sources.isNull {
      // If the list is unknown, the whole folder of the target is used, because too many files are better than too few.
      target.sources = texts(sources, "the sources of target \(name)", &target.unknown)
    }
    if let excluded = call["exclude"], !excluded.isNull {
      let unreadBefore = target.unknown.count
      target.excluded = texts(excluded, "the excluded files of target \(name)", &target.unknown) ?? known(excluded)
      if target.unknown.count == unreadBefore { target.excluded = known(excluded) }
    }
    readResources(call["resources"], of: &target)
    readDependencies(call["dependencies"], of: &target)
    manifest.targets.append(target)
  }

  private static func kind(of name: String, type: ManifestValue?) -> ManifestTarget.Kind? {
    if let kind = ManifestTarget.Kind(rawValue: name) { return kind }
    guard name == "Target" || name == "init" else { return nil }
    switch type?.call?.name {
    case "test"?: return .test
    case "executable"?: return .executable
    case "plugin"?: return .plugin
    case "system"?: return .system
    case "binary"?: return .binary
    case "macro"?: return .macro
    default: return .regular
    }
  }

  private func known(_ value: ManifestValue) -> [String] { value.elements?.compactMap(\.text) ?? [] }

  /// Returns the texts of a list; `nil` if some of them are unknown. In that case, the reasons are added to `unknown`.
  private mutating func texts(_ value: ManifestValue, _ what: String, _ unknown: inout [Diagnostic]) -> [String]? {
    guard let elements = value.elements else {
      unknown.append(report(value, what))
      return nil
    }
    let unread = elements.filter { $0.text == nil }
    for element in unread { unknown.append(report(element, what)) }
    return unread.isEmpty ? elements.compactMap(\.text) : nil
  }

  private mutating func readResources(_ value: ManifestValue?, of target: inout ManifestTarget) {
    guard let value, !value.isNull else { return }
    for element in value.elements ?? [value] {
      if let call = element.call, let rule = ManifestTarget.ResourceRule(rawValue: call.name),
        let path = call.unlabelled?.text ?? call["path"]?.text
      {
        target.resources.append((rule, path))
      } else {
        // A catalog belongs to a target even if no rule lists it, unless the target copies it. Therefore a resource that cannot be read does not make
        // the target's sources unknown.
        target.hasOpenResources = true
        _ = report(element, "a resource of target \(target.name)", severity: .note)
      }
    }
  }

  private mutating func readDependencies(_ value: ManifestValue?, of target: inout ManifestTarget) {
    guard let value, !value.isNull else { return }
    for element in value.elements ?? [value] {
      if let name = element.text {
        target.dependencies.append(.byName(name))
      } else if let call = element.call, let name = call["name"]?.text ?? call.unlabelled?.text {
        switch call.name {
        case "target": target.dependencies.append(.target(name))
        case "product": target.dependencies.append(.product(name, package: call["package"]?.text))
        default: target.dependencies.append(.byName(name))
        }
      } else {
        _ = report(element, "a dependency of target \(target.name)", severity: .note)
      }
    }
  }

  /// Records a diagnostic for a value that could not be read, and returns it.
  private mutating func report(
    _ value: ManifestValue, _ what: String, severity: Diagnostic.Severity = .warning
  ) -> Diagnostic {
    let place = converter.location(for: value.position)
    var reason = "Dragoman cannot evaluate this form"
    if case .unknown(let text) = value.content { reason = text }
    let diagnostic = Diagnostic(
      path: manifest.path.text, line: place.line, column: place.column, severity: severity,
      message: "\(what) is unknown: \(reason)",
      hint: severity == .note
        ? nil : "write it as literals or constants; until then nothing is removed from its catalogs"
    )
    if !manifest.diagnostics.contains(diagnostic) { manifest.diagnostics.append(diagnostic) }
    return diagnostic
  }
}
