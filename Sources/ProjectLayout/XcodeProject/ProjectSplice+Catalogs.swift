import Localization
import StructuredText

/// Replaces tables with String Catalogs, as Xcode's migration does (compared with 70 real migrations):
///
/// - One reference to the catalog replaces the variant group of a table, in its group and in each build phase. The references to its files
///   are removed. A `.strings` and a `.stringsdict` of one table become one reference.
/// - The catalog of an interface file becomes a new child `mul` of that file's variant group, and the `.strings` files in the group are removed. Such
///   a project requires Xcode 15, so its `objectVersion` becomes 60.
///
/// Build files keep their identifiers and settings. Xcode creates new build files instead.
extension ProjectSplice {
  /// Replaces a table with its catalog. If this is not possible, the catalog is added to `refused`.
  /// - Parameter exists: returns whether a file is in the tree after the conversion. A variant group whose remaining files are all missing is
  ///   removed.
  mutating func exchange(_ table: ConvertedTable, exists: (TreePath) -> Bool) {
    let removed = project.paths.files.filter { project.paths[$0].map(table.removed.contains) ?? false }
    guard !removed.isEmpty else { return }
    if let interface = table.interface {
      exchange(removed, of: interface, for: table.catalog)
      return
    }
    var elements: [Element] = []
    for file in removed {
      let group = project.paths.groups[file]
      let node = group.flatMap { project.objects.isKind("PBXVariantGroup", $0) ? $0 : nil } ?? file
      guard !elements.contains(where: { $0.node == node }) else { continue }
      let stays =
        node != file
        && project.objects.objects("children", of: node).contains { child in
          !removed.contains(child) && project.paths[child].map(exists) ?? true
        }
      elements.append(Element(node: node, stays: stays))
    }
    // If a group is removed, the catalog is inserted at its position.
    elements = elements.filter { !$0.stays } + elements.filter(\.stays)
    // After a merge, a project can have the catalog and some files of its table again. Only these files are removed.
    let isListed = project.paths.files.contains { project.paths[$0] == table.catalog }
    var catalog: Reference?
    if !isListed {
      guard let first = elements.first, let parent = project.paths.groups[first.node],
        let made = reference(to: table.catalog, in: parent)
      else {
        refuse(table.catalog, "none of their groups can hold it", at: removed[0])
        return
      }
      put(made, to: first, in: parent)
      catalog = made
    }
    for element in elements.dropFirst(isListed ? 0 : 1) where !element.stays { removeReferences(to: element.node) }
    putIntoPhases(catalog, elements)
    for element in elements {
      if element.stays {
        for file in removed where project.paths.groups[file] == element.node { removeReferences(to: file) }
      } else {
        removeObject(element.node)
      }
    }
    for file in removed where !elements.contains(where: { $0.node == file }) { removeObject(file) }
    for element in elements where !element.stays && !removed.contains(element.node) {
      // The files of the remaining children are missing.
      for child in project.objects.objects("children", of: element.node) where !removed.contains(child) {
        removeObject(child)
      }
    }
  }

  /// The object that represents a table in a group: its variant group, or one file.
  private struct Element {
    var node: OldStyleNode
    /// Whether some files of the variant group are kept.
    var stays: Bool
  }

  /// The identifier and the name of a referenced object.
  struct Reference {
    fileprivate var id: String
    var name: String

    /// The reference in the form in which Xcode writes it.
    var text: String { "\(id) /* \(ProjectSplice.comment(name)) */" }
  }

  // MARK: Interface files

  private mutating func exchange(_ removed: [OldStyleNode], of interface: TreePath, for catalog: TreePath) {
    let groups = variantGroups(holding: interface)
    var replaced: Set<OldStyleNode> = []
    guard !groups.isEmpty else {
      refuse(catalog, "no group has the localizations of \(interface)", at: removed[0])
      return
    }
    for group in groups {
      guard let children = list.value("children", of: group),
        let reference = reference(to: catalog, in: group, named: "mul")
      else {
        refuse(catalog, "it is outside the project's folder", at: group)
        return
      }
      let places = project.objects.references("children", of: group).filter {
        project.objects.object($0).map(removed.contains) ?? false
      }
      if let last = places.last {
        replaceWithComment(last, by: reference.text)
        replaced.insert(last)
      } else {
        append(reference.text, to: children)
      }
    }
    leastVersion = 60
    for file in removed {
      removeReferences(to: file, but: replaced)
      removeObject(file)
    }
  }

