import Localization
import StructuredText

/// Adds new String Catalogs to projects that list their files one by one, as Xcode does: a reference in the group of the folder, and a build
/// file among the resources of the target.
extension ProjectSplice {
  /// - Returns: for each target, whether it has a place for the catalog. If none has, nothing is added.
  mutating func add(_ catalog: TreePath, to targets: [XcodeTarget]) -> [Bool] {
    let phases = targets.map(resources)
    guard phases.contains(where: { $0 != nil }), !project.paths.files.contains(where: { project.paths[$0] == catalog }),
      let group = group(for: catalog), let children = list.value("children", of: group),
      list.kind(of: children) == .array, has("PBXBuildFile"), has("PBXFileReference"),
      let reference = reference(to: catalog, in: group)
    else { return targets.map { _ in false } }
    append(reference.text, to: children)
    for (target, phase) in zip(targets, phases) {
      guard let phase else { continue }
      let id = identifier(for: catalog, in: target.node, purpose: "dragoman build file")
      let file = "\(id) /* \(Self.comment(reference.name)) in Resources */"
      add("\(file) = {isa = PBXBuildFile; fileRef = \(reference.text); };", id, of: "PBXBuildFile")
      append(file, to: phase)
    }
    return phases.map { $0 != nil }
  }

  /// Returns the files of a target's resources.
  private func resources(of target: XcodeTarget) -> OldStyleNode? {
    target.phases.first { project.objects.isKind("PBXResourcesBuildPhase", $0) }.flatMap {
      list.value("files", of: $0)
    }.flatMap { list.kind(of: $0) == .array ? $0 : nil }
  }

  /// Returns whether there is an object of a kind. A new one is inserted among those.
  private func has(_ isa: StaticString) -> Bool {
    list.value("objects", of: list.root).map { objects in
      list.members(of: objects).contains { project.objects.isKind(isa, $0.value) }
    } ?? false
  }

  /// Returns the group of the folder of a file, or of the nearest folder around it.
  private func group(for file: TreePath) -> OldStyleNode? {
    guard let objects = list.value("objects", of: list.root) else { return nil }
    var best: (group: OldStyleNode, depth: Int)?
    for member in list.members(of: objects) where project.objects.isKind("PBXGroup", member.value) {
      guard let folder = project.paths[member.value], file.isWithin(folder) else { continue }
      let depth = folder.components.count
      if best.map({ depth > $0.depth }) ?? true { best = (member.value, depth) }
    }
    return best?.group ?? project.objects.object("mainGroup", of: project.objects.root)
  }
}
