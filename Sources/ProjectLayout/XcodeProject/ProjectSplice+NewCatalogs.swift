import Localization
import StructuredText

/// Adds new String Catalogs to projects that list their files one by one. As in Xcode, this adds a reference to the folder's group and a build file
/// to the target's resources.
extension ProjectSplice {
  /// Adds a new catalog to the project and to the resources of targets.
  /// - Returns: for each target, whether the catalog was added to it. Nothing is added if no target has a resources phase, if the project already
  ///   references the catalog, if no group can contain it, or if the project has no build file or file reference yet.
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

  /// Returns the array of files of a target's resources phase; `nil` if the target has no such phase.
  private func resources(of target: XcodeTarget) -> OldStyleNode? {
    target.phases.first { project.objects.isKind("PBXResourcesBuildPhase", $0) }.flatMap {
      list.value("files", of: $0)
    }.flatMap { list.kind(of: $0) == .array ? $0 : nil }
  }

  /// Returns whether the project has an object of a kind. A new object can only be inserted next to objects of the same kind.
  private func has(_ isa: StaticString) -> Bool {
    list.value("objects", of: list.root).map { objects in
      list.members(of: objects).contains { project.objects.isKind(isa, $0.value) }
    } ?? false
  }

  /// Returns the group of a file's folder, or of the nearest folder that contains this folder, or else the main group.
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