  private mutating func refuse(_ catalog: TreePath, _ cause: String, at node: OldStyleNode) {
    refused.insert(catalog)
    diagnostics.append(
      project.objects.note(
        "\(catalog) cannot replace its tables, so they were not converted: \(cause)", at: node,
        severity: .error,
        hint: "convert the table in Xcode"))
  }

  // MARK: Groups

  mutating func reference(
    to catalog: TreePath, in group: OldStyleNode, named name: String? = nil
  ) -> Reference? {
    guard let place = place(of: catalog, in: group) else { return nil }
    let reference = Reference(id: identifier(for: catalog, in: group), name: name ?? catalog.name)
    let field = place.path == reference.name ? "" : "name = \(Self.quoted(reference.name)); "
    add(
      "\(reference.text) = {isa = PBXFileReference; lastKnownFileType = text.json.xcstrings; "
        + "\(field)path = \(Self.quoted(place.path)); sourceTree = \(Self.quoted(place.tree)); };", reference.id,
      of: "PBXFileReference")
    return reference
  }

  private mutating func put(_ catalog: Reference, to element: Element, in parent: OldStyleNode) {
    let places = project.objects.references("children", of: parent).filter {
      project.objects.object($0) == element.node
    }
    for place in places {
      if element.stays { insert(catalog.text, behind: place) } else { replaceWithComment(place, by: catalog.text) }
    }
  }

  /// Removes an object from the children of its group.
  private mutating func removeReferences(to node: OldStyleNode, but kept: Set<OldStyleNode> = []) {
    guard let parent = project.paths.groups[node] else { return }
    for place in project.objects.references("children", of: parent)
    where project.objects.object(place) == node && !kept.contains(place) {
      removeElement(place)
    }
  }

  // MARK: Build phases

  /// - Parameter catalog: the new reference; `nil` if the build files of the elements are only removed.
  private mutating func putIntoPhases(_ catalog: Reference?, _ elements: [Element]) {
    guard let objects = list.value("objects", of: list.root) else { return }
    let members = Array(list.members(of: objects))
    let phases = members.filter { list.value("files", of: $0.value) != nil }
    /// The nodes of the build phases that already have the catalog.
    var done: Set<OldStyleNode> = []
    for element in elements {
      for file in members
      where project.objects.isKind("PBXBuildFile", file.value)
        && project.objects.object("fileRef", of: file.value) == element.node
      {
        let places = phases.compactMap { phase in
          project.objects.references("files", of: phase.value)
            .first { project.objects.object($0) == file.value }.map { (phase: phase.value, node: $0) }
        }
        let open = places.filter { !done.contains($0.phase) }
        done.formUnion(places.map(\.phase))
        guard let catalog, !open.isEmpty else {
          if !element.stays {
            for place in places { removeElement(place.node) }
            removeMember(file)
          }
          continue
        }
        if element.stays {
          for place in open { addBuildFile(of: catalog, to: place.phase, beside: place.node) }
        } else {
          if let reference = list.value("fileRef", of: file.value) {
            replaceWithComment(reference, by: catalog.text)
          }
          rename(commentBehind: file.key, to: catalog.name)
          for place in places { rename(commentBehind: place.node, to: catalog.name) }
        }
      }
    }
  }

  private mutating func addBuildFile(of catalog: Reference, to phase: OldStyleNode, beside file: OldStyleNode) {
    let id = identifier(
      for: TreePath(trusted: catalog.id + "/" + list.text(file)), in: phase, purpose: "dragoman build file")
    let suffix = comment(behind: file).flatMap { Self.phaseName(String(decoding: list.bytes[$0], as: UTF8.self)) }
    let made = Reference(id: id, name: catalog.name + (suffix.map { " in " + $0 } ?? ""))
    add("\(made.text) = {isa = PBXBuildFile; fileRef = \(catalog.text); };", id, of: "PBXBuildFile")
    insert(made.text, behind: file)
  }

  /// Returns the phase's name in a comment: `Resources` for `/* Localizable.strings in Resources */`. `nil` if the comment names no phase.
  private static func phaseName(_ comment: String) -> String? {
    guard let words = comment.ranges(of: " in ").last else { return nil }
    return String(comment[words.upperBound...].dropLast(2).reversed().drop(while: \.isWhitespace).reversed())
  }

  private mutating func rename(commentBehind node: OldStyleNode, to name: String) {
    guard let range = comment(behind: node) else { return }
    let phase = Self.phaseName(String(decoding: list.bytes[range], as: UTF8.self))
    replace(range, with: "/* \(Self.comment(name + (phase.map { " in " + $0 } ?? ""))) */")
  }

  // MARK: Bytes

  private mutating func replaceWithComment(_ node: OldStyleNode, by text: String) {
    let range = list.range(of: node)
    replace(range.lowerBound..<(comment(behind: node)?.upperBound ?? range.upperBound), with: text)
  }

  /// Removes an element from its array, together with the comment and the comma after the element.
  private mutating func removeElement(_ node: OldStyleNode) {
    let end = end(of: node)
    remove(list.range(of: node).lowerBound..<(end.comma ?? end.comment))
  }

  /// Inserts an element after another element, on its own line if the other element has its own line.
  private mutating func insert(_ element: String, behind node: OldStyleNode) {
    let end = end(of: node)
    let start = list.range(of: node).lowerBound
    let lead = lineStart(of: start).map { lineBreak + Array(list.bytes[$0..<start]) } ?? [0x20]
    let text = String(decoding: lead, as: UTF8.self) + element
    insert(end.comma == nil ? "," + text : text + ",", at: end.comma ?? end.comment)
  }

  /// Returns where an element ends: after its comment if there is one, and after the comma that follows. `comma` is `nil` if no comma follows.
  private func end(of node: OldStyleNode) -> (comment: Int, comma: Int?) {
    let comment = comment(behind: node)?.upperBound ?? list.range(of: node).upperBound
    var end = comment
    while end < list.bytes.count, list.bytes[end] == 0x20 || list.bytes[end] == 0x09 { end += 1 }
    return (comment, end < list.bytes.count && list.bytes[end] == UInt8(ascii: ",") ? end + 1 : nil)
  }

  private mutating func removeObject(_ node: OldStyleNode) {
    guard let objects = list.value("objects", of: list.root) else { return }
    for member in list.members(of: objects) where member.value == node { removeMember(member) }
  }

  private mutating func removeMember(_ member: OldStyleMember) {
    remove(list.range(of: member.key).lowerBound..<list.end(of: member))
  }

  /// Removes the markers of the section of variant groups if all variant groups are removed, as Xcode does.
  mutating func removeEmptySections() {
    guard let objects = list.value("objects", of: list.root) else { return }
    let groups = list.members(of: objects).filter { project.objects.isKind("PBXVariantGroup", $0.value) }
    guard let first = groups.first, let last = groups.last,
      groups.allSatisfy({ isRemoved(list.range(of: $0.value)) }),
      let begin = mark("/* Begin PBXVariantGroup section */", before: list.range(of: first.key).lowerBound),
      let end = mark("/* End PBXVariantGroup section */", behind: list.end(of: last))
    else { return }
    remove(begin)
    remove(end)
    // The empty line after the section is removed too.
    var next = end.upperBound
    while next < list.bytes.count, list.bytes[next] == 0x0D || list.bytes[next] == 0x20 { next += 1 }
    guard next < list.bytes.count, list.bytes[next] == 0x0A else { return }
    let line = next + 1
    if list.bytes[line...].starts(with: lineBreak) { removeLine(line..<line + lineBreak.count) }
  }

  /// Returns the range of a marker before the offset; `nil` unless only white space is between the two.
  private func mark(_ text: String, before offset: Int) -> Range<Int>? {
    var end = offset
    while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(list.bytes[end - 1]) { end -= 1 }
    let start = end - text.utf8.count
    return start >= 0 && list.bytes[start..<end].elementsEqual(text.utf8) ? start..<end : nil
  }

  private func mark(_ text: String, behind offset: Int) -> Range<Int>? {
    var start = offset
    while start < list.bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(list.bytes[start]) { start += 1 }
    return list.bytes[start...].starts(with: text.utf8) ? start..<start + text.utf8.count : nil
  }
}
